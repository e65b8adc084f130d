//! Reports on configurations: the largest error of each program beside its bounds.

use crate::bound::{Configuration, Enumeration, Path, Program};
use crate::encoding::convention::Component;
use crate::number::format::hex;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use std::fmt::Write;

fn name(program: &Program) -> String {
    let path = match program.path {
        Path::Rounded => String::new(),
        Path::Repeated => ", frequencies by repeated multiplication".into(),
        path => format!(", frequencies by {path}"),
    };
    let storage =
        if program.storage == program.angle { String::new() } else { format!(", stored in {}", program.storage) };
    format!("{}{path}{storage}", program.angle)
}

/// The report of one configuration: for each program a finding for each length of context.
pub fn page(configuration: &Configuration, findings: &[(Program, Vec<Enumeration>)]) -> String {
    let mut text = format!(
        "{} — {}\n\nEvery entry at the positions given was compared with its exact value, known to within 2^-75 of the amplitude's scale; \
the largest\nerrors again with an enclosure of 256 bits. Sine, cosine, pow, exp and log are correctly rounded (CORE-MATH, and enclosures), so that\n\
these figures are the same on every platform. Errors are rounded to nearest, bounds up; a ratio is bound by worst error; closest is\n\
the largest error by bound of any pair, component and decade of positions.\n",
        configuration.name, configuration.about
    );
    for (program, lengths) in findings {
        let _ = write!(text, "\n{}\n", name(program));
        for finding in lengths {
            text.push_str(&block(finding));
        }
        if let Some(last) = lengths.last() {
            let _ = write!(
                text,
                "  origin of the instance bound: {}\n  origin of the a priori bound: {}\n",
                last.instance.origin(),
                last.a_priori.origin()
            );
        }
    }
    text
}

/// A finding for one length.
fn block(finding: &Enumeration) -> String {
    let Enumeration { positions, comparisons, worst, pair, component, instance, a_priori, above, closest } = finding;
    let part = if *component == Component::Sin { "sin" } else { "cos" };
    let (lower, upper) = worst.exact.decimal_with(20);
    let bound = |value: f64| format!("{}, ratio {:.4}", scientific(value, 5, Round::Up), value / worst.error);
    format!(
        "  positions {}..{}: {comparisons} comparisons, {above} above a bound\n    \
worst     {} ({}) at position {}, pair {pair}, {part}\n              got {} ({:?}), exact in [{lower}, {upper}]\n    \
instance  {}\n    a priori  {}\n    closest   {closest:.4}\n",
        positions.start,
        positions.end,
        scientific(worst.error, 5, Round::Nearest),
        hex(worst.error),
        worst.position,
        hex(worst.got),
        worst.got,
        bound(instance.value()),
        bound(a_priori.value()),
    )
}
