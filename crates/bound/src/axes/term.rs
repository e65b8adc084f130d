//! The error of one axis's term of an angle.

use crate::frequency::FrequencyErrors;
use crate::libraries::Compute;
use crate::program::Path;
use crate::upward::{Upper, smallest, unit};
use posproof_encoding::axes::{AxialSpacing, AxisLaw, FrequencyLaw};
use posproof_numerics::Rational;
use posproof_numerics::format::Format;

/// The errors of an axis's terms.
pub(super) struct AxisTerm<'a> {
    axis: &'a AxisLaw,
    errors: FrequencyErrors,
    compute: Format,
    path: Option<Path>,
    scale: Upper,
    /// m of one axis.
    roundings: f64,
    /// True if coordinates and offset are whole numbers whose sums the format holds.
    whole: bool,
    /// True where the frequencies are the implementation's own.
    own: bool,
}

impl<'a> AxisTerm<'a> {
    /// Of an implementation's own frequencies.
    pub fn own(axis: &'a AxisLaw, distinct: &[Rational], compute: Compute) -> Self {
        let term = Self::new(axis, distinct, (compute, Some(Path::Rounded)));
        Self { errors: term.errors.with_own(), own: true, ..term }
    }

    pub fn new(axis: &'a AxisLaw, distinct: &[Rational], (with, path): (Compute, Option<Path>)) -> Self {
        let compute = with.format;
        let held = |x: &Rational| {
            let near = x.to_f64();
            compute.round(near) == near && Rational::from_f64(near).as_ref() == Some(x)
        };
        let (offset, scale) = (axis.offset(), axis.scale());
        let limit = 1.0 / compute.unit_roundoff();
        let added = |x: &Rational, offset: &Rational| {
            (x + offset).is_integer() && x.is_integer() && x.to_f64().abs() + offset.to_f64().abs() <= limit
        };
        let whole = offset.rational().is_some_and(|offset| distinct.iter().all(|x| added(x, offset)));
        let counts = distinct.iter().all(held);
        let cost = |holds: bool, roundings: f64| if holds { roundings } else { 0.0 };
        let roundings = 1.0
            + cost(!counts, 1.0)
            + cost(!whole && !offset.is_zero(), 2.0)
            + cost(!scale.is(1), 4.0)
            + cost(scale.of_pi || offset.of_pi, 1.0);
        let errors = match (axis.one_axis(), axis.frequency_law()) {
            (Some(convention), _) => FrequencyErrors::new(&convention, with, path),
            (None, FrequencyLaw::Indexed { origin, .. }) => FrequencyErrors::unscaled(*origin, with, path),
            (None, FrequencyLaw::Stored { .. }) => FrequencyErrors::unscaled(0, with, path),
        };
        let scale = Upper::of(scale.enclose(64).abs().upper_f64());
        Self { axis, errors, compute, path, scale, roundings, whole: whole && counts, own: false }
    }

    /// t.
    pub fn reach(&self, x: &Rational) -> f64 {
        let offset = self.axis.offset();
        let up = |x: f64| if x == 0.0 { 0.0 } else { x.abs().next_up() };
        match offset.rational() {
            Some(offset) if self.whole => up((x + offset).to_f64()),
            _ => {
                let offset = offset.enclose(64).abs().upper_f64();
                let sum = up(x.to_f64()) + offset;
                up(sum)
            }
        }
    }

    /// Growth of the term's error with t, in a slot that so many axes claim.
    pub fn slope(&self, head: usize, at: usize, claims: usize) -> f64 {
        let besides = self.roundings + (claims - 1) as f64;
        let magnitude = self.axis.frequency(head, at, 64).map_or(f64::INFINITY, |omega| omega.abs().upper_f64());
        let index = self.axis.index().and_then(|index| index.get(at)).copied().unwrap_or(0);
        let of_path = |roundings: f64| if self.own { 0.0 } else { roundings };
        let fixed = |roundings: f64| (Upper::of(of_path(roundings) + besides) * unit(self.compute)).expm1();
        let (above, relative, lost) = match self.axis.frequency_law() {
            FrequencyLaw::Stored { .. } => (magnitude, fixed(1.0), smallest(self.compute)),
            FrequencyLaw::Indexed { spacing: AxialSpacing::Linear([first, last]), .. } => {
                let (first, last) = (first.value(), last.value());
                let most = first.abs() + last.abs() + (last - first).abs();
                (most.to_f64().next_up(), fixed(5.0), smallest(self.compute))
            }
            FrequencyLaw::Indexed { scaling, origin, .. } => {
                // Every path gives 1 = base^0 exactly, and its products with whole numbers are exact.
                let first = index == 0 && *origin == 0 && self.errors.keeps_first() && scaling.is_none();
                if first && self.whole && besides == 1.0 && self.path != Some(Path::Recurrence) {
                    return 0.0;
                }
                (magnitude, self.errors.relative(index, magnitude, besides), self.errors.lost(index))
            }
        };
        (self.scale * (Upper::of(above) * relative + lost + lost * relative)).get()
    }
}
