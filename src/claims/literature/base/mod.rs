//! `base`: choosing the base. A base serves a length L when B(m) ≥ 0 for all distances 0 ≤ m ≤ L (Base of RoPE Bounds Context Length).

use crate::claim::{CertifiedValue, Comparison, Form, Survey};
use crate::encoding::decay::{Sign, cosine_sum, sign_of_cosine_sums};
use crate::encoding::sinusoid::frequencies;
use crate::number::interval::Enclosing;
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Position, Relation, System};
use crate::sweep::Sweep;
use crate::sweep::bases::{AdmissibleBases, Base, Intervals};
use num_traits::Zero;

crate::claims::claims! {
    expectation: Expectation,
    minimum: Minimum,
    upward_closed: UpwardClosed,
    safe_from: SafeFrom,
    power_law: PowerLaw,
    released_models: ReleasedModels,
    larger_is_longer: LargerIsLonger,
    integral_limit: IntegralLimit,
    partial_rotation: PartialRotation,
    six_percent: SixPercent,
    similarity_limit: SimilarityLimit,
    similarity_bound: SimilarityBound,
}

/// A base with a distance at which B is negative, and how its score is called.
struct Failure {
    base: u32,
    distance: i64,
    value: &'static str,
    settled: &'static str,
    as_written: &'static str,
}

/// That failure, named by its two numbers.
macro_rules! failure {
    ($base:literal at $distance:literal) => {
        Failure {
            base: $base,
            distance: $distance,
            value: concat!("score_", $base, "_at_", $distance),
            settled: concat!("score under ", $base, " at ", $distance, ", and 0"),
            as_written: concat!("0 and score under ", $base, " at ", $distance),
        }
    };
}
use failure;

impl Failure {
    /// That B is negative there, or in the form as written that it is not; for the sabotaged form, the first under a base that
    /// serves.
    fn compared<S: System>(
        &self,
        system: &S,
        dim: usize,
        form: Form,
        row: usize,
        serving: Option<u32>,
    ) -> Comparison<S::Number> {
        let zero = system.integer(0);
        let score = |base| score(system, base, dim, self.distance);
        let (what, relation) = match (form, serving) {
            (Form::AsWritten, _) => (self.as_written, Relation::AtMost(zero, score(self.base))),
            (Form::Sabotaged, Some(base)) => {
                ("score under a base that serves, and 0", Relation::Less(score(base), zero))
            }
            _ => (self.settled, Relation::Less(score(self.base), zero)),
        };
        Comparison { what, index: [row, 0], relation }
    }

    /// The score, enclosed.
    fn certified(&self, dim: usize) -> CertifiedValue {
        let enclosure = score(&Enclosing::default(), self.base, dim, self.distance);
        CertifiedValue { name: self.value, enclosure }
    }
}

/// B(m; base) at one distance, d = `dim`.
pub fn score<S: System>(system: &S, base: u32, dim: usize, distance: i64) -> S::Number {
    cosine_sum(system, &frequencies(base, dim), &Position::integer(distance))
}

/// C_d = Σ_j sin(base^(−2j/dim)).
fn constant<S: System>(system: &S, base: u32, dim: usize) -> S::Number {
    let sine = |rate: Frequency| system.cis(&(Position::integer(1) * rate)).im;
    frequencies(base, dim).into_iter().fold(S::Number::zero(), |sum, rate| sum + sine(rate))
}

/// Proof on the real bases between two decimals for a length, d = `dim`: a cover of them by intervals, in binary64 with error
/// bounds.
fn cover(dim: usize, length: u32, [lower, upper]: [&str; 2]) -> Result<Intervals, String> {
    let bases: [Base; 2] = [lower.parse()?, upper.parse()?];
    let sweep = AdmissibleBases { dim, length, bases };
    sweep.run(0..sweep.tasks(), &|| ()).map_err(|error| error.to_string())
}

/// Finding of a survey of a base over distances, beside what it is said to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// B(m) ≥ 0 for all 0 ≤ m ≤ the last distance.
    Whole,
    /// The first m with B(m) < 0.
    FirstFailure(u32),
}

/// The sign of B over 0 ≤ m ≤ `last`, against what is expected of it.
pub fn survey_of_base(base: u32, dim: usize, last: u32, expected: Service) -> Survey {
    let scope = format!("all distances 0 to {last} at d = {dim}, base {base}, by passes in f64, near 0 at 256 bits");
    let (found, finding, error) = match sign_of_cosine_sums(&frequencies(base, dim), 0..last + 1) {
        Sign::NonNegative => (Some(Service::Whole), "B is nowhere negative".to_owned(), 0.0),
        Sign::NegativeAt(distance, value) => {
            let (lower, upper) = value.decimal_with(Some(16));
            let finding = format!("B is first negative at {distance}: [{lower}, {upper}]");
            (Some(Service::FirstFailure(distance)), finding, value.width_up())
        }
        Sign::Undecided(distance) => (None, format!("B at {distance} cannot be told from 0"), 0.0),
    };
    let measure = Measure { error, bound: 0.0 };
    let decision = match found {
        None => Decision::unable("a score is too near to 0"),
        Some(found) if found == expected => Decision::Held(measure),
        Some(_) => Decision::Refuted(measure),
    };
    Survey { scope, cases: u64::from(last) + 1, decision, finding, measured: None }
}
