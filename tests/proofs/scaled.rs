//! A priori bounds of programs that compute a scaling rule themselves, against the formulas of `rounding_frequency_base` and
//! `rounding_frequency_llama3` as Coq evaluates them.

use super::close::{Compared, settle, storage};
use super::formulas::{coq, rounding_of_exponent};
use posproof::bound::{Model, Path, Program};
use posproof::encoding::convention::Convention;
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;

/// The formulas as terms that Coq encloses, with the proofs that they are the theorems'.
const SCALED: &str = include_str!("Scaled.v");

/// The divisor of both rules, and where llama3's band ends, below a context of 8192 positions.
const FACTOR: i64 = 8;
const BAND: [i64; 2] = [1, 4];
const CONTEXT: u64 = 8192;

/// Bases, dimensions and pairs: llama3 leaves some alone, divides others and blends two, (500000, 128, 30) and
/// (10000, 96, 35).
const PAIRS: [(u32, usize, usize); 6] =
    [(500_000, 128, 1), (500_000, 128, 30), (500_000, 128, 60), (10_000, 96, 7), (10_000, 96, 35), (65_536, 64, 31)];

fn rule(blend: bool) -> Scaling {
    let [low, high] = BAND;
    match blend {
        false => Scaling::Ntk { factor: FACTOR.into() },
        true => Scaling::Llama3 {
            factor: FACTOR.into(),
            low_freq_factor: low.into(),
            high_freq_factor: high.into(),
            original_max_position_embeddings: CONTEXT,
        },
    }
}

/// Number of turns of the pair in the context, in binary64.
fn turns(base: u32, dim: usize, pair: usize) -> f64 {
    CONTEXT as f64 * f64::from(base).powf(-2.0 * pair as f64 / dim as f64) / std::f64::consts::TAU
}

#[test]
fn pairs_lie_on_both_sides_of_the_band_and_within() {
    let places = PAIRS.map(|(base, dim, pair)| match turns(base, dim, pair) {
        often if often > BAND[1] as f64 => "above",
        seldom if seldom < BAND[0] as f64 => "below",
        _ => "within",
    });
    for (place, number) in [("above", 2), ("within", 2), ("below", 2)] {
        assert_eq!(places.iter().filter(|found| **found == place).count(), number, "{place}: {places:?}");
    }
}

/// The frequency, and ρ and σ of the path `pow` with κ = 1, in Coq.
fn terms(blend: bool, format: Format, (base, dim, pair): (u32, usize, usize)) -> [String; 3] {
    let w = coq(format);
    let exponent = format!("(Quotient (Whole {}) (Whole {dim}))", 2 * pair);
    let epsilon = rounding_of_exponent(format, pair, dim);
    let power = |ln: &str| format!("(Exponential (Product (Difference (Whole 0) {exponent}) {ln}))");
    let ln = format!("(Logarithm (Whole {base}))");
    if blend {
        let omega = power(&ln);
        let rho = format!("(reciprocal {w} (Whole 1) (Product {epsilon} {ln}))");
        let [low, high] = BAND;
        let near = format!("(llama3 {w} {omega} {rho} (half_smallest {w}) {FACTOR} {CONTEXT} {low} {high})");
        let blended = format!("(llama3_frequency {omega} {FACTOR} {CONTEXT} {low} {high})");
        return [blended, "(Whole 0)".into(), near];
    }
    let stretch = format!("(Quotient (Whole {dim}) (Whole {}))", dim - 2);
    let ln = format!("(Sum {ln} (Product {stretch} (Logarithm (Whole {FACTOR}))))");
    // Half the spacing of numbers between 1 and 2; no d/(d − 2) is a number of the format for these dimensions.
    let kept = format!("(Scaled 1 ({}))", -(format.precision() as i32));
    let stretched = format!("(stretched {w} (Whole 1) (Product {kept} (Logarithm (Whole {FACTOR}))))");
    let lambda = format!("(logarithm_of {stretched})");
    let rho = format!("(reciprocal {w} (Whole 1) (Product {epsilon} (Sum {ln} {lambda})))");
    [power(&ln), format!("(based {exponent} {lambda} {rho})"), format!("(half_smallest {w})")]
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn bounds_of_computed_rules_are_those_of_the_formulas_of_their_theorems() {
    let mut all = Vec::new();
    for (name, blend, theorem) in
        [("base", false, "rounding_frequency_base"), ("blend", true, "rounding_frequency_llama3")]
    {
        let mut compared = Compared::new(name);
        for format in [Format::F32, Format::F64] {
            for (base, dim, pair) in PAIRS {
                let [omega, rho, sigma] = terms(blend, format, (base, dim, pair));
                compared.function(format!("all_close false {} (Whole 1) {omega} {rho} {sigma}", coq(format)));
                for stored in [format, Format::Bf16] {
                    for last in [1u64, 4095, 131_071] {
                        let program =
                            Program { path: Path::Pow, kappa: 1.0, storage: stored, ..Program::rounded(format) };
                        let convention = Convention {
                            base: i64::from(base).into(),
                            scaling: Some(rule(blend)),
                            ..Convention::rope(dim)
                        };
                        let model = Model::new(&convention, &program).expect("possible");
                        let rate = model.rate(pair).expect("a frequency");
                        let bound = model.a_priori(&rate, 0..last + 1).expect("in range");
                        let origin = bound.origin().to_string();
                        let over = format!("{theorem}, over rounding_frequency_reciprocal");
                        assert!(origin.ends_with(&over), "{origin}");
                        compared.bound(bound.value(), &format!("{last}%Z, {}", storage(format, stored, false)));
                    }
                }
            }
        }
        all.push(compared);
    }
    settle(SCALED, &all);
}
