//! Lists of numbers as ranges.

use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// Numbers are below this: far above those of any model's slots.
pub(super) const MOST: usize = 1 << 24;

/// Numbers in the order of ranges `a..b` and `a..b:step` that are read one after the other.
///
/// ```
/// use posproof_encoding::axes::Ranges;
/// let slots: Ranges = "0..6:3,6..8".parse().unwrap();
/// assert_eq!(slots.iter().collect::<Vec<_>>(), [0, 3, 6, 7]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges(Vec<Stepped>);

/// The numbers from a start to an end, which is not among them, in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stepped {
    start: usize,
    end: usize,
    step: usize,
}

impl Ranges {
    /// The numbers.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().flat_map(|range| (range.start..range.end).step_by(range.step))
    }

    /// Number of these; saturates.
    pub fn len(&self) -> usize {
        self.0.iter().fold(0, |sum, range| sum.saturating_add((range.end - range.start).div_ceil(range.step)))
    }

    /// Never: there is at least one number.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The largest number.
    pub fn max(&self) -> usize {
        let last = |range: &Stepped| range.start + (range.end - 1 - range.start) / range.step * range.step;
        self.0.iter().map(last).max().unwrap_or(0)
    }

    /// The ranges of these numbers, each as long as the numbers go on in equal steps; `None` without a number.
    pub fn of(numbers: &[usize]) -> Option<Self> {
        let mut ranges: Vec<Stepped> = Vec::new();
        for &number in numbers {
            match ranges.last_mut() {
                // The second number of a range decides its step.
                Some(last) if last.end == last.start + 1 && number > last.start => {
                    (last.step, last.end) = (number - last.start, number + 1);
                }
                Some(last) if last.end > last.start + 1 && number == last.end - 1 + last.step => last.end = number + 1,
                _ => ranges.push(Stepped { start: number, end: number + 1, step: 1 }),
            }
        }
        (!ranges.is_empty()).then_some(Self(ranges))
    }
}

impl FromStr for Stepped {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.trim().parse::<usize>().ok();
        let read = || {
            let (start, rest) = text.split_once("..")?;
            let (end, step) = rest.split_once(':').map_or((rest, "1"), |(end, step)| (end, step));
            Some(Self { start: number(start)?, end: number(end)?, step: number(step)? })
        };
        let expected = "expected a..b or a..b:step with whole numbers, such as 0..16 or 1..60:3";
        let range: Self = read().ok_or_else(|| format!("'{text}': {expected}"))?;
        match range {
            Self { step: 0, .. } => Err(format!("'{text}': the step is 0; expected 1 or more")),
            Self { start, end, .. } if start >= end => {
                Err(format!("'{text}': the range is empty; expected an end above {start}"))
            }
            Self { end, .. } if end > MOST => Err(format!("'{text}': expected an end of at most {MOST}")),
            range => Ok(range),
        }
    }
}

impl fmt::Display for Stepped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, end, step } = self;
        write!(f, "{start}..{end}")?;
        if *step == 1 { Ok(()) } else { write!(f, ":{step}") }
    }
}

impl FromStr for Ranges {
    type Err = String;
    /// Ranges between commas.
    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').map(|range| range.trim().parse()).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, range) in self.0.iter().enumerate() {
            write!(f, "{}{range}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl Ranges {
    pub(super) fn of_json(value: Value) -> Result<Self, String> {
        let expected = "expected a range such as \"0..16\" or \"1..60:3\", or a list of them";
        let range = |value: &Value| match value {
            Value::String(text) => text.parse(),
            other => Err(format!("{other}: {expected}")),
        };
        match &value {
            Value::Array(ranges) if !ranges.is_empty() => ranges.iter().map(range).collect::<Result<_, _>>().map(Self),
            Value::Array(_) => Err(format!("an empty list: {expected}")),
            one => range(one).map(|range| Self(vec![range])),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        match self.0.as_slice() {
            [one] => one.to_string().into(),
            several => several.iter().map(Stepped::to_string).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_ranges_and_back() {
        for text in ["0..16", "0..60:3,60..64", "5..6", "44..64", "0..44:2,1..44:2"] {
            let ranges: Ranges = text.parse().unwrap();
            let numbers: Vec<usize> = ranges.iter().collect();
            assert_eq!(Ranges::of(&numbers).unwrap().iter().collect::<Vec<_>>(), numbers, "{text}");
            assert_eq!((ranges.len(), ranges.max()), (numbers.len(), numbers.iter().copied().max().unwrap()));
            assert_eq!(Ranges::of_json(ranges.to_json()), Ok(ranges));
        }
        assert_eq!(Ranges::of(&[]), None);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "3", "1..", "..2", "-1..2", "4..4", "5..3", "0..9:0", "0..99999999999", "a..b", "0..9:x"] {
            assert!(text.parse::<Ranges>().is_err(), "{text}");
        }
        assert!(Ranges::of_json(serde_json::json!([])).is_err());
        assert!(Ranges::of_json(serde_json::json!([3])).is_err());
    }
}
