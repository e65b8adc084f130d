//! Reports on configurations: the largest error of each program beside its bounds.

use super::bounds::scientific;
use crate::bound::{Configuration, Finding, Path, Program};
use crate::encoding::convention::Component;
use crate::number::format::hex;
use rug::float::Round;
use std::fmt::Write;

fn name(program: &Program) -> String {
    let path = if program.path == Path::Rounded { String::new() } else { format!(", frequencies by {}", program.path) };
    let storage =
        if program.storage == program.angle { String::new() } else { format!(", stored in {}", program.storage) };
    format!("{}{path}{storage}", program.angle)
}

/// The report of one configuration.
pub fn page(configuration: &Configuration, findings: &[(Program, Finding)]) -> String {
    let mut text = format!(
        "{} — {}\n\nEvery entry at the positions given was compared with an enclosure of its exact value. Sine, cosine, pow, exp \
and log are correctly rounded (CORE-MATH and MPFR), so that these figures are the same on every platform.\n",
        configuration.name, configuration.about
    );
    for (program, finding) in findings {
        let Finding { positions, comparisons, worst, pair, component, instance, a_priori, above, closest } = finding;
        let part = if *component == Component::Sin { "sin" } else { "cos" };
        let (lower, upper) = worst.exact.decimal_with(Some(20));
        let round_up = |value: f64| scientific(value, 5, Round::Up);
        let _ = write!(
            text,
            "\n{}\n  positions     {}..{}, {comparisons} comparisons, {above} above a bound\n  \
worst error   {} ({}) at position {}, pair {pair}, {part}\n                got {} ({:?}), exact in [{lower}, {upper}]\n  \
instance      {} (ratio {:.4}): {}\n  a priori      {} (ratio {:.3}): {}\n  closest       error/bound {:.4} over pairs, components and decades of positions\n",
            name(program),
            positions.start,
            positions.end,
            scientific(worst.error, 5, Round::Nearest),
            hex(worst.error),
            worst.position,
            hex(worst.got),
            worst.got,
            round_up(instance.value()),
            instance.value() / worst.error,
            instance.origin(),
            round_up(a_priori.value()),
            a_priori.value() / worst.error,
            a_priori.origin(),
            closest,
        );
    }
    text
}
