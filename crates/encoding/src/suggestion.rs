//! Error messages for unknown names that offer the nearest valid ones.

/// "unknown KIND 'NAME'", with the valid names that are most like it.
///
/// ```
/// let message = posproof_encoding::suggestion::unknown("claim", "shift.linearty", ["shift.linearity", "rope.linear"].into_iter());
/// assert_eq!(message, "unknown claim 'shift.linearty': did you mean shift.linearity?");
/// ```
pub fn unknown<'a>(kind: &str, name: &str, valid: impl Iterator<Item = &'a str>) -> String {
    let mut ranked: Vec<(f64, &str)> = valid.map(|known| (strsim::jaro_winkler(name, known), known)).collect();
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let similar: Vec<&str> = ranked.iter().filter(|(score, _)| *score > 0.8).take(3).map(|(_, known)| *known).collect();
    if similar.is_empty() {
        let all: Vec<&str> = ranked.iter().take(12).map(|(_, known)| *known).collect();
        let more = if ranked.len() > all.len() { ", …" } else { "" };
        return format!("unknown {kind} '{name}': expected one of {}{more}", all.join(", "));
    }
    format!("unknown {kind} '{name}': did you mean {}?", similar.join(" or "))
}
