//! Sentences of a finding: to act on, with the public threads that resemble it.

use super::region::EVERYWHERE;
use super::steps::to_a_millionth;
use super::{Alternative, Cause, Code, Finding, Lengths, Region};
use posproof_encoding::convention::{Component, Convention, Layout};
use posproof_encoding::scaling::Scaling;
use std::fmt;

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence())?;
        let names: Vec<&str> = self.fault.threads.iter().take(CITED).map(|thread| thread.name).collect();
        if names.is_empty() { Ok(()) } else { write!(f, "; compare {}", names.join(", ")) }
    }
}

/// Threads that a sentence cites: the closest of the row.
const CITED: usize = 2;

fn pairing(layout: Layout) -> &'static str {
    match layout {
        Layout::Interleaved => "interleaved (2k, 2k + 1)",
        Layout::Halves => "in halves (k, k + pairs)",
        Layout::InterleavedToHalves => "read interleaved (2k, 2k + 1) and written in halves (k, k + pairs)",
    }
}

fn sign(x: f64) -> char {
    if x < 0.0 { '−' } else { '+' }
}

impl Finding {
    /// The mistake, and its place if it is not everywhere.
    fn sentence(&self) -> String {
        let what = self.what();
        let apart = matches!(self.cause, Cause::Apart { .. } | Cause::NotFinite { .. } | Cause::PairFrequency { .. });
        match self.stated_place() {
            Some(place) if self.confined && !apart && place != EVERYWHERE => format!("at {place}: {what}"),
            _ => what,
        }
    }

    fn stated_place(&self) -> Option<String> {
        self.region.as_ref().map(ToString::to_string)
    }

    /// Where wrong rows begin, as far as rows tell.
    fn start(&self, from: u64) -> String {
        let begins = |region: &&Region| region.positions.is_some_and(|[first, _]| first == from);
        let before = self.region.as_ref().filter(begins).and_then(|region| region.before);
        match before.filter(|before| before + 1 < from) {
            Some(before) => format!("from a position between {} and {from}", before + 1),
            None => format!("from position {from}"),
        }
    }

    /// The mistake with its figures, as far as they are told.
    pub(crate) fn what(&self) -> String {
        let what = self.fault.cause;
        match &self.cause {
            Cause::NotFinite { count, entries, first } => {
                let are = if *count == 1 { "is" } else { "are" };
                format!("{count} of {entries} entries {are} infinite or not a number, the first at {first}: {what}")
            }
            Cause::Each { each, ways, number, one } => {
                let one = Self { cause: (**one).clone(), ..self.clone() }.what();
                format!("{each}s depart in {ways} ways, each with figures of its own; in {each} {number} {one}")
            }
            Cause::Zero => format!("every entry is 0 to within its bound: {what}"),
            Cause::Apart { entries, others, silent } => {
                let departs =
                    if *entries == 1 { "1 entry departs".to_owned() } else { format!("{entries} entries depart") };
                let place = match self.stated_place() {
                    Some(place) if self.region.as_ref().is_some_and(|region| !region.is_part()) => {
                        format!("here and there, {place}")
                    }
                    place => format!("at {}", place.unwrap_or_else(|| "no place".to_owned())),
                };
                let rest = match silent {
                    0 => String::new(),
                    silent => format!(", but for {silent} that may be any number that a sine can be"),
                };
                format!("{departs}, {place}: the {others} others are as they should be{rest}")
            }
            Cause::Negated => format!("the entries have the wrong sign: {what}"),
            Cause::Multiplied { by } => format!("the entries are {by:.9} times what they should be: {what}"),
            Cause::OfComponent { component, by } => {
                let every = if *component == Component::Sin { "every sine" } else { "every cosine" };
                match by {
                    0.0 => format!("{every} is 0: {what}"),
                    -1.0 => format!("{every} has the wrong sign: {what}"),
                    by => format!("{every} is {by:.9} times what it should be: {what}"),
                }
            }
            Cause::PairFrequency { pair, expected, found } => format!(
                "the frequency of pair {pair} is {:.9} times what it should be ({found:.9e}, not {expected:.9e}); those of the other pairs are right",
                found / expected
            ),
            Cause::SoftmaxScale { by, dim } => {
                format!("the rotated vectors are multiplied by {by:.6}, which is 1/√{dim}: {what}")
            }
            Cause::Mixture { repeated, layout, component } => {
                let cache = if *repeated { "c₀ c₀ c₁ c₁ …" } else { "c₀ c₁ … c₀ c₁ …" };
                let (part, are) = match component {
                    None => ("a cache", "is"),
                    Some(Component::Cos) => ("the cosines of a cache", "are"),
                    Some(Component::Sin) => ("the sines of a cache", "are"),
                };
                let that = if component.is_none() { "that is" } else { "that are" };
                let pairs = pairing(*layout);
                format!("{part} {that} duplicated as {cache} {are} used with pairs {pairs}: {what}")
            }
            Cause::AxesExchanged { axis: Some(axis), .. } => format!(
                "positions are counted along axis {axis} of the array (if they should be, state sequence axis {axis}): {what}"
            ),
            Cause::AxesExchanged { period, axis: None } => {
                format!("all rows of a table have one position, that of the table's number modulo {period}: {what}")
            }
            Cause::Layout { expected, found } => {
                format!("pairs are {}, not {}: {what}", pairing(*found), pairing(*expected))
            }
            Cause::ReadAndWritten { read, written, .. } => {
                format!("pairs are read {} and written {}", pairing(*read), pairing(*written))
            }
            Cause::OwnExponents { sin, cos } => {
                format!("{what}: sines follow base^(−{sin}), cosines base^(−{cos}); a pair needs one frequency")
            }
            Cause::Amplitude { expected, found } => {
                format!("the amplitude is {found:.6}, not {expected:.6} (a ratio of {:.6}): {what}", found / expected)
            }
            Cause::Convention { expected, found } => {
                let sentence = self.fault.alternatives.iter().find_map(|alternative| match alternative {
                    Alternative::Convention { sentence, .. } => Some(sentence(expected, found)),
                    _ => None,
                });
                let name = |convention: &Convention| convention.scaling.as_ref().map_or("no", Scaling::name);
                sentence.unwrap_or_else(|| match [name(found), name(expected)] {
                    [rule, stated] if rule == stated => what.to_owned(),
                    [rule, stated] => {
                        format!("the frequencies are those of {rule} scaling, not of {stated} scaling: {what}")
                    }
                })
            }
            Cause::Base { expected, found, measured } => {
                format!("the base is {found}, not {expected} (measured {measured:.6}): {what}")
            }
            Cause::Stretched { factor } => {
                format!("the base is stretched by NTK-aware scaling with factor {factor}, which was not stated")
            }
            Cause::Rule { rule, departing, frequencies } => format!(
                "{departing} of {} frequencies are not those of {} scaling: {what}; the detail (--json) has the measured ratios",
                frequencies.len(),
                rule.unwrap_or("no")
            ),
            Cause::PerToken { factor, original } => format!(
                "from position {original} on the row of position p has the base of dynamic scaling by {factor} for a sequence of p + 1: {what}"
            ),
            Cause::AtRest { rotated, pairs } => {
                format!("only the first {rotated} of {pairs} pairs are rotated: {what}")
            }
            Cause::Rotated { dim, expected, found } => {
                format!(
                    "{} of {dim} dimensions are rotated, not {}: {what}",
                    found.unwrap_or(*dim),
                    expected.unwrap_or(*dim)
                )
            }
            Cause::RotatedWithOther { dim, found, .. } => {
                format!("{} of {dim} dimensions are rotated, {what}", found.unwrap_or(*dim))
            }
            Cause::Narrowed { stored, format } => format!(
                "the entries are {stored} but hold only {format} values: they were cast to {format} and back; keep them in {stored}"
            ),
            Cause::Stored { format, stated } => {
                format!("the entries are stored as {format}, not as {stated}: the angles are right")
            }
            Cause::Rounded { format, stated } => match self.code() {
                Code::LowPrecisionFrequencies => {
                    format!("the frequencies are rounded to {format}: {}", self.fault.advice)
                }
                Code::LowPrecisionPositions => format!("positions are computed in {format}, not in {stated}"),
                _ => format!("the angles position × frequency are computed in {format}, not in {stated}"),
            },
            Cause::Path { stated, found, compute } => format!(
                "every entry is within the bound for frequencies in {compute} by the path '{}', not by '{}': {what}",
                found.name(),
                stated.name()
            ),
            Cause::RoundedPositions { format } => format!(
                "positions are rounded to {format}, which holds no odd number above {}: {}",
                1.0 / format.unit_roundoff(),
                self.fault.advice
            ),
            Cause::Inaccurate { error, stated } if self.code() == Code::LowPrecisionAngles => {
                format!(
                    "the angles are right to a relative {error:.1e} only, more than {stated} arithmetic explains: {what}"
                )
            }
            Cause::Inaccurate { .. } => {
                format!(
                    "angles that are exact in f32 (pair 0) have wrong sines or cosines: {what}; {}",
                    self.fault.advice
                )
            }
            Cause::OnePosition { position } => {
                format!("every row is that of position {}: {what}", to_a_millionth(*position))
            }
            Cause::Shifted { by } => {
                format!("the row of position p is that of position p {} {}: {what}", sign(*by), by.abs())
            }
            Cause::Scaled { by, .. } => format!("every angle is {by} times what it should be: {what}"),
            Cause::ScaledFrom { from, by } => {
                let start = self.start(*from);
                format!("{start} on positions are {by} times what they should be: {what}")
            }
            Cause::Unrotated { from } => {
                let start = self.start(*from);
                format!("rows {start} on are left unrotated, every angle 0: {what}")
            }
            Cause::Clamped { from, position } => {
                let start = self.start(*from);
                format!("{start} on every row is that of position {}: {what}", to_a_millionth(*position))
            }
            Cause::Wrapped { from } => {
                format!("from position {from} on positions start again at 0, modulo {from}: {what}")
            }
            Cause::ShiftedFrom { from, by } => format!(
                "{} on the row of position p is that of p {} {}: {what}",
                self.start(*from),
                sign(*by),
                to_a_millionth(by.abs())
            ),
            Cause::Earlier { from, rows } => {
                let (position, found) = rows.first().copied().unwrap_or_default();
                let start = self.start(*from);
                format!(
                    "{start} on rows are those of other positions (position {position} is encoded as {}): {what}",
                    to_a_millionth(found)
                )
            }
            Cause::Lengths { of, .. } => {
                let what_varies = match of {
                    Lengths::Rotation => "the lengths of the pairs change in every layout",
                    Lengths::Cache => "cos² + sin² is not constant",
                    Lengths::Table => "cos² + sin² is not constant in any layout",
                };
                format!("{what_varies}: {what}")
            }
            Cause::Array(cause) => cause.sentence(self.fault),
            Cause::Part(cause) => cause.sentence(self.fault),
            Cause::Precision(cause) => cause.sentence(self.fault),
            Cause::Positions(rule) => match rule.from() {
                Some(from) => format!("{} on {}", self.start(from), rule.sentence(self.fault)),
                None => rule.sentence(self.fault),
            },
            Cause::Products(cause) => cause.sentence(self.fault),
            Cause::Axes(cause) => cause.sentence(self.fault),
            Cause::Unexplained { entries, first, last, frequencies } => {
                let entries = if *entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") };
                let place =
                    if first == last { format!("position {first}") } else { format!("positions {first} to {last}") };
                let measured =
                    frequencies.as_ref().map_or("", |_| "; the detail (--json) has the measured frequencies");
                format!("{what}: {entries} at {place}{measured}")
            }
            // Nothing but what the row says.
            Cause::Order { .. }
            | Cause::AlternatingRows
            | Cause::Direction { .. }
            | Cause::Frequencies { .. }
            | Cause::QuotientRaised
            | Cause::Denominator { .. }
            | Cause::WholeVector
            | Cause::NotRotated
            | Cause::ReducedInSingle
            | Cause::InPlace => what.to_owned(),
        }
    }
}
