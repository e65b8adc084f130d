//! A factor of its own for each pair: what was measured, as a convention that every entry may be compared with. It is no law.

use crate::measure::{Estimate, candidates};
use crate::rates::BASES;
use crate::sample::wrap;
use posproof_encoding::convention::{Convention, Spacing};
use posproof_encoding::real::Real;
use posproof_encoding::scaling::Scaling;
use std::f64::consts::PI;

/// Error that `pow` and `exp` leave of a frequency, relative to it: (L + 12)·2⁻²⁴ ([`crate::paths`]) for L = ln 2³¹. Factors
/// of each pair are told apart by it.
pub const SINGLE: f64 = 2e-6;

/// Part of the frequencies that entries allow, which a factor may leave, the most first: fewer digits where all of them are right.
/// A factor that the sampled rows allow may not be one of those between them: the middle is the farthest from that.
const WIDTHS: [f64; 4] = [1.0, 0.5, 0.25, 0.125];

/// Whole factors of pairs that turn by more than half a turn from row to row: no more are tried.
const WHOLE: u32 = 99;

/// The chance that one of these fits a phase that has nothing to do with it may be no more than this.
const CHANCE: f64 = 0.1;

/// Conventions with a factor for each pair, of the base in use with which the factors have the fewest digits. Of pairs
/// that turn by more than half a turn from row to row, `gap` positions, whole factors are tried.
pub fn factors(start: &Convention, measured: &[Estimate], gap: f64) -> Vec<Convention> {
    let mut all: Vec<Convention> = Vec::new();
    for width in WIDTHS {
        let of = |base: i64| {
            let factors = of_base(start, base, measured, (gap, width))?;
            let digits: usize = factors.iter().map(|(_, digits)| digits).sum();
            Some((digits, base, factors))
        };
        let Some((_, base, factors)) = BASES.into_iter().filter_map(of).min_by_key(|(digits, ..)| *digits) else {
            continue;
        };
        let factors: Vec<Real> = factors.into_iter().map(|(factor, _)| factor).collect();
        let scaling = Scaling::Longrope {
            short_factor: factors.clone(),
            long_factor: factors,
            original_max_position_embeddings: 4096,
            factor: None,
            attention_factor: None,
            sequence_length: None,
        };
        let found = Convention {
            base: base.into(),
            frequency_spacing: Spacing::Paper,
            scaling: Some(scaling),
            ..start.clone()
        };
        if !all.contains(&found) {
            all.push(found);
        }
    }
    all
}

/// The factor of each pair, and its digits.
fn of_base(
    start: &Convention,
    base: i64,
    measured: &[Estimate],
    (gap, width): (f64, f64),
) -> Option<Vec<(Real, usize)>> {
    let step = -2.0 / start.frequency_dim() as f64 * (base as f64).ln();
    let factor = |(k, found): (usize, &Estimate)| {
        let omega = (step * k as f64).exp();
        let factor = if omega * gap < PI { None } else { whole(omega, found, (gap, width)) };
        let factor = factor.or_else(|| near(omega, found, width))?;
        let digits = digits(&factor);
        Some((factor, digits))
    };
    measured.iter().enumerate().map(factor).collect()
}

/// The first whole factor with which a frequency is the measured one, modulo a turn from row to row.
fn whole(omega: f64, found: &Estimate, (gap, width): (f64, f64)) -> Option<Real> {
    let error = (width * found.error + SINGLE * omega) * gap;
    if f64::from(WHOLE) * error / PI > CHANCE {
        return None;
    }
    let fits = |factor: &u32| wrap((omega / f64::from(*factor) - found.value) * gap).abs() <= error;
    (1..=WHOLE).find(fits).map(|factor| i64::from(factor).into())
}

/// A factor of few digits with which a frequency is the measured one. A pair that hardly turns may have any that is large
/// enough: the least.
fn near(omega: f64, found: &Estimate, width: f64) -> Option<Real> {
    let error = width * found.error + SINGLE * found.value.abs();
    let least = omega / (found.value + error);
    if found.value + error <= 0.0 || !least.is_finite() {
        return None;
    }
    if found.value > error {
        let most = omega / (found.value - error);
        let all = candidates(0.5 * (least + most), 0.5 * (most - least));
        return all.into_iter().find(|factor| *factor.value() > 0);
    }
    if least <= 1.0 {
        return Some(1.into());
    }
    let unit = 10f64.powf(least.log10().floor());
    format!("{:.0}", (least / unit).ceil() * unit).parse().ok()
}

/// Digits of a number.
pub fn digits(x: &Real) -> usize {
    x.to_string().trim_matches(['0', '.', '-']).bytes().filter(u8::is_ascii_digit).count()
}

/// True if each pair has a factor of its own, which was measured.
pub fn is_measured(convention: &Convention) -> bool {
    matches!(convention.scaling, Some(Scaling::Longrope { .. }))
}
