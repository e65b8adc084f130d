//! Frequencies that a checkpoint stores (`inv_freq`), beside those of a configuration.

use super::compare::{described, rounded};
use super::difference::{Difference, What};
use super::effect::{Departure, allowances, departures, frequencies, lengths};
use crate::InvalidInput;
use crate::input::About;
use crate::read::{self, Array};
use posproof_encoding::convention::Convention;
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use posproof_table::Dtype;

/// The longest list that is read: more pairs than any head has.
const MAX_PAIRS: usize = 1 << 12;

/// A stored list of frequencies.
pub struct Buffer {
    /// The tensor's name.
    pub name: String,
    values: Vec<f64>,
    format: Format,
}

impl Buffer {
    /// Reads a tensor.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`] for what is no short list of floating-point numbers.
    pub fn read(file: &str, name: &str) -> Result<Self, InvalidInput> {
        let array: Array = read::open(&format!("{file}:{name}"))?;
        let about = About(array.name());
        let count = array.width();
        if array.rows() * array.slabs() != 1 || count > MAX_PAIRS {
            let (expected, found) =
                (format!("one list of at most {MAX_PAIRS} frequencies"), format!("{:?}", array.shape()));
            return Err(about.error("the shape", expected, found, "check what the tensor holds"));
        }
        let Dtype::Float(format) = array.dtype() else {
            return Err(about.error("the dtype", "floating-point numbers", "integers", "check what the tensor holds"));
        };
        let mut values = Vec::new();
        array.read_part(0, count, &mut values)?;
        Ok(Self { name: name.to_owned(), values, format })
    }

    /// Difference of the stored frequencies, if they are not those of the convention at any length.
    pub fn difference(&self, kind: &str, convention: &Convention) -> Option<Difference> {
        if self.follow(convention) {
            return None;
        }
        let (what, field, expected, found, message) = self.cause(convention);
        Some(Difference {
            what,
            kind: kind.to_owned(),
            field,
            expected,
            found,
            message: format!("{}: {message}", self.name),
        })
    }

    /// True if they are those of a convention at one of the lengths that it tells apart.
    fn follow(&self, convention: &Convention) -> bool {
        self.agree(convention, |omega, allowed, value| (value - omega).abs() <= allowed)
    }

    fn agree(&self, convention: &Convention, near: impl Fn(f64, f64, f64) -> bool) -> bool {
        lengths(convention).into_iter().any(|length| {
            let convention = convention.clone().for_length(length);
            let Some(omega) = frequencies(&convention) else { return false };
            let allowed = allowances(&convention, &omega);
            let all = omega.iter().zip(&allowed).zip(&self.values);
            omega.len() == self.values.len()
                && all.clone().all(|((omega, allowed), value)| near(*omega, *allowed, *value))
        })
    }

    /// True if they are those of a convention, rounded to a narrow format.
    fn rounded_to(&self, convention: &Convention, format: Format) -> bool {
        let near = |omega: f64, allowed: f64, value: f64| {
            let (low, high) = (format.round(omega - allowed), format.round(omega + allowed));
            format.round(value) == value && (low..=high).contains(&value)
        };
        self.agree(convention, near)
    }

    fn cause(&self, convention: &Convention) -> (What, String, String, String, String) {
        let (pairs, count) = (convention.pairs(), self.values.len());
        if count != pairs {
            let message =
                format!("{pairs} frequencies are to be stored, one for each pair, and here there are {count}");
            return (What::Width, "rotary_dim".into(), (2 * pairs).to_string(), (2 * count).to_string(), message);
        }
        for format in [Format::Bf16, Format::F16] {
            if self.rounded_to(convention, format) {
                let stored = if self.format == format { "stored in" } else { "rounded to" };
                let message = format!("the frequencies are {stored} {format}; keep them in f32");
                return (What::Precision, "frequencies".into(), "f32".into(), format.to_string(), message);
            }
        }
        for (what, field, other) in self.others(convention) {
            if self.follow(&other) {
                return explained(what, field, convention, &other);
            }
        }
        if let Some(width) = self.other_width(convention) {
            let message = format!(
                "the frequencies are those of {width} rotated entries, where {} are rotated",
                convention.rotated_dim()
            );
            let values = (convention.rotated_dim().to_string(), width.to_string());
            return (What::Width, "rotary_dim".into(), values.0, values.1, message);
        }
        let departures = self.departures(convention);
        if let [departure] = departures[..] {
            let (expected, found) = (departure.expected.to_string(), departure.found.to_string());
            return (What::Local, "frequencies".into(), expected, found, departure.alone(pairs));
        }
        let ramp = self.blended(convention);
        let what = if ramp { What::Scaling } else { What::Unexplained };
        let cause = if ramp {
            "are between those without scaling and those divided by the factor, on another ramp"
        } else {
            "differ, by no cause that is known"
        };
        let distance = |departure: &&Departure| (departure.expected / departure.found).ln().abs();
        let furthest = departures.iter().max_by(|one, other| distance(one).total_cmp(&distance(other)));
        let most = furthest.map_or(String::new(), |Departure { pair, expected, found }| {
            format!("; pair {pair} has {}, and is to have {}", rounded(*found), rounded(*expected))
        });
        let message = format!("{} of {pairs} frequencies {cause}{most}", departures.len());
        (what, "scaling".into(), described(convention.scaling.as_ref()), "other frequencies".into(), message)
    }

    /// The frequencies that are not those of the convention, at the length where fewest are.
    fn departures(&self, convention: &Convention) -> Vec<Departure> {
        let at = |length: u64| departures(&convention.clone().for_length(length), &self.values, 1.0);
        lengths(convention).into_iter().filter_map(at).min_by_key(Vec::len).unwrap_or_default()
    }

    /// Conventions that differ from this in one thing, the plainest first.
    fn others(&self, convention: &Convention) -> Vec<(What, &'static str, Convention)> {
        let mut others = Vec::new();
        let scaled = |scaling: Option<Scaling>| Convention { scaling, ..convention.clone() };
        if convention.scaling.is_some() {
            others.push((What::Scaling, "scaling", scaled(None)));
        }
        let default = Real::from(10000);
        if convention.base != default {
            others.push((What::Base, "base", Convention { base: default, ..convention.clone() }));
        }
        others
            .extend(self.base(convention).map(|base| (What::Base, "base", Convention { base, ..convention.clone() })));
        for factor in self.factors(convention) {
            let rule = match convention.scaling.clone() {
                None => Some(Scaling::Linear { factor }),
                Some(rule) => with_factor(rule, factor),
            };
            others.extend(rule.map(|rule| (What::Scaling, "scaling.factor", scaled(Some(rule)))));
        }
        others
    }

    /// The base that the second frequency shows, if rules leave it alone: to six digits, as bases are written.
    fn base(&self, convention: &Convention) -> Option<Real> {
        let omega = self.values.get(1).filter(|omega| **omega > 0.0 && **omega < 1.0)?;
        let base = omega.powf(-(convention.frequency_dim() as f64) / 2.0);
        (base > 1.0 && base < 1e15).then(|| format!("{base:.5e}").parse().ok()).flatten()
    }

    /// The factors that the first and the last frequency show: those of a uniform division, and of a rule that divides slow pairs.
    fn factors(&self, convention: &Convention) -> Vec<Real> {
        let plain = Convention { scaling: None, ..convention.clone() };
        let Some(plain) = frequencies(&plain) else { return Vec::new() };
        let ends = [plain.first().zip(self.values.first()), plain.last().zip(self.values.last())];
        let quotients = ends.into_iter().flatten().map(|(omega, value)| omega / value);
        let written = quotients.filter(|q| q.is_finite() && *q > 0.0).filter_map(|q| format!("{q:.4e}").parse().ok());
        written.filter(|factor: &Real| *factor != 1.into()).collect()
    }

    /// The number of entries over which the frequencies are spaced, if it is another.
    fn other_width(&self, convention: &Convention) -> Option<usize> {
        let omega = self.values.get(1).filter(|omega| **omega > 0.0 && **omega < 1.0)?;
        let width = -2.0 * convention.base.value().to_f64().ln() / omega.ln();
        let width = (width / 2.0).round() as usize * 2;
        let wider = Convention { dim: width, rotary_dim: None, scaling: None, ..convention.clone() };
        let omega = frequencies(&wider)?;
        let allowed = allowances(&wider, &omega);
        let all = self.values.iter().zip(omega.iter().zip(&allowed));
        (omega.len() >= self.values.len()
            && all.clone().all(|(value, (omega, allowed))| (value - omega).abs() <= *allowed))
        .then_some(width)
    }

    /// True if the frequencies are those without scaling, divided by the factor along a ramp: the slower a pair, the nearer to the
    /// whole factor.
    fn blended(&self, convention: &Convention) -> bool {
        let factor = match &convention.scaling {
            Some(Scaling::Yarn { factor, .. } | Scaling::Llama3 { factor, .. }) => factor.value().to_f64(),
            _ => return false,
        };
        let plain = Convention { scaling: None, ..convention.clone() };
        let Some(omega) = frequencies(&plain) else { return false };
        let allowed = allowances(&plain, &omega);
        let mut reached = 0.0f64;
        omega.iter().zip(&allowed).zip(&self.values).all(|((omega, allowed), value)| {
            let whole = omega - omega / factor;
            let (share, slack) = ((omega - value) / whole, allowed / whole.abs());
            let rises = share >= reached - 2.0 * slack;
            reached = reached.max(share);
            rises && share >= -slack && share <= 1.0 + slack
        })
    }
}

/// The rule with another factor; none for one without.
fn with_factor(mut rule: Scaling, new: Real) -> Option<Scaling> {
    match &mut rule {
        Scaling::Linear { factor }
        | Scaling::Ntk { factor }
        | Scaling::Yarn { factor, .. }
        | Scaling::Llama3 { factor, .. } => {
            *factor = new;
            Some(rule)
        }
        _ => None,
    }
}

fn explained(
    what: What,
    field: &str,
    expected: &Convention,
    found: &Convention,
) -> (What, String, String, String, String) {
    let (here, there) = match what {
        What::Base => (expected.base.to_string(), found.base.to_string()),
        _ => (described(expected.scaling.as_ref()), described(found.scaling.as_ref())),
    };
    let message = match what {
        What::Base => format!("the frequencies are to have base {here}, and here they have base {there}"),
        _ => format!("the frequencies are to have {here}, and here they have {there}"),
    };
    (what, field.to_owned(), here, there, message)
}
