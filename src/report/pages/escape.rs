//! Text that is to be read as it stands, in Markdown.

/// Punctuation that Markdown may take for markup. CommonMark reads a backslash before any of it as the
/// character itself.
const MARKUP: &str = "\\`*_[]<>|~&$#^";

/// The text with every character of markup escaped.
///
/// ```
/// assert_eq!(posproof::report::pages::plain("PE(t)_{2i} < 1 | x*y"), r"PE(t)\_{2i} \< 1 \| x\*y");
/// ```
pub fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if MARKUP.contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
