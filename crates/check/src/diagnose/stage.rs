//! Changes of the stages of a program.

use super::super::faults::CacheRead;
use posproof_numerics::format::Format;
use std::f64::consts::{PI, TAU};

/// Which results on the way to an angle are rounded to a narrow format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Narrow {
    pub format: Format,
    pub position: bool,
    pub frequency: bool,
    pub angle: bool,
    /// Cosines and sines, before vectors are rotated with them.
    pub entry: bool,
}

/// Changes of some of the cosines and sines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tweak {
    /// They are multiplied by a number.
    Times(f64),
    /// They are magnitudes.
    Unsigned,
    /// They are exchanged in rows whose positions have this parity, so that both are sines in the others.
    Parity(u64),
    /// They are read at other places of a cache; its frequencies are those that are read.
    Read(CacheRead),
    /// Sines of pairs at rest are 1.
    Ones,
    /// They are exchanged.
    Exchanged,
    /// Either of them may be zero. What it is multiplied by and the product are rounded to this unit.
    Dropped(f64),
}

/// Ways to reduce angles to a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turns {
    /// Without an error.
    Exact,
    /// With 2π of binary32.
    Single,
    /// To one of so many parts of a turn: the nearest, or the next one down.
    Parts { parts: u32, down: bool },
    /// By multiples of a part of a turn, which is taken for another number: the nearest multiple, or the next one down.
    By { part: f64, taken: f64, down: bool },
    /// Not at all: cosines and sines are on the lines between those of so many parts of a turn.
    Between { parts: u32 },
}

impl Turns {
    /// An angle, which an error decides next to a tie; the bound of the program's path may be wider than a part.
    pub fn reduce(self, angle: f64, error: f64) -> f64 {
        match self {
            Self::Exact | Self::Between { .. } => angle,
            Self::Single => {
                let angle = angle as f32;
                let turns = (angle / std::f32::consts::TAU).round();
                f64::from(angle - turns * std::f32::consts::TAU)
            }
            Self::By { part, taken, down } => {
                let at = angle / taken + (error / taken).clamp(-0.25, 0.25);
                angle + (part - taken) * if down { at.floor() } else { at.round() }
            }
            Self::Parts { parts, down } => {
                let step = TAU / f64::from(parts);
                let at = angle / step + (error / step).clamp(-0.25, 0.25);
                step * if down { at.floor() } else { at.round() }
            }
        }
    }

    /// Cosines and sines of angles θ, as they are told. On the line between e^i(m − h) and e^i(m + h), at θ = m + u·h, stands
    /// e^im·(cos h + i·u·sin h).
    pub fn tell(self, angles: &[f64], cosines: &mut [f64], sines: &mut [f64]) {
        let Self::Between { parts } = self else { return };
        let half = PI / f64::from(parts);
        let (sin_h, cos_h) = half.sin_cos();
        for ((angle, cos), sin) in angles.iter().zip(cosines).zip(sines) {
            let at = angle / (2.0 * half);
            let u = 2.0 * (at - at.floor()) - 1.0;
            let (s, c) = (u * half).sin_cos();
            let (re, im) = (c * cos_h + u * s * sin_h, u * c * sin_h - s * cos_h);
            (*cos, *sin) = (*cos * re - *sin * im, *sin * re + *cos * im);
        }
    }
}
