//! Bounds against the formulas of the theorems that they name, as Coq evaluates them: at least that, and at most
//! 1 + 10⁻⁹ times it.

use super::close::{Compared, scaled, settle, storage};
use posproof::bound::{Model, Path, Program};
use posproof::encoding::convention::Convention;
use posproof::number::format::Format;

/// The formulas as terms that Coq encloses, each with the proof that it is the theorem's.
pub const FORMULAS: &str = include_str!("Formulas.v");

/// A format's name in Coq.
pub fn coq(format: Format) -> &'static str {
    match format {
        Format::F16 => "binary16",
        Format::Bf16 => "bfloat16",
        Format::F32 => "binary32",
        Format::F64 => "binary64",
        // Formulas.v: no program computes in them.
        Format::E4m3 | Format::E5m2 => unreachable!("no formula has a format of 8 bits"),
    }
}

/// ε of an exponent 2i/d: half its spacing, or 0 where the format holds it.
pub fn rounding_of_exponent(format: Format, index: usize, dim: usize) -> String {
    let exponent = 2.0 * index as f64 / dim as f64;
    if dim.is_power_of_two() && format.round(exponent) == exponent {
        return "(Whole 0)".into();
    }
    // The least e with x <= 2^e, for an x that is no power of two.
    let binade = exponent.log2().ceil() as i32;
    format!("(Scaled 1 ({}))", binade - format.precision() as i32 - 1)
}

/// The error of the frequency along a path, relative and absolute, in Coq.
fn nearness(program: &Program, base: u32, dim: usize, pair: usize) -> (String, String) {
    let (kappa, format) = (scaled(program.kappa), program.frequency);
    let gamma =
        |format, index| format!("(Product {} (Logarithm (Whole {base})))", rounding_of_exponent(format, index, dim));
    let (w, half) = (coq(format), format!("(half_smallest {})", coq(format)));
    match program.path {
        Path::Rounded => (format!("(sharp {w})"), half),
        Path::Pow => (format!("(reciprocal {w} {kappa} {})", gamma(format, pair)), half),
        Path::F64 => (
            format!("(cast {w} (reciprocal binary64 {kappa} {}))", gamma(Format::F64, pair)),
            format!("(cast_tiny {w} (half_smallest binary64))"),
        ),
        Path::Exp => (
            format!("(pow {w} {kappa} (exp_log {w} {kappa} {base} {} {dim}))", 2 * pair),
            format!("(Product {kappa} (smallest {w}))"),
        ),
        Path::Repeated => (
            format!("(repetition {w} (reciprocal {w} {kappa} {}) {pair})", gamma(format, 1)),
            format!("(Product (Whole {pair}) {half})"),
        ),
        Path::Recurrence => panic!("a recurrence has no frequencies of its own"),
    }
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn a_priori_bounds_are_those_of_the_formulas_of_their_theorems() {
    let mut all = Vec::new();
    for path in Path::ALL {
        // Libraries of more than 2 ulp have a formula of their own, which takes the frequencies as the others do.
        for kappa in if path == Path::Pow { vec![1.0, 3.0] } else { vec![1.0] } {
            let beyond = kappa >= 2.0;
            let expected = if beyond { Some("rounding_table_beyond_one") } else { path.theorem() };
            let mut compared = Compared::new(&format!("{path}_{}", kappa as u32));
            for format in [Format::F32, Format::F64] {
                for (base, dim, pair) in [(10000, 128, 1), (10000, 96, 7), (500_000, 128, 40), (65536, 64, 31)] {
                    let rounded = Program { path, kappa, ..Program::rounded(format) };
                    let (rho, sigma) = nearness(&rounded, base, dim, pair);
                    let exponent = format!("(Quotient (Whole (-{})) (Whole {dim}))", 2 * pair);
                    let omega = format!("(Exponential (Product {exponent} (Logarithm (Whole {base}))))");
                    let (f, k) = (coq(format), scaled(kappa));
                    compared.function(format!("all_close {beyond} {f} {k} {omega} {rho} {sigma}"));
                    for stored in [format, Format::Bf16] {
                        for last in [1u64, 63, 4095, 131_071, 20_000_000] {
                            let program = Program { storage: stored, ..rounded };
                            let convention = Convention { base: i64::from(base).into(), ..Convention::rope(dim) };
                            let model = Model::new(&convention, &program).expect("possible");
                            let rate = model.rate(pair).expect("a frequency");
                            let bound = model.a_priori(&rate, 0..last + 1).expect("in range");
                            let origin = bound.origin().to_string();
                            // Clipped at the trivial bound there is no formula.
                            if origin.starts_with("trivial") {
                                continue;
                            }
                            assert!(origin.contains(expected.expect("a theorem")), "{origin}");
                            compared.bound(bound.value(), &format!("{last}%Z, {}", storage(format, stored, beyond)));
                        }
                    }
                }
            }
            all.push(compared);
        }
    }
    settle("", &all);
}
