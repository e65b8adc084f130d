//! A program that computes an encoding, step by step, in any arithmetic: each step can be made wrong.

use posproof_encoding::Law;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;

/// The arithmetic that programs run in: binary64 here; tests bring MPFR.
pub trait Arithmetic: Clone + 'static {
    /// The frequencies of a convention.
    fn frequencies(convention: &Convention) -> Vec<Self>;
    /// Its amplitude, attention factor included.
    fn gain(convention: &Convention) -> Self;
    /// A binary64 number.
    fn of(x: f64) -> Self;
    /// The number nearest to it in binary64.
    fn to_f64(&self) -> f64;
    /// Rounded to a format.
    fn round(&self, format: Format) -> Self;
    /// self + other.
    fn plus(&self, other: &Self) -> Self;
    /// self·other.
    fn times(&self, other: &Self) -> Self;
    /// 1/self.
    fn inverse(&self) -> Self;
    /// Sine and cosine.
    fn sin_cos(&self) -> (Self, Self);
}

impl Arithmetic for f64 {
    fn frequencies(convention: &Convention) -> Vec<Self> {
        crate::rates::omega(convention).unwrap_or_default()
    }
    fn gain(convention: &Convention) -> Self {
        convention.gain().enclose(64).approximate()
    }
    fn of(x: f64) -> Self {
        x
    }
    fn to_f64(&self) -> f64 {
        *self
    }
    fn round(&self, format: Format) -> Self {
        format.round(*self)
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn inverse(&self) -> Self {
        1.0 / self
    }
    fn sin_cos(&self) -> (Self, Self) {
        f64::sin_cos(*self)
    }
}

/// The frequency of a pair; 0, which is at rest, for pairs that there are not.
pub(super) fn pick<N: Arithmetic>(omega: &[N], k: usize) -> N {
    omega.get(k).cloned().unwrap_or_else(|| N::of(0.0))
}

/// A cosine and a sine for each row and pair.
#[derive(Clone, Debug, PartialEq)]
pub struct CosinesAndSines<N> {
    /// Pairs of a row.
    pub width: usize,
    /// (cosine, sine), row after row.
    pub entries: Vec<(N, N)>,
}

/// The angle of an effective position and a frequency.
type AngleOf<'a, N> = Box<dyn Fn(f64, &N) -> N + 'a>;

/// Cosine and sine of an angle, times the amplitude, at a position and for a pair.
pub(super) type EntryOf<'a, N> = Box<dyn Fn(&N, u64, usize) -> (N, N) + 'a>;

/// A program at a position p and for a pair k: entry(angle(position(p), frequency(k))).
pub struct EncodingProgram<'a, N> {
    /// The frequency of a pair.
    pub frequency: Box<dyn Fn(usize) -> N + 'a>,
    /// The effective position of a position.
    pub position: Box<dyn Fn(u64) -> f64 + 'a>,
    /// The angle of an effective position and a frequency.
    pub angle: AngleOf<'a, N>,
    /// Cosine and sine of an angle, times the amplitude; the position and the pair, for programs that look at them.
    pub entry: EntryOf<'a, N>,
}

impl<N: Arithmetic> EncodingProgram<'_, N> {
    /// The right one, with the roundings of the arithmetic only.
    pub fn exact(convention: &Convention) -> Self {
        let (omega, gain) = (N::frequencies(convention), N::gain(convention));
        let law = Law::new(convention);
        Self {
            frequency: Box::new(move |k| pick(&omega, k)),
            position: Box::new(move |p| law.sense() * law.effective(p as f64)),
            angle: Box::new(|t, omega| omega.times(&N::of(t))),
            entry: Box::new(move |angle, _, _| {
                let (sin, cos) = angle.sin_cos();
                (gain.times(&cos), gain.times(&sin))
            }),
        }
    }

    /// The right one, with frequencies and angles rounded to binary32.
    pub fn single(convention: &Convention) -> Self {
        let omega = N::frequencies(convention);
        Self {
            frequency: Box::new(move |k| pick(&omega, k).round(Format::F32)),
            angle: Box::new(|t, omega| omega.times(&N::of(t)).round(Format::F32)),
            ..Self::exact(convention)
        }
    }

    /// Its cosines and sines.
    pub fn run(&self, width: usize, positions: &[u64]) -> CosinesAndSines<N> {
        let omega: Vec<N> = (0..width).map(&self.frequency).collect();
        let entries = positions.iter().flat_map(|&p| {
            let t = (self.position)(p);
            omega.iter().enumerate().map(move |(k, omega)| (self.entry)(&(self.angle)(t, omega), p, k))
        });
        CosinesAndSines { width, entries: entries.collect() }
    }
}
