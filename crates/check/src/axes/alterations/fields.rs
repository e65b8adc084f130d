//! Other parameters of axes: of all of them, or of one.

use super::super::changes::{Changes, stated};
use super::Alterations;
use crate::faults::*;
use crate::rates::BASES;
use posproof_encoding::axes::{
    AxialConvention, AxialSpacing, Axis, AxisParameters, Coefficient, FrequencyLaw, Index, Ranges,
};
use posproof_encoding::real::Real;
use posproof_numerics::Rational;

/// Other indices, from those of an axis and from its slots; none where they would be negative.
type Reindexed<'a> = dyn Fn(&[usize], &[usize]) -> Option<Vec<usize>> + 'a;

impl Alterations<'_> {
    /// Fields of some axes, all of them altered alike.
    pub(super) fn fields(&mut self, axes: &[usize]) {
        for base in BASES.into_iter().chain([100, 256, 2000]) {
            self.field(axes, (&OTHER_BASE, "base"), &|axis, _| axis.parameters.base = Some(base.into()));
        }
        self.field(axes, (&RECIPROCAL, "base"), &|axis, whole| {
            let base = axis.parameters.base.clone().or_else(|| whole.base.clone()).unwrap_or_else(|| 10_000.into());
            axis.parameters.base = Some(Real::from(base.value().clone().recip()));
        });
        self.field(axes, (&RULE_MISSING, "scaling"), &|axis, _| axis.parameters.scaling = None);
        let spaced = [AxialSpacing::Paper, AxialSpacing::Endpoints];
        for spacing in spaced {
            self.field(axes, (&AXIS_SPACING, "frequency_spacing"), &|axis, _| {
                axis.parameters.frequency_spacing = Some(spacing.clone());
            });
        }
        for origin in [0, 1] {
            self.field(axes, (&FREQUENCY_ORIGIN, "frequency_origin"), &|axis, _| {
                axis.parameters.frequency_origin = Some(origin)
            });
        }
        let add = |by: Rational| {
            move |axis: &mut Axis, whole: &AxisParameters| {
                let stated = axis.parameters.position_offset.clone().or_else(|| whole.position_offset.clone());
                let stated = stated.unwrap_or_else(|| 0.into());
                let value = Real::from(stated.value.value() + &by);
                axis.parameters.position_offset = (!stated.of_pi).then(|| Coefficient { value, ..stated });
            }
        };
        for (numerator, denominator) in [(1, 1), (-1, 1), (1, 2), (-1, 2), (2, 1), (-2, 1)] {
            self.field(axes, (&FIRST_POSITION, "position_offset"), &add(Rational::from((numerator, denominator))));
        }
        self.field(axes, (&FIRST_POSITION, "position_offset"), &|axis, _| {
            axis.parameters.position_offset = Some(0.into())
        });
        for (numerator, denominator) in [(2, 1), (1, 2), (4, 1), (1, 4)] {
            let by = Rational::from((numerator, denominator));
            self.field(axes, (&AXIS_SCALE, "position_scale"), &|axis, whole| {
                let stated = axis.parameters.position_scale.clone().or_else(|| whole.position_scale.clone());
                let stated = stated.unwrap_or_else(|| 1.into());
                axis.parameters.position_scale =
                    Some(Coefficient { value: Real::from(stated.value.value() * &by), ..stated });
            });
        }
        self.field(axes, (&AXIS_SCALE, "position_scale"), &|axis, _| axis.parameters.position_scale = Some(1.into()));
        self.field(axes, (&AXIS_SCALE, "position_scale"), &|axis, whole| {
            let stated = axis.parameters.position_scale.clone().or_else(|| whole.position_scale.clone());
            axis.parameters.position_scale = stated.map(|scale| Coefficient { of_pi: false, ..scale });
        });
        self.indices(axes);
    }

    /// Frequencies of other indices and dimensions.
    fn indices(&mut self, axes: &[usize]) {
        let [start, end] = self.law.span();
        let (width, dim) = (end - start, self.law.convention().dim);
        // The dimension and the indices of every one of these axes.
        let mut stated = Vec::new();
        for &axis in axes {
            match self.law.axes()[axis].frequency_law() {
                FrequencyLaw::Indexed { dim, index, .. } => stated.push((axis, *dim, index.clone())),
                FrequencyLaw::Stored { .. } => return,
            }
        }
        let with = |made: &Reindexed<'_>, dimension: &dyn Fn(usize) -> usize| {
            let mut altered = self.convention.clone();
            for (axis, dim, index) in &stated {
                let made = made(index, self.law.axes()[*axis].slots());
                let axis = &mut altered.axes[*axis];
                axis.index =
                    made.as_deref().and_then(Ranges::of).map_or(axis.index.clone(), |made| Some(Index::Ranges(made)));
                axis.frequency_dim = Some(dimension(*dim));
            }
            altered
        };
        let kept = |dim: usize| dim;
        let reversed = with(&|index, _| Some(index.iter().rev().copied().collect()), &kept);
        // The frequencies of all D/2 pairs reversed, of which a section has some.
        let mut mirrored = self.convention.clone();
        for (axis, dim, index) in &stated {
            let mirror = index.iter().map(|i| (dim / 2).checked_sub(i + 1)).collect::<Option<Vec<_>>>();
            let axis = &mut mirrored.axes[*axis];
            axis.frequency_dim = Some(*dim);
            axis.index =
                mirror.as_deref().and_then(Ranges::of).map_or(axis.index.clone(), |all| Some(Index::Ranges(all)));
        }
        let conventions = [
            with(&|index, _| Some((0..index.len()).collect()), &kept),
            with(&|_, slots| Some(slots.to_vec()), &kept),
            with(&|index, _| Some(index.iter().map(|i| i + 1).collect()), &kept),
            with(&|index, _| index.iter().map(|i| i.checked_sub(1)).collect(), &kept),
            with(&|index, _| Some(index.iter().map(|i| 2 * i).collect()), &kept),
            with(&|index, _| Some(index.iter().map(|i| 2 * i + 1).collect()), &kept),
            // With the dimension that goes with counting anew, or going on.
            altered_axes(&self.convention, axes, &|axis, _| (axis.index, axis.frequency_dim) = (None, None)),
            altered_axes(&self.convention, axes, &|axis, _| {
                (axis.index, axis.frequency_dim) = (Some(Index::Pairs), None);
            }),
        ];
        let own = stated.iter().flat_map(|(_, _, index)| [index.len(), 2 * index.len(), 4 * index.len()]);
        let dims = [dim, width, width / 2, 2 * width, dim / 2].into_iter().chain(own);
        let dimensions: Vec<AxialConvention> =
            dims.map(|dim| with(&|index, _| Some(index.to_vec()), &|_| dim)).collect();
        for convention in conventions {
            self.compared(axes, (&FREQUENCY_INDEX, "index"), convention);
        }
        self.compared(axes, (&FREQUENCIES_REVERSED, "index"), reversed);
        self.compared(axes, (&FREQUENCIES_REVERSED, "index"), mirrored);
        for convention in dimensions {
            self.compared(axes, (&FREQUENCY_DIM, "frequency_dim"), convention);
        }
    }

    /// Alters some axes, and takes note of it if that changes one of them.
    fn field(
        &mut self,
        axes: &[usize],
        fault: (&'static Fault, &'static str),
        alter: &dyn Fn(&mut Axis, &AxisParameters),
    ) {
        let convention = altered_axes(&self.convention, axes, alter);
        self.compared(axes, fault, convention);
    }

    fn compared(
        &mut self,
        axes: &[usize],
        (fault, field): (&'static Fault, &'static str),
        convention: AxialConvention,
    ) {
        let differences = |fields: &[&'static str]| {
            let mut changes = Changes::default();
            for field in fields {
                for &axis in axes {
                    let [before, after] =
                        [&self.convention, &convention].map(|whole| stated(whole, &whole.axes[axis], field));
                    changes.add(field, Some(&self.name(axis)), before, after);
                }
            }
            changes.cause()
        };
        // Counting anew may leave the index unstated, and change the dimension that goes with it.
        let cause = differences(&[field]).or_else(|| differences(&["index", "frequency_dim"]));
        let Some(cause) = cause else { return };
        self.push(fault, cause, convention);
    }
}

/// A convention with some of its axes altered.
fn altered_axes(
    convention: &AxialConvention,
    axes: &[usize],
    alter: &dyn Fn(&mut Axis, &AxisParameters),
) -> AxialConvention {
    let mut altered = convention.clone();
    let whole = convention.parameters.clone();
    axes.iter().for_each(|&axis| alter(&mut altered.axes[axis], &whole));
    altered
}
