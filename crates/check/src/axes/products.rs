//! Factors of cosines and sines, measured: by least squares over the entries of each axis.
//!
//! y₁ = c₁·x₁cos θ − s₁·x₂sin θ and y₂ = s₂·x₁sin θ + c₂·x₂cos θ: two factors for each result of a rotation, one for each component of a
//! cache.

use super::cells::Cell;
use super::comparison::Row;
use super::programs::{AlteredProgram, ComparedPrograms, PRODUCTS};
use super::symptoms::AxialSymptoms;
use crate::Invalid;
use crate::faults::{AxesCause, Cause, LOCAL, ZERO};
use crate::measure::{LeastSquares, candidates};
use crate::subject::Subject;
use posproof_encoding::convention::Component;

/// Rows that factors are measured in.
const ROWS: usize = 256;

/// The program whose products have other factors, the same ones on all axes that have others; none where no factor is off.
pub(super) fn explain(case: &AxialSymptoms<'_>) -> Result<Option<AlteredProgram>, Invalid> {
    let compared = ComparedPrograms::new(case)?;
    let Some(measured) = measured(&compared)? else { return Ok(None) };
    // A rounding of each entry leaves no more than this of a mean.
    let spread = (2.0 * case.storage.unit_roundoff().max(case.compute.0.format.unit_roundoff())).max(1e-9);
    let same = |a: f64, b: f64| (a - b).abs() <= 2.0 * spread * a.abs().max(1.0);
    let off: Vec<usize> = (0..measured.len())
        .filter(|&axis| measured[axis].as_flattened().iter().any(|factor| !same(*factor, 1.0)))
        .collect();
    let Some(&first) = off.first() else { return Ok(None) };
    let mut factors = PRODUCTS;
    for (result, factors) in factors.iter_mut().enumerate() {
        for (component, factor) in factors.iter_mut().enumerate() {
            let of = |axis: usize| measured[axis][result][component];
            if !off.iter().all(|&axis| same(of(first), of(axis))) {
                return Ok(None);
            }
            let mean = off.iter().map(|&axis| of(axis)).sum::<f64>() / off.len() as f64;
            let known = [1.0, 0.0, -1.0].into_iter().find(|known| same(*known, mean));
            let simple = || candidates(mean.abs(), mean.abs() * spread).into_iter().next();
            *factor = known.unwrap_or_else(|| simple().map_or(mean, |simple| simple.value().to_f64().copysign(mean)));
        }
    }
    let all = off.len() == case.law.axes().len();
    let program = match factors {
        [[0.0, 0.0], [0.0, 0.0]] if all => {
            let part = case.scope.slabs.len() < case.subject.judged().slabs();
            AlteredProgram::of_zeros(if part { &LOCAL } else { &ZERO }, off)
        }
        _ => AlteredProgram::of_products(cause(case, &off, factors), off, factors),
    };
    Ok(compared.explains(&program)?.then_some(program))
}

/// The factors of each axis; none where entries of an axis do not tell them, or are not finite.
fn measured(compared: &ComparedPrograms<'_>) -> Result<Option<Vec<[[f64; 2]; 2]>>, Invalid> {
    let case = compared.case;
    let law = case.law;
    let mut sums = vec![[LeastSquares::default(); 2]; law.axes().len()];
    let rotation = matches!(case.subject, Subject::Rotation { .. });
    let placed: Vec<usize> = case.scope.rows.clone().filter(|&row| case.coordinates.place(row, 0).is_some()).collect();
    let (mut x, mut got, mut stated) = (Vec::new(), Vec::new(), Row::of(law.slots()));
    for &row in placed.iter().step_by(placed.len().div_ceil(ROWS).max(1)) {
        compared.stated(case.slab(), row, &mut stated);
        if let Subject::Rotation { x: grid, .. } = case.subject {
            grid.read(case.slab(), row..row + 1, &mut x)?;
        }
        for ((_, grid), cells) in case.subject.grids().into_iter().zip(&compared.cells) {
            grid.read(case.slab(), row..row + 1, &mut got)?;
            for (&cell, &got) in cells.iter().zip(&got) {
                let Some(slot) = cell.slot() else { continue };
                let sine = if let Cell::Turned { sine, .. } = cell { sine } else { slot };
                let (cos, sin) = (stated.cos[slot], stated.sin[sine]);
                let (result, u, v) = match cell {
                    Cell::Part(_, Component::Cos) => (0, cos, 0.0),
                    Cell::Part(_, Component::Sin) => (0, 0.0, sin),
                    Cell::Turned { read: (a, b), second: false, .. } => (0, x[a] * cos, -x[b] * sin),
                    Cell::Turned { read: (a, b), second: true, .. } => (1, x[b] * cos, x[a] * sin),
                    Cell::Kept(_) => continue,
                };
                if !got.is_finite() {
                    return Ok(None);
                }
                law.claims(slot).iter().for_each(|claim| sums[claim.axis][result].add((u, v), got));
            }
        }
    }
    let of = |sums: &[LeastSquares; 2]| {
        let first = sums[0].factors(0.0)?;
        Some([first, if rotation { sums[1].factors(0.0)? } else { first }])
    };
    Ok(sums.iter().map(of).collect())
}

fn cause(case: &AxialSymptoms<'_>, off: &[usize], factors: [[f64; 2]; 2]) -> Cause {
    let [first, second] = factors;
    let all = off.len() == case.law.axes().len() && first == second;
    let component = match first {
        [by, 1.0] => Some((Component::Cos, by)),
        [1.0, by] => Some((Component::Sin, by)),
        _ => None,
    };
    match component {
        Some((component, by)) if all => Cause::OfComponent { component, by },
        _ => {
            let axes = off.iter().map(|&axis| case.law.axes()[axis].name().to_owned()).collect();
            AxesCause::Products { axes, factors }.into()
        }
    }
}
