//! Figures: one a file.

mod accumulators;
mod bases;
mod decimals;
mod distance;
mod encoding;
mod errors;
mod keys;
mod pairs;
mod ratios;
mod toeplitz;
mod wavelengths;

use super::chart::Stroke;
use super::data::Unavailable;
use super::data::errors::sweeps;
use super::figure::Figure;
use crate::encoding::convention::Convention;
use crate::evidence::Effort;
use crate::number::format::Format;

/// Positions of the figures on errors, where the effort is quick.
const FEW: u64 = 4096;

/// The longest context of the configurations.
const MANY: u64 = 131_072;

/// The encoding of the figures on errors: a head of 128 dimensions, base 10000. Its frequencies are every fourth of
/// those of the original Transformer with 512 dimensions.
pub fn head() -> Convention {
    Convention::rope(128)
}

/// Number of positions that the figures on errors look at.
pub fn length(effort: Effort) -> u64 {
    match effort {
        Effort::Quick => FEW,
        Effort::Standard | Effort::Exhaustive => MANY,
    }
}

/// All figures, in the order in which they are read. `done` is called after each of [`STEPS`] steps.
pub fn all(effort: Effort, done: &dyn Fn()) -> Result<Vec<Figure>, Unavailable> {
    let length = length(effort);
    let step = |figure: Figure| {
        done();
        figure
    };
    let mut figures = vec![
        step(encoding::figure()?),
        step(toeplitz::figure()?),
        step(distance::figure()?),
        step(wavelengths::figure()?),
    ];
    let outcomes = sweeps(&head(), length);
    figures.push(step(errors::figure(&outcomes, length)));
    figures.push(step(pairs::figure(&outcomes, length)));
    figures.push(step(keys::figure(length)?));
    figures.push(step(accumulators::figure(effort == Effort::Quick)?));
    figures.push(step(decimals::figure()?));
    figures.push(step(bases::figure()?));
    Ok(figures)
}

/// Number of steps that [`all`] takes.
pub const STEPS: u64 = 10;

/// A format as people call it.
fn format_name(format: Format) -> &'static str {
    match format {
        Format::F64 => "f64 (binary64)",
        Format::F32 => "f32 (binary32)",
        Format::F16 => "f16 (binary16)",
        Format::Bf16 => "bf16 (bfloat16)",
        Format::E4m3 => "e4m3 (OCP)",
        Format::E5m2 => "e5m2 (OCP)",
    }
}

/// A number with its thousands apart.
pub(in crate::report) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let grouped = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    grouped.collect::<Vec<_>>().join("\u{202f}")
}

/// A measured error beside its bound.
const WORST_AND_BOUND: [Stroke; 2] = [Stroke::Line, Stroke::Marks];

/// The decades that hold all the positive numbers given.
fn decades(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    use super::scale::{log10, power_of_ten};
    let positive = numbers.filter(|x| x.is_finite() && *x > 0.0);
    let (least, most) = positive.fold((f64::INFINITY, 0.0f64), |(least, most), x| (least.min(x), most.max(x)));
    if most == 0.0 {
        return [0.1, 1.0];
    }
    let (from, to) = (log10(least).floor() as i32, log10(most).ceil() as i32);
    [power_of_ten(from), power_of_ten(to.max(from + 1))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(
            [0, 999, 131_072, 1_234_567].map(grouped),
            ["0", "999", "131\u{202f}072", "1\u{202f}234\u{202f}567"]
        );
    }

    #[test]
    fn decades_hold_the_numbers() {
        assert_eq!(decades([0.0, 2e-3, 0.5, f64::NAN].into_iter()), [1e-3, 1.0]);
        assert_eq!(decades([1.0].into_iter()), [1.0, 10.0]);
        assert_eq!(decades(std::iter::empty()), [0.1, 1.0]);
    }

    #[test]
    fn every_figure_says_what_is_seen() {
        let figures = all(Effort::Quick, &|| ()).unwrap();
        assert_eq!(figures.len() as u64, STEPS);
        for figure in &figures {
            assert!(!figure.caption.is_empty() && !figure.numbers.is_empty() && !figure.commands.is_empty());
            assert!(!figure.data.is_empty(), "{}", figure.id);
            for numbers in &figure.data {
                assert!(!numbers.rows.is_empty(), "{}", figure.id);
                assert!(numbers.rows.iter().all(|row| row.len() == numbers.columns.len()), "{}", figure.id);
            }
            let drawn = |figure: &Figure| figure.panels.iter().map(|panel| panel.svg.clone()).collect::<String>();
            for path in drawn(figure).split(" d=\"").skip(1) {
                let outline = path.split('"').next().unwrap();
                assert!(!outline.contains("NaN") && !outline.contains("inf"), "{}", figure.id);
            }
        }
    }
}
