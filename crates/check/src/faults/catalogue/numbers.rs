//! Numbers that were taken for others: where a wrong figure comes from.

use super::super::{Alternative, Cause, Code, EntryFault, Fault, FaultyProgram, Injection, Promised};
use super::rows;
use crate::rates::omega;
use posproof_encoding::convention::{Convention, Encoding, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::Rational;
use std::f64::consts::TAU;

rows! {
    BASE_OF_32_BITS: Fault {
        name: "base-of-32-bits",
        code: Code::OtherBase,
        cause: "the base is the stated one modulo 2³²: it was held in an integer of 32 bits",
        advice: "read rope_theta as a floating-point number",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[Alternative::Convention {
            made: |c| modulo(c).into_iter().collect(),
            sentence: |c, found| format!(
                "the base is {}, which is {} modulo 2³²: it was held in an integer of 32 bits",
                found.base, c.base
            ),
        }],
    };
    FROM_MINUS_ONE: Fault {
        name: "exponents-from-minus-one",
        code: Code::FrequencyOrigin,
        cause: "the exponents are counted from −1: the frequencies are base^(−2(k − 1)/dim), that of the first pair above 1",
        advice: "count the exponents from 0",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[Alternative::Frequencies {
            made: |c| powers(c, |k| 2.0 * (k - 1.0)),
            cause: |_, found| Cause::Frequencies { found },
        }],
    };
    EACH_TWICE: Fault {
        name: "each-frequency-twice",
        code: Code::FrequencySpacing,
        cause: "every frequency stands twice: half of those that belong there are left out",
        advice: "compute a frequency for each pair, and repeat cosines and sines, not frequencies",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[
            Alternative::Frequencies { made: |c| powers(c, |k| 2.0 * (k / 2.0).floor()), cause: |_, found| Cause::Frequencies { found } },
            Alternative::Frequencies { made: |c| powers(c, |k| 4.0 * (k / 2.0).floor()), cause: |_, found| Cause::Frequencies { found } },
            Alternative::Frequencies { made: |c| tiled(c, 1.0), cause: |_, found| Cause::Frequencies { found } },
            Alternative::Frequencies { made: |c| tiled(c, 2.0), cause: |_, found| Cause::Frequencies { found } },
        ],
    };
    TIMES_TURNS: Fault {
        name: "angles-in-turns",
        code: Code::PositionScale,
        cause: "every angle is 2π times what it should be: angles in turns are taken for radians, or the reverse",
        advice: "compare what positions and frequencies are multiplied by",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[Alternative::Frequencies { made: |c| times(c, TAU), cause: |_, found| Cause::Frequencies { found } }],
    };
    OVER_TURNS: Fault {
        name: "angles-over-turns",
        code: Code::PositionScale,
        cause: "every angle is 1/(2π) times what it should be: angles in turns are taken for radians, or the reverse",
        advice: "compare what positions and frequencies are multiplied by",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[Alternative::Frequencies { made: |c| times(c, 1.0 / TAU), cause: |_, found| Cause::Frequencies { found } }],
    };
    FACTORS_AS_FREQUENCIES: Fault {
        name: "factors-as-frequencies",
        code: Code::FrequencyScaling,
        cause: "the factors of the rule are taken for the frequencies themselves",
        advice: "divide the frequencies of the base by them",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[Alternative::Frequencies {
            made: |c| factors(c, 0),
            cause: |_, found| Cause::Frequencies { found },
        }, Alternative::Frequencies {
            made: |c| factors(c, 1),
            cause: |_, found| Cause::Frequencies { found },
        }],
    };
    QUOTIENT_RAISED: Fault {
        name: "quotient-raised",
        code: Code::FrequencySpacing,
        cause: "the quotient is raised to the power: the angles are (p/base)^(2k/dim), not p/base^(2k/dim)",
        advice: "raise the base to the power, then divide the position by it",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    COMPONENT_BASE: Fault {
        name: "base-of-one-component",
        code: Code::OtherBase,
        cause: "a pair needs one frequency",
        advice: "compute cosines and sines of the same angles",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    COMPONENT_SHIFT: Fault {
        name: "shift-of-one-component",
        code: Code::PositionOffset,
        cause: "cosines and sines are of different rows",
        advice: "compute cosines and sines of the same positions",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    UNSIGNED: Fault {
        name: "unsigned-component",
        code: Code::NotARotation,
        cause: "a square root or an absolute value has no sign",
        advice: "compute both components of the angle",
        threads: &[],
        cases: &[
            FaultyProgram::new("sines without signs", Promised::Any, Injection::Entries(EntryFault::Unsigned)),
        ],
        vectors: None,
        alternatives: &[],
    };
    PAIRS_EXCHANGED: Fault {
        name: "pairs-exchanged",
        code: Code::Local,
        cause: "two pairs are exchanged",
        advice: "compare the order of the frequencies",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    PADDING_ROW: Fault {
        name: "padding-row",
        code: Code::NullRow,
        cause: "one row is that of padding, which a table may keep at 0",
        advice: "leave the row out of the comparison with --positions, or write it",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
    INFINITE_FREQUENCIES: Fault {
        name: "infinite-frequencies",
        code: Code::NotFinite,
        cause: "these pairs are no numbers in every row, as their frequencies are none: a base of 0, or a power that overflows",
        advice: "compare the base that the program read",
        threads: &[],
        cases: &[],
        vectors: None,
        alternatives: &[],
    };
}

/// base^(−exponent(k)/dim) for every pair k, where no rule scales frequencies.
fn powers(convention: &Convention, exponent: impl Fn(f64) -> f64) -> Option<Vec<f64>> {
    let plain = convention.scaling.is_none() && convention.frequency_spacing == Spacing::Paper;
    let (ln, dim) = (core_math::log(convention.base.value().to_f64()), convention.frequency_dim() as f64);
    // A run has the frequencies of its own pairs; other programs that count from 1 count so throughout.
    let origin = match convention.frequency_dim {
        Some(_) => 0.0,
        None => 2.0 * f64::from(convention.frequency_origin),
    };
    let of = |k: usize| core_math::exp(-(exponent(convention.pair_of_all(k) as f64) + origin) / dim * ln);
    plain.then(|| (0..convention.pairs()).map(of).collect())
}

/// The frequencies of half as many pairs, one after the other and then again; with exponents that are multiplied.
fn tiled(convention: &Convention, by: f64) -> Option<Vec<f64>> {
    let half = convention.frequency_dim() as f64 / 4.0;
    if half < 1.0 || half.fract() != 0.0 {
        return None;
    }
    powers(convention, |k| 2.0 * by * (k % half))
}

/// All frequencies times a number.
fn times(convention: &Convention, by: f64) -> Option<Vec<f64>> {
    Some(omega(convention)?.into_iter().map(|omega| by * omega).collect())
}

/// LongRoPE's factors: short or long ones.
fn factors(convention: &Convention, which: usize) -> Option<Vec<f64>> {
    let Some(Scaling::Longrope { short_factor, long_factor, .. }) = &convention.scaling else { return None };
    let all: Vec<f64> = [short_factor, long_factor][which].iter().map(|factor| factor.value().to_f64()).collect();
    (all.len() == convention.pairs() && convention.encoding == Encoding::Rope).then_some(all)
}

/// The base modulo 2³², where that changes it.
fn modulo(convention: &Convention) -> Option<Convention> {
    let base = convention.base.value();
    let whole = base.to_f64();
    if !base.is_integer() || !(4_294_967_296.0..9e15).contains(&whole) {
        return None;
    }
    let rest = whole as u64 % (1 << 32);
    (rest > 1).then(|| Convention { base: Real::from(Rational::from(rest as i64)), ..convention.clone() })
}
