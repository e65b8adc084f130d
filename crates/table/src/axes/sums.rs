//! Slots that several axes claim: e^(iΣθ) is the product of the numbers e^(iθ) of the axes, one for each coordinate that occurs.
//!
//! The factors are sums of two binary64 numbers, the first times the amplitude X. Their parts are off by at most 2^−104, times X in the
//! first. With the error of a product ([`PRODUCT_ERROR`]), the parts of a product of k factors are off by at most e_k·X, e_1 = 2^−104 and
//! e_(k+1) ≤ 1.01·(√2·(e_k + 2^−104) + 2^−102). So e_k ≤ 2^(2k − 104). An entry whose rounding that leaves open is enclosed.

use super::parts::{Indexed, Part};
use crate::double::{Pairs, double_word, product};
use crate::isa::Portable;
use crate::{Element, InvalidTable};
use posproof_encoding::axes::{AxialLaw, Claim, Coordinates};
use posproof_encoding::convention::Component;
use posproof_numerics::rounding::{nearest, round_double};
use posproof_numerics::{Interval, Rational};
use rayon::prelude::*;

/// Bits of the enclosures of factors.
const BITS: u32 = 128;

/// Axes that claim a slot, at most, and the exponents of amplitudes: errors stay far above what underflows.
const MOST_CLAIMS: usize = 8;
const AMPLITUDES: [f64; 2] = [1.0 / (1u64 << 60) as f64, (1u64 << 60) as f64];

/// Rows that a thread takes at a time.
const BLOCK: usize = 64;

/// The factor of an axis in a slot: its cosines and sines with their low parts, one for each coordinate.
struct Factor {
    axis: usize,
    values: Vec<[f64; 4]>,
}

impl Factor {
    /// X·e^(iθ) where `first`, and e^(iθ) otherwise; none where an angle is too large to be enclosed.
    fn new(
        (law, head, slot): (&AxialLaw, usize, usize),
        (number, &Claim { axis, at }): (usize, &Claim),
        coordinates: &Coordinates,
    ) -> Option<Self> {
        let of = &law.axes()[axis];
        let value = |x: &Rational| {
            let rough = of.angle(head, at, x, 16)?;
            let magnitude = rough.upper().exponent().max(rough.lower().exponent()).unwrap_or(0).max(0);
            let bits = BITS + u32::try_from(magnitude).ok()?;
            let (cos, sin) = of.angle(head, at, x, bits)?.cos_sin();
            let gain = if number == 0 { law.gain(slot).enclose(BITS) } else { Interval::from(1).at(BITS) };
            let [(c, c_low), (s, s_low)] = [cos, sin].map(|part| double_word(&(gain.clone() * part).midpoint(), BITS));
            Some([c, s, c_low, s_low])
        };
        let values = coordinates.distinct(axis).iter().map(value).collect::<Option<Vec<_>>>()?;
        Some(Self { axis, values })
    }
}

/// The entries of slots that several axes claim, row by row.
pub fn part<T: Element>(
    (law, head): (&AxialLaw, usize),
    slots: Vec<usize>,
    coordinates: &Coordinates,
) -> Result<Part<T>, InvalidTable> {
    let factors = |&slot: &usize| {
        let (claims, gain) = (law.claims(slot), law.gain(slot).enclose(64).abs().upper_f64());
        let within = claims.len() <= MOST_CLAIMS && (AMPLITUDES[0]..=AMPLITUDES[1]).contains(&gain);
        let factor = |claim: (usize, &Claim)| Factor::new((law, head, slot), claim, coordinates);
        let factors = claims.iter().enumerate().map(factor).collect::<Option<Vec<Factor>>>().filter(|_| within);
        factors.map(|factors| (0.25f64.powi(52 - claims.len() as i32) * gain, factors))
    };
    let factors: Vec<Option<(f64, Vec<Factor>)>> = slots.par_iter().map(factors).collect();
    let count = slots.len();
    let starts: Vec<usize> = (0..coordinates.rows()).step_by(BLOCK).collect();
    let block = |start: &usize| {
        let end = (start + BLOCK).min(coordinates.rows());
        let mut entries = [vec![T::default(); (end - start) * count], vec![T::default(); (end - start) * count]];
        for (row, at) in (*start..end).zip((0..).step_by(count)) {
            let Some(position) = coordinates.row(row) else { continue };
            for (eight, group) in factors.chunks(8).enumerate() {
                let product = product_of(group, |axis| coordinates.place(row, axis));
                for (lane, factors) in group.iter().enumerate() {
                    let (at, slot) = (at + eight * 8 + lane, slots[eight * 8 + lane]);
                    let parts =
                        [(Component::Cos, product.c, product.c_low), (Component::Sin, product.s, product.s_low)];
                    for ((component, high, low), entries) in parts.into_iter().zip(&mut entries) {
                        let error = factors.as_ref().map(|(error, _)| *error);
                        let rounded = error.and_then(|error| round_double(T::FORMAT, high[lane], low[lane], error));
                        let enclose = |bits| law.enclose(head, slot, &position, component, bits);
                        let entry = rounded.or_else(|| nearest(T::FORMAT, enclose));
                        entries[at] = T::from_exact(entry.ok_or(InvalidTable::UndecidedSlot { row, slot })?);
                    }
                }
            }
        }
        Ok::<_, InvalidTable>(entries)
    };
    let blocks: Vec<[Vec<T>; 2]> = starts.par_iter().map(block).collect::<Result<_, _>>()?;
    let (mut cos, mut sin) = (Vec::new(), Vec::new());
    for [cosines, sines] in blocks {
        cos.extend(cosines);
        sin.extend(sines);
    }
    Ok(Part::new(slots, Indexed::Row, cos, sin))
}

/// The products of up to eight slots at the places of a row's coordinates.
fn product_of(slots: &[Option<(f64, Vec<Factor>)>], place: impl Fn(usize) -> Option<usize>) -> Pairs {
    let count = slots.iter().flatten().map(|(_, factors)| factors.len()).max().unwrap_or(0);
    // A slot with fewer factors is multiplied by 1.
    let factor = |number: usize| {
        let mut out = Pairs { c: [1.0; 8], ..Pairs::default() };
        for (lane, slot) in slots.iter().enumerate() {
            let factor = slot.as_ref().and_then(|(_, factors)| factors.get(number));
            if let Some(&[c, s, c_low, s_low]) = factor.and_then(|factor| factor.values.get(place(factor.axis)?)) {
                (out.c[lane], out.s[lane], out.c_low[lane], out.s_low[lane]) = (c, s, c_low, s_low);
            }
        }
        out
    };
    (1..count).fold(factor(0), |so_far, number| product(Portable, &so_far, &factor(number)))
}
