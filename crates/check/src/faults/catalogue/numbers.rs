//! Numbers that were taken for others: where a wrong figure comes from.

use super::super::{
    Alternative, Cause, Code, EntryFault, Fault, FaultyProgram, FrequencyFault, Injection, Promised, Vectors,
};
use super::promised::*;
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
        cases: &[FaultyProgram::new("base of 32 bits", Promised::Stated(ten_to_the_ten), Injection::Convention(|c| Convention { base: 1_410_065_408.into(), ..c.clone() }))],
        vectors: Some(Vectors {
            place: 38,
            description: "A base of 10^10 read into 32 bits.",
            effect: "Slow pairs turn too fast.",
            promised: ten_to_the_ten,
            injection: Injection::Convention(|c| Convention { base: 1_410_065_408.into(), ..c.clone() }),
        }),
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
        cases: &[FaultyProgram::new("exponents from -1", Promised::Any, Injection::Frequencies(FrequencyFault::FromMinusOne))],
        vectors: Some(Vectors {
            place: 39,
            description: "Exponents counted from −1.",
            effect: "Every pair has the frequency of the one before it.",
            promised: sinusoid,
            injection: Injection::Frequencies(FrequencyFault::FromMinusOne),
        }),
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
        // A cache of these holds half as many frequencies.
        cases: &[FaultyProgram::new(
            "each frequency twice",
            Promised::Sinusoid,
            Injection::Frequencies(FrequencyFault::EachTwice),
        )],
        vectors: Some(Vectors {
            place: 40,
            description: "Every other frequency, twice.",
            effect: "Neighbouring pairs turn alike.",
            promised: sinusoid,
            injection: Injection::Frequencies(FrequencyFault::EachTwice),
        }),
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
        cases: &[FaultyProgram::new("angles in turns", Promised::Any, Injection::Frequencies(FrequencyFault::Times(TAU)))],
        vectors: Some(Vectors {
            place: 41,
            description: "Angles in turns taken for radians.",
            effect: "Every angle is 2π times what it should be.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Times(TAU)),
        }),
        alternatives: &[Alternative::Frequencies { made: |c| times(c, TAU), cause: |_, found| Cause::Frequencies { found } }],
    };
    OVER_TURNS: Fault {
        name: "angles-over-turns",
        code: Code::PositionScale,
        cause: "every angle is 1/(2π) times what it should be: angles in turns are taken for radians, or the reverse",
        advice: "compare what positions and frequencies are multiplied by",
        threads: &[],
        cases: &[FaultyProgram::new("angles over turns", Promised::Any, Injection::Frequencies(FrequencyFault::Times(1.0 / TAU)))],
        vectors: Some(Vectors {
            place: 42,
            description: "Angles in radians taken for turns.",
            effect: "Every angle is 1/(2π) times what it should be.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::Times(1.0 / TAU)),
        }),
        alternatives: &[Alternative::Frequencies { made: |c| times(c, 1.0 / TAU), cause: |_, found| Cause::Frequencies { found } }],
    };
    FACTORS_AS_FREQUENCIES: Fault {
        name: "factors-as-frequencies",
        code: Code::FrequencyScaling,
        cause: "the factors of the rule are taken for the frequencies themselves",
        advice: "divide the frequencies of the base by them",
        threads: &[],
        cases: &[FaultyProgram::new("factors as frequencies", Promised::Stated(long), Injection::Frequencies(FrequencyFault::Factors))],
        vectors: Some(Vectors {
            place: 43,
            description: "LongRoPE's factors in place of the frequencies that they divide.",
            effect: "Slow pairs turn fastest.",
            promised: long_vectors,
            injection: Injection::Frequencies(FrequencyFault::Factors),
        }),
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
        cases: &[FaultyProgram::new("quotient raised", Promised::Any, Injection::Entries(EntryFault::QuotientRaised))],
        vectors: Some(Vectors {
            place: 82,
            description: "(p/base)^(2k/dim) in place of p/base^(2k/dim), computed in binary64.",
            effect: "Angles grow with a power of the position.",
            promised: sinusoid,
            injection: Injection::Entries(EntryFault::QuotientRaised),
        }),
        alternatives: &[],
    };
    COMPONENT_BASE: Fault {
        name: "base-of-one-component",
        code: Code::OtherBase,
        cause: "a pair needs one frequency",
        advice: "compute cosines and sines of the same angles",
        threads: &[],
        cases: &[FaultyProgram::new("base of the sines", Promised::Any, Injection::Entries(EntryFault::SinesOfBase(500_000)))],
        vectors: Some(Vectors {
            place: 44,
            description: "Sines of base 500000 beside cosines of base 10000.",
            effect: "The two entries of a pair no longer lie on the unit circle.",
            promised: rope,
            injection: Injection::Entries(EntryFault::SinesOfBase(500_000)),
        }),
        alternatives: &[],
    };
    COMPONENT_SHIFT: Fault {
        name: "shift-of-one-component",
        code: Code::PositionOffset,
        cause: "cosines and sines are of different rows",
        advice: "compute cosines and sines of the same positions",
        threads: &[],
        cases: &[FaultyProgram::new("sines of the next row", Promised::Any, Injection::Entries(EntryFault::SinesOfTheNextRow))],
        vectors: Some(Vectors {
            place: 45,
            description: "Sines of the next row.",
            effect: "The two entries of a pair no longer lie on the unit circle.",
            promised: rope,
            injection: Injection::Entries(EntryFault::SinesOfTheNextRow),
        }),
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
        vectors: Some(Vectors {
            place: 46,
            description: "Sines without their signs.",
            effect: "Half of the sines are mirrored.",
            promised: rope,
            injection: Injection::Entries(EntryFault::Unsigned),
        }),
        alternatives: &[],
    };
    PAIRS_EXCHANGED: Fault {
        name: "pairs-exchanged",
        code: Code::Local,
        cause: "two pairs are exchanged",
        advice: "compare the order of the frequencies",
        threads: &[],
        cases: &[FaultyProgram::new("pairs exchanged", Promised::Any, Injection::Frequencies(FrequencyFault::ExchangedPairs(1, 2)))],
        vectors: Some(Vectors {
            place: 47,
            description: "The frequencies of two pairs exchanged.",
            effect: "Two pairs are wrong, and all others right.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::ExchangedPairs(0, 1)),
        }),
        alternatives: &[],
    };
    FREQUENCIES_REORDERED: Fault {
        name: "frequencies-reordered",
        code: Code::FrequencySpacing,
        cause: "the frequencies are in another order: pairs have those of others",
        advice: "compare the order of the frequencies with that of the pairs: even ones before odd ones, or neighbours",
        threads: &[],
        cases: &[FaultyProgram::new(
            "frequencies reordered",
            Promised::Any,
            Injection::Frequencies(FrequencyFault::EvenFirst),
        )
        .also(&[Code::Local, Code::FrequencyIndex])],
        vectors: Some(Vectors {
            place: 85,
            description: "The frequencies of even pairs before those of odd ones.",
            effect: "All pairs but the first and the last have another one's frequency.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::EvenFirst),
        }),
        alternatives: &[],
    };
    PADDING_ROW: Fault {
        name: "padding-row",
        code: Code::NullRow,
        cause: "one row is that of padding, which a table may keep at 0",
        advice: "leave the row out of the comparison with --positions, or write it",
        threads: &[],
        cases: &[FaultyProgram::new("padding row", Promised::Sinusoid, Injection::Entries(EntryFault::ZeroRow(1)))],
        vectors: Some(Vectors {
            place: 48,
            description: "A row of padding, kept at 0.",
            effect: "One row is zero.",
            promised: sinusoid,
            injection: Injection::Entries(EntryFault::ZeroRow(1)),
        }),
        alternatives: &[],
    };
    INFINITE_FREQUENCIES: Fault {
        name: "infinite-frequencies",
        code: Code::NotFinite,
        cause: "these pairs are no numbers in every row, as their frequencies are none: a base of 0, or a power that overflows",
        advice: "compare the base that the program read",
        threads: &[],
        cases: &[FaultyProgram::new("base 0", Promised::Any, Injection::Frequencies(FrequencyFault::OfBaseZero))],
        vectors: Some(Vectors {
            place: 49,
            description: "A base of 0.",
            effect: "All pairs but the first are no numbers.",
            promised: rope,
            injection: Injection::Frequencies(FrequencyFault::OfBaseZero),
        }),
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
pub(super) fn times(convention: &Convention, by: f64) -> Option<Vec<f64>> {
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
