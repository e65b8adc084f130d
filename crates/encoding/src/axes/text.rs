//! Axes as the command line says them.

use super::convention::{Axis, Index};
use super::ranges::Ranges;
use serde_json::{Map, Value};
use std::str::FromStr;

impl FromStr for Axis {
    type Err = String;
    /// `name:ranges[;key=value…]`, the keys as in JSON with hyphens: `h:16..40;position-offset=-13/2`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected name:ranges[;key=value…], such as 'h:16..40;position-offset=-13/2'";
        let mut parts = text.split(';');
        let (name, ranges) =
            parts.next().unwrap_or("").split_once(':').ok_or_else(|| format!("'{text}': {expected}"))?;
        let pairs: Ranges = ranges.parse()?;
        let mut fields =
            Map::from_iter([("name".to_owned(), name.trim().into()), ("pairs".to_owned(), pairs.to_json())]);
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("'{part}': {expected}"))?;
            let key = key.trim().replace('-', "_");
            let value = field(&key, value.trim())?;
            if fields.insert(key.clone(), value).is_some() {
                return Err(format!("'{text}': {} is stated twice", key.replace('_', "-")));
            }
        }
        serde_json::from_value(Value::Object(fields)).map_err(|error| format!("'{text}': {error}"))
    }
}

/// The JSON of a field: whole numbers and flags as such, objects as they are, everything else as text, so that decimals stay exact.
fn field(key: &str, value: &str) -> Result<Value, String> {
    let json = || serde_json::from_str(value).map_err(|error| format!("{}={value}: {error}", key.replace('_', "-")));
    match key {
        "frequency_dim" | "frequency_origin" | "shared" => json(),
        "index" if value != "pairs" => value.parse::<Ranges>().map(|ranges| ranges.to_json()),
        _ if value.starts_with('{') => json(),
        _ => Ok(value.into()),
    }
}

/// In which order sections lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SectionsOrder {
    /// One after the other.
    #[default]
    Blocked,
    /// h and w on every third slot, and t on every other one.
    Interleaved,
}

/// The axes t, h and w of sections a, b, c, each with the frequencies of its slots' own numbers: `mrope_section` of model
/// configurations. Interleaved, h has slots 1, 4, … below 3b, w has 2, 5, … below 3c, and t all others.
///
/// ```
/// use posproof_encoding::axes::{SectionsOrder, sections};
/// let axes = sections(&[24, 20, 20], SectionsOrder::Interleaved).unwrap();
/// assert_eq!(serde_json::to_value(&axes[0].pairs).unwrap(), serde_json::json!(["0..61:3", "61..64"]));
/// ```
///
/// # Errors
///
/// For other than three sections, an empty one, and sections whose slots overlap.
pub fn sections(sections: &[usize], order: SectionsOrder) -> Result<Vec<Axis>, String> {
    let &[a, b, c] = sections else {
        return Err(format!("{} sections; expected three, for the axes t, h and w", sections.len()));
    };
    let total = a.checked_add(b).and_then(|sum| sum.checked_add(c)).filter(|&sum| sum <= super::ranges::MOST);
    let (Some(total), true) = (total, a > 0 && b > 0 && c > 0) else {
        return Err(format!("sections {a},{b},{c}; expected three whole numbers above 0"));
    };
    let claimed: [Vec<usize>; 3] = match order {
        SectionsOrder::Blocked => [(0..a).collect(), (a..a + b).collect(), (a + b..total).collect()],
        SectionsOrder::Interleaved => {
            let [h, w]: [Vec<usize>; 2] = [(1..3 * b).step_by(3).collect(), (2..3 * c).step_by(3).collect()];
            let mut free = vec![true; total];
            if h.iter().chain(&w).any(|&slot| slot >= total) {
                return Err(format!(
                    "interleaved sections {a},{b},{c}; expected slots below {total}, their sum: fewer of h and w"
                ));
            }
            h.iter().chain(&w).for_each(|&slot| free[slot] = false);
            [(0..total).filter(|&slot| free[slot]).collect(), h, w]
        }
    };
    let axis = |(name, slots): (&str, Vec<usize>)| {
        let pairs = Ranges::of(&slots).ok_or_else(|| format!("sections {a},{b},{c} leave no slot to axis {name}"))?;
        Ok(Axis { index: Some(Index::Pairs), ..Axis::new(name, pairs) })
    };
    ["t", "h", "w"].into_iter().zip(claimed).map(axis).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_say_what_json_says() {
        let said: Axis =
            "h:0..16;position-offset=-13/2;position-scale=2/7*pi;frequency-dim=40;index=0..32:2".parse().unwrap();
        let json = r#"{"name": "h", "pairs": "0..16", "position_offset": "-13/2", "position_scale": "2/7*pi", "frequency_dim": 40, "index": "0..32:2"}"#;
        assert_eq!(said, serde_json::from_str::<Axis>(json).unwrap());
        let linear: Axis = r#"w:0..60:3,60..64;frequency-spacing={"linear": [1, 112]};index=pairs"#.parse().unwrap();
        assert_eq!(linear.pairs.len(), 24);
        for text in
            ["h", "h:0..", "h:0..4;x", "h:0..4;index", "h:0..4;colour=1", "h:0..4;base=2;base=3", "h:0..4;shared=2"]
        {
            assert!(text.parse::<Axis>().is_err(), "{text}");
        }
    }

    #[test]
    fn sections_are_those_of_the_models() {
        let slots = |sizes: [usize; 3], order| {
            sections(&sizes, order)
                .unwrap()
                .into_iter()
                .map(|axis| axis.pairs.iter().collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        assert_eq!(slots([2, 3, 1], SectionsOrder::Blocked), [vec![0, 1], vec![2, 3, 4], vec![5]]);
        let [t, h, w]: [Vec<usize>; 3] = slots([24, 20, 20], SectionsOrder::Interleaved).try_into().unwrap();
        assert_eq!(t, (0..60).step_by(3).chain(60..64).collect::<Vec<_>>());
        assert_eq!((h, w), ((1..60).step_by(3).collect(), (2..60).step_by(3).collect()));
        for wrong in [vec![1, 2], vec![1, 2, 0], vec![1, 20, 1], vec![usize::MAX, 1, 1]] {
            assert!(sections(&wrong, SectionsOrder::Interleaved).is_err(), "{wrong:?}");
        }
    }
}
