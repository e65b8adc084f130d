//! Conventions of one axis that one of several axes is, or that all of them are together.

use super::axis::AxisLaw;
use super::convention::{AxialConvention, Axis};
use super::coordinates::Coordinates;
use super::law::AxialLaw;
use super::parameters::AxisParameters;
use crate::convention::Convention;
use std::ops::Range;

/// Runs that an axis is taken apart into, at most.
const MOST_RUNS: usize = 4;

impl AxisLaw {
    /// Conventions of one axis whose pairs are this one's slots, in order, at the same coordinates, and which of the slots each has. Each is
    /// a run of the frequencies of D/2 pairs ([`Convention::frequency_dim`]): one where the indices are equally far apart, more where
    /// sections in turn end with pairs of one alone. None where the frequencies are stored or spaced linearly, the indices are of more
    /// runs than a few, and where the offset or the scale is a multiple of π.
    pub fn runs(&self) -> Option<Vec<(Range<usize>, Convention)>> {
        let (index, mut runs) = (self.index()?, Vec::new());
        let mut start = 0;
        while start < index.len() {
            let step = |at: usize| index.get(at + 1)?.checked_sub(*index.get(at)?);
            let first = step(start);
            let more = (start..).take_while(|&at| first.is_some() && step(at) == first).count();
            let slots = start..start + more + 1;
            runs.push((slots.clone(), self.with_indices(&index[slots.clone()])?));
            start = slots.end;
        }
        (runs.len() <= MOST_RUNS).then_some(runs)
    }

    /// A run of these of the frequencies that this axis has some of.
    fn with_indices(&self, index: &[usize]) -> Option<Convention> {
        let (whole, first) = (self.one_axis()?, *index.first()?);
        let step = index.get(1).map_or(Some(1), |second| second.checked_sub(first))?;
        let follow = step > 0 && index.iter().copied().eq((first..).step_by(step).take(index.len()));
        if !follow || self.offset().of_pi || self.scale().of_pi {
            return None;
        }
        let (dim, frequency_origin) = (2 * index.len(), whole.frequency_origin + u32::try_from(first).ok()?);
        let run = Convention {
            dim,
            frequency_origin,
            frequency_dim: (dim != whole.dim || frequency_origin > 1 || step > 1).then_some(whole.dim),
            frequency_step: u32::try_from(step).ok()?,
            position_offset: self.offset().value.clone(),
            position_scale: self.scale().value.clone(),
            order: self.order,
            ..whole
        };
        run.validate().is_ok().then_some(run)
    }
}

impl AxialLaw {
    /// The convention of one axis that has the same entries at these coordinates: where no axis is stated, or one; and where several are
    /// that have the same coordinates in every row, as the tokens of a text have, and whose frequencies are one run, whichever slots each
    /// of them has.
    pub fn of_one_axis_at(&self, coordinates: &Coordinates) -> Option<Convention> {
        let stated = self.convention();
        if let Some(convention) = stated.of_one_axis() {
            return Some(convention);
        }
        let [start, end] = self.span();
        let layout = stated.layout.plain()?;
        if start != 0 || self.heads() != 1 || !self.is_rotation() {
            return None;
        }
        // The index of each slot's frequency, which one axis has.
        let index = |slot: usize| match self.claims(slot) {
            [claim] => self.axes().get(claim.axis)?.index()?.get(claim.at).copied(),
            _ => None,
        };
        let index: Vec<usize> = (0..self.slots()).map(index).collect::<Option<_>>()?;
        let of = |(number, axis): (usize, &AxisLaw)| {
            let alike = coordinates.places(number) == coordinates.places(0)
                && coordinates.distinct(number) == coordinates.distinct(0);
            axis.with_indices(&index).filter(|_| alike)
        };
        let runs = self.axes().iter().enumerate().map(of).collect::<Option<Vec<_>>>()?;
        let first = runs.first().filter(|first| runs.iter().all(|run| run == *first))?;
        let convention = Convention {
            encoding: stated.encoding,
            dim: stated.dim,
            rotary_dim: (end != stated.dim).then_some(end),
            layout,
            frequency_dim: first
                .frequency_dim
                .filter(|dim| *dim != end || first.frequency_origin > 1 || first.frequency_step > 1),
            ..first.clone()
        };
        convention.validate().is_ok().then_some(convention)
    }
}

impl AxialConvention {
    /// This convention with some of its axes restated, as `after` differs from `before`: these are conventions of one axis that has the
    /// entries of these axes ([`AxisLaw::runs`], [`AxialLaw::of_one_axis_at`]). None where axes cannot say the difference.
    pub fn restated(&self, axes: &[usize], (before, after): (&Convention, &Convention)) -> Option<Self> {
        let shape = |of: &Convention| (of.encoding, of.dim, of.rotary_dim, of.frequency_dim, of.frequency_step);
        let all = axes.len() == self.axes.len().max(1);
        if shape(before) != shape(after) || (before.layout != after.layout && !all) {
            return None;
        }
        let mut restated = self.clone();
        if before.layout != after.layout {
            restated.layout = after.layout.into();
        }
        let moved = i64::from(after.frequency_origin) - i64::from(before.frequency_origin);
        if moved != 0 {
            let stated = |axis: Option<&Axis>| {
                let own = axis.and_then(|axis| axis.parameters.frequency_origin);
                i64::from(own.or(self.parameters.frequency_origin).unwrap_or(0))
            };
            let origin = u32::try_from(stated(axes.first().and_then(|&axis| self.axes.get(axis))) + moved).ok()?;
            restated.state(axes, |parameters| parameters.frequency_origin = Some(origin));
        }
        let after = Self::from(after).parameters;
        let before = Self::from(before).parameters;
        macro_rules! state {
            ($($field:ident),*) => {$(
                if before.$field != after.$field {
                    restated.state(axes, |parameters| parameters.$field.clone_from(&after.$field));
                }
            )*};
        }
        state!(base, frequency_spacing, position_offset, position_scale, order, direction, amplitude);
        if before.scaling != after.scaling {
            // What the whole convention has, an axis cannot take back: the others say it for themselves.
            let whole = restated.parameters.scaling.take();
            for axis in &mut restated.axes {
                axis.parameters.scaling = axis.parameters.scaling.take().or_else(|| whole.clone());
            }
            restated.state(axes, |parameters| parameters.scaling.clone_from(&after.scaling));
        }
        Some(restated)
    }

    /// Alters the parameters of some axes.
    fn state(&mut self, axes: &[usize], alter: impl Fn(&mut AxisParameters)) {
        if self.axes.is_empty() {
            alter(&mut self.parameters);
        }
        for &axis in axes {
            if let Some(axis) = self.axes.get_mut(axis) {
                alter(&mut axis.parameters);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn law(axes: Value) -> AxialLaw {
        let convention = json!({ "encoding": "rope", "dim": 64, "base": 10000, "layout": "halves", "axes": axes });
        let convention: AxialConvention = serde_json::from_value(convention).expect("a convention");
        convention.law(|_| Err("none is stored".into())).expect("a law")
    }

    fn sections() -> AxialLaw {
        law(json!([
            { "name": "t", "pairs": "0..8", "index": "pairs" }, { "name": "h", "pairs": "8..20", "index": "pairs" },
            { "name": "w", "pairs": "20..32", "index": "pairs" }]))
    }

    #[test]
    fn a_section_is_a_run_of_the_frequencies() {
        let law = sections();
        let whole = Convention::rope(64).frequencies(100).expect("frequencies");
        for axis in law.axes() {
            let runs = axis.runs().expect("runs");
            let omega = runs[0].1.frequencies(100).expect("frequencies");
            assert_eq!(runs.len(), 1);
            assert_eq!(omega.len(), axis.slots().len());
            for (omega, &slot) in omega.iter().zip(axis.slots()) {
                assert!((omega.approximate() - whole[slot].approximate()).abs() <= 1e-15 * whole[slot].approximate());
            }
        }
    }

    /// Sections of 24, 20 and 20 pairs in turn: the first ends with four pairs of its own, in steps of one.
    #[test]
    fn sections_in_turn_are_runs_of_steps() {
        let scaling = json!({ "rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096 });
        for scaling in [Value::Null, scaling] {
            let mut convention = json!({ "encoding": "rope", "dim": 128, "layout": "halves", "axes": [
                { "name": "t", "pairs": ["0..60:3", "60..64"], "index": "pairs" }, { "name": "h", "pairs": "1..60:3", "index": "pairs" },
                { "name": "w", "pairs": "2..60:3", "index": "pairs" }] });
            let one = match scaling {
                Value::Null => Convention::rope(128),
                scaling => {
                    convention["scaling"] = scaling.clone();
                    Convention { scaling: serde_json::from_value(scaling).expect("a rule"), ..Convention::rope(128) }
                }
            };
            let convention: AxialConvention = serde_json::from_value(convention).expect("a convention");
            let law = convention.law(|_| Err("none is stored".into())).expect("a law");
            let whole = one.frequencies(100).expect("frequencies");
            let mut seen = 0;
            for (number, axis) in law.axes().iter().enumerate() {
                let runs = axis.runs().expect("runs");
                assert_eq!(runs.len(), if number == 0 { 2 } else { 1 });
                for (slots, run) in runs {
                    let omega = run.frequencies(100).expect("frequencies");
                    assert_eq!(omega.len(), slots.len());
                    for (omega, &slot) in omega.iter().zip(&axis.slots()[slots]) {
                        assert!((omega.approximate() / whole[slot].approximate() - 1.0).abs() <= 1e-15, "{slot}");
                        seen += 1;
                    }
                    let again: Convention =
                        serde_json::from_str(&serde_json::to_string(&run).expect("JSON")).expect("JSON");
                    assert_eq!(again, run);
                }
            }
            assert_eq!(seen, 64);
        }
    }

    #[test]
    fn tokens_of_text_have_one_axis() {
        let text: Coordinates = "3 3 3\n4 4 4\n9 9 9".parse().expect("coordinates");
        let expected =
            Convention { order: Default::default(), layout: crate::convention::Layout::Halves, ..Convention::rope(64) };
        assert_eq!(sections().of_one_axis_at(&text), Some(expected));
        // Axes that have their slots in turn have all of them together.
        let turns = law(json!([
            { "name": "t", "pairs": "0..32:3", "index": "pairs" }, { "name": "h", "pairs": "1..32:3", "index": "pairs" },
            { "name": "w", "pairs": "2..32:3", "index": "pairs" }]));
        assert_eq!(turns.of_one_axis_at(&text), sections().of_one_axis_at(&text));
        let image: Coordinates = "3 3 3\n3 3 4\n3 4 3".parse().expect("coordinates");
        assert_eq!(sections().of_one_axis_at(&image), None);
        // Frequencies that begin anew in each axis are no run.
        let anew = law(json!([{ "name": "h", "pairs": "0..16" }, { "name": "w", "pairs": "16..32" }]));
        let equal: Coordinates = "1 1\n2 2".parse().expect("coordinates");
        assert_eq!(anew.of_one_axis_at(&equal), None);
    }

    /// A scaling rule has a factor for each pair of the dimension: a run has those of its own pairs.
    #[test]
    fn a_run_is_scaled_as_its_pairs_are() {
        let scaling = json!({ "rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096 });
        let convention = json!({ "encoding": "rope", "dim": 64, "layout": "halves", "scaling": scaling,
            "axes": [{ "name": "h", "pairs": "0..20", "index": "pairs" }, { "name": "w", "pairs": "20..32", "index": "pairs" }] });
        let convention: AxialConvention = serde_json::from_value(convention).expect("a convention");
        let law = convention.law(|_| Err("none is stored".into())).expect("a law");
        let one = Convention { scaling: convention.parameters.scaling.clone(), ..Convention::rope(64) };
        let whole = one.frequencies(100).expect("frequencies");
        let runs: Vec<f64> = law
            .axes()
            .iter()
            .flat_map(|axis| axis.runs().expect("runs"))
            .flat_map(|(_, run)| run.frequencies(100).expect("frequencies"))
            .map(|omega| omega.approximate())
            .collect();
        assert_eq!(runs, whole.iter().map(|omega| omega.approximate()).collect::<Vec<_>>());
    }
}
