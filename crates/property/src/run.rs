//! Functions of this program: asked, judged, and asked again with simpler inputs where they fail.

use super::catalogue::find;
use super::invalid::Invalid;
use super::probe::{Answer, Batch, Probe};
use super::report::Report;
use super::role::Role;
use super::setup::Setup;

/// A function in a role: everything that it is asked, to its entries in the order of the answer's shape.
type Function<'a> = Box<dyn FnMut(&Batch) -> Vec<f64> + 'a>;

/// Functions of somebody's code, by their roles.
#[derive(Default)]
pub struct Functions<'a>(Vec<(Role, Function<'a>)>);

/// Times that a failure is made simpler at most.
const STEPS: usize = 64;

impl<'a> Functions<'a> {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The roles of those that are given.
    pub fn roles(&self) -> Vec<Role> {
        self.0.iter().map(|(role, _)| *role).collect()
    }

    /// A function of a position: its row of `dim` entries.
    #[must_use]
    pub fn encode(mut self, mut encode: impl FnMut(u64) -> Vec<f64> + 'a) -> Self {
        let all = move |batch: &Batch| batch.positions.iter().flat_map(|&position| encode(position)).collect();
        self.0.push((Role::Encode, Box::new(all)));
        self
    }

    /// A rotation of a vector by a position.
    #[must_use]
    pub fn rotate(self, rotate: impl FnMut(&[f64], u64) -> Vec<f64> + 'a) -> Self {
        self.turn(Role::Rotate, rotate)
    }

    /// A rotation by complex numbers.
    #[must_use]
    pub fn rotate_complex(self, rotate: impl FnMut(&[f64], u64) -> Vec<f64> + 'a) -> Self {
        self.turn(Role::RotateComplex, rotate)
    }

    fn turn(mut self, role: Role, mut rotate: impl FnMut(&[f64], u64) -> Vec<f64> + 'a) -> Self {
        let all = move |batch: &Batch| {
            let rows = batch.arrays[0].entries.chunks(batch.answer[1]);
            rows.zip(&batch.positions).flat_map(|(row, &position)| rotate(row, position)).collect()
        };
        self.0.push((role, Box::new(all)));
        self
    }

    /// Attention of rows q, k and v, each with `dim` entries.
    #[must_use]
    pub fn attention(mut self, mut attention: impl FnMut([&[f64]; 3]) -> Vec<f64> + 'a) -> Self {
        let all = move |batch: &Batch| {
            let part = |array: usize, call: usize| {
                let size: usize = batch.arrays[array].shape[1..].iter().product();
                &batch.arrays[array].entries[call * size..(call + 1) * size]
            };
            (0..batch.answer[0]).flat_map(|call| attention([0, 1, 2].map(|array| part(array, call)))).collect()
        };
        self.0.push((Role::Attention, Box::new(all)));
        self
    }

    /// A layer of rows, each with `dim` entries.
    #[must_use]
    pub fn layer(mut self, mut layer: impl FnMut(&[f64]) -> Vec<f64> + 'a) -> Self {
        let all = move |batch: &Batch| {
            let size: usize = batch.answer[1..].iter().product();
            batch.arrays[0].entries.chunks(size).flat_map(&mut layer).collect()
        };
        self.0.push((Role::Layer, Box::new(all)));
        self
    }

    /// The answers to a probe, in the format that is stated.
    fn answers(&mut self, probe: &Probe) -> Vec<Answer> {
        let answered = |batch: Batch| {
            let (_, function) = self.0.iter_mut().find(|(role, _)| *role == batch.role)?;
            let entries = function(&batch);
            let whole = entries.len() == batch.answer.iter().product::<usize>();
            let shape = if whole { batch.answer.clone() } else { vec![entries.len()] };
            Some(Answer { role: batch.role, format: probe.setup().dtype, shape, entries })
        };
        probe.batches().into_iter().filter_map(answered).collect()
    }
}

/// Puts a claim to functions. Where it fails, the inputs are made simpler as long as it does.
///
/// # Errors
///
/// An unknown claim, functions that it does not ask, answers of another size, or that are no finite numbers.
pub fn check(claim: &str, setup: &Setup, mut functions: Functions<'_>) -> Result<Report, Invalid> {
    let mut probe = Probe::new(find(claim, &functions.roles())?, setup)?;
    let mut judgement = probe.judge(&functions.answers(&probe))?;
    let mut report = judgement.report.clone();
    for _ in 0..STEPS {
        let Some(simpler) = probe.shrunk(&judgement) else { break };
        let found = simpler.judge(&functions.answers(&simpler))?;
        if found.report.failing.is_none() {
            break;
        }
        report = report.with_simpler(&found.report);
        (probe, judgement) = (simpler, found);
    }
    Ok(report)
}
