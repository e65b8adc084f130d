//! A kind of layers, in figures and in words.

use super::compare::{described, rounded};
use super::effect::{Exactness, lengths, same};
use posproof_bound::{Model as Bounded, Path, Program};
use posproof_encoding::convention::{Component, Convention, Layout};
use posproof_encoding::model::{LayerKind, Rotation, SoftmaxScale};
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;
use std::f64::consts::TAU;

/// Positions that the inverse question looks at: binary32 has all of these, and no context is longer.
const FARTHEST: u64 = 1 << 24;

/// More pairs than any head has are not all asked about.
const MAX_PAIRS: usize = 1 << 10;

/// The accuracy of sine and cosine that is assumed of libraries, in units in the last place.
const KAPPA: f64 = 1.0;

/// Meaning of the rotation of a kind of layers for sequences of one range of lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// The length of sequences that it holds for, where the rule depends on it.
    pub length: Option<u64>,
    /// The convention, with that length.
    pub convention: Convention,
    /// The shortest and the longest wavelength among the pairs that turn, in positions.
    pub wavelengths: Option<(f64, f64)>,
    /// Number of pairs that turn.
    pub turning: usize,
    /// Number of pairs that the scaling rule leaves alone, slows down by less than all others, and slows down most; `None` without
    /// a rule that treats pairs differently.
    pub bands: Option<[usize; 3]>,
    /// Factor of cosines and sines.
    pub gain: f64,
    /// Number of positions, from 0 on, that have every entry within the stated error, program by program.
    pub reach: Vec<Reach>,
}

/// The answer to the inverse question for one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The format that angles, sines and cosines are computed in.
    pub compute: Format,
    /// The format of the table.
    pub storage: Format,
    /// The error.
    pub error: f64,
    /// Number of positions from 0 on; `None` where no bound is defined for the convention.
    pub positions: Option<u64>,
    /// The bound that says so.
    pub origin: String,
}

/// The programs that are asked about: everything in f32; f32 stored in bf16; everything in bf16.
const PROGRAMS: [(Format, Format); 3] =
    [(Format::F32, Format::F32), (Format::F32, Format::Bf16), (Format::Bf16, Format::Bf16)];

impl Meaning {
    /// Meanings of a rotation, one for each length that its rule tells apart.
    pub(crate) fn of(rotation: &Rotation, error: f64) -> Vec<Self> {
        let convention = &rotation.convention;
        let lengths = lengths(convention);
        let depends = convention.clone().for_length(1) != *convention;
        let one = |length: u64| Self::at(convention.clone().for_length(length), depends.then_some(length), error);
        lengths.into_iter().take(if depends { 2 } else { 1 }).map(one).collect()
    }

    fn at(convention: Convention, length: Option<u64>, error: f64) -> Self {
        let omega = super::effect::frequencies(&convention).unwrap_or_default();
        let turning = omega.iter().filter(|omega| **omega > 0.0);
        let (fastest, slowest) = turning.clone().fold((0.0f64, f64::INFINITY), |(a, b), w| (a.max(*w), b.min(*w)));
        let wavelengths = (fastest > 0.0).then(|| (TAU / fastest, TAU / slowest));
        let (turning, gain) = (turning.count(), convention.gain().enclose(64).approximate());
        let bands = bands(&convention, &omega);
        let reach = PROGRAMS.map(|(compute, storage)| Reach::of(&convention, compute, storage, error)).to_vec();
        Self { length, convention, wavelengths, turning, bands, gain, reach }
    }

    /// The meaning in sentences.
    pub fn sentences(&self, sections: &[u64]) -> Vec<String> {
        let convention = &self.convention;
        let (dim, rotary) = (convention.dim, convention.rotated_dim());
        let part = if rotary == dim { format!("All {dim} entries") } else { format!("{rotary} of the {dim} entries") };
        let pairing = match convention.layout {
            Layout::Interleaved => "neighbours 2k and 2k + 1".to_owned(),
            Layout::Halves => format!("entries k and k + {}", rotary / 2),
            Layout::InterleavedToHalves => {
                format!("neighbours 2k and 2k + 1, which it leaves at k and k + {}", rotary / 2)
            }
        };
        let mut sentences =
            vec![format!("{part} of a head are rotated, in pairs of {pairing}; base {}.", convention.base)];
        if self.turning < convention.pairs() {
            sentences.push(format!("{} of {} pairs turn.", self.turning, convention.pairs()));
        }
        if let Some((shortest, longest)) = self.wavelengths {
            sentences.push(format!("Wavelengths are from {} to {} positions.", rounded(shortest), rounded(longest)));
        }
        if let Some(rule) = &convention.scaling {
            sentences.push(self.scaling(rule));
        }
        if self.gain != 1.0 {
            sentences.push(format!("Cosines and sines are multiplied by {:.6}.", self.gain));
        }
        if !sections.is_empty() {
            let list: Vec<String> = sections.iter().map(u64::to_string).collect();
            sentences.push(format!(
                "Pairs belong to {} axes ({}); this holds where positions are equal on all of them.",
                sections.len(),
                list.join(", ")
            ));
        }
        sentences.extend(self.reach.iter().map(Reach::sentence));
        sentences
    }

    fn scaling(&self, rule: &Scaling) -> String {
        let name = described(Some(rule));
        let length = match self.length {
            Some(length) => format!(" (for sequences of {length})"),
            None => String::new(),
        };
        let plain = Convention { scaling: None, ..self.convention.clone() };
        if self.gain == 1.0 && same(&plain, &self.convention, Exactness::Exact) == Some(true) {
            return format!("{name} changes nothing{length}: every frequency is as without it.");
        }
        match self.bands {
            Some([kept, between, slowed]) => {
                format!(
                    "{name} is in effect{length}: {kept} pairs are as without it, {between} in between, {slowed} divided by the whole factor."
                )
            }
            None => format!("{name} is in effect{length}."),
        }
    }
}

impl Reach {
    fn of(convention: &Convention, compute: Format, storage: Format, error: f64) -> Self {
        let program = Program { storage, kappa: KAPPA, path: Path::Rounded, ..Program::rounded(compute) };
        let answer = Bounded::new(convention, &program).and_then(|model| {
            let turning = model.turning();
            let mut reached = FARTHEST.min(compute.max_finite() as u64);
            let mut origin = String::new();
            // Fast pairs go wrong first, so that those after them are asked about few positions only.
            for &pair in turning.iter().take(MAX_PAIRS) {
                let rate = model.rate(pair)?;
                for component in [Component::Sin, Component::Cos] {
                    let count = model.reach(&rate, component, error, reached)?;
                    if count < reached || origin.is_empty() {
                        origin = model.instance(&rate, component, 0..count.max(1))?.origin().to_string();
                    }
                    reached = count.min(reached);
                }
            }
            Ok((reached, origin))
        });
        let (positions, origin) = match answer {
            Ok((positions, origin)) => (Some(positions), origin),
            Err(impossible) => (None, impossible.to_string()),
        };
        Self { compute, storage, error, positions, origin }
    }

    fn sentence(&self) -> String {
        let Self { compute, storage, error, .. } = self;
        let program = match (compute, storage) {
            (one, other) if one == other => format!("Computed and stored in {one}"),
            (compute, storage) => format!("Computed in {compute} and stored in {storage}"),
        };
        match self.positions {
            None => format!("{program}: no bound ({}).", self.origin),
            Some(0) => format!("{program}, not even position 0 is guaranteed within {error} of the exact value."),
            Some(FARTHEST) => format!(
                "{program}, every entry is within {error} of the exact value up to position {} at least.",
                FARTHEST - 1
            ),
            Some(count) => {
                format!("{program}, every entry is within {error} of the exact value up to position {}.", count - 1)
            }
        }
    }
}

/// Number of pairs that a blending rule leaves alone, blends, and divides by the whole factor.
fn bands(convention: &Convention, omega: &[f64]) -> Option<[usize; 3]> {
    let (Some(Scaling::Yarn { factor, .. }) | Some(Scaling::Llama3 { factor, .. })) = &convention.scaling else {
        return None;
    };
    let plain = Convention { scaling: None, ..convention.clone() };
    let plain = super::effect::frequencies(&plain)?;
    let factor = factor.value().to_f64();
    // Enclosures are far narrower than any step of a ramp.
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b;
    let mut bands = [0; 3];
    for (scaled, plain) in omega.iter().zip(&plain) {
        let band = if near(*scaled, *plain) {
            0
        } else if near(*scaled, plain / factor) {
            2
        } else {
            1
        };
        bands[band] += 1;
    }
    Some(bands)
}

/// Treatment of a kind of layers' logits, where it is not the usual.
pub fn softmax(kind: &LayerKind) -> Option<String> {
    match &kind.softmax {
        SoftmaxScale::Usual => None,
        SoftmaxScale::Yarn { .. } => Some(format!("Logits are multiplied by {:.6} besides.", kind.softmax.factor(0))),
        SoftmaxScale::Temperature { .. } | SoftmaxScale::Product(_) => {
            Some(format!("Logits of the query at position p are multiplied by {} besides.", kind.softmax))
        }
    }
}
