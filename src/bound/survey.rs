//! Configurations that people run, and the exhaustive comparison of programs with their bounds.

use super::entry::Model;
use super::origin::Bound;
use super::program::{Impossible, Path, Program};
use super::study::decades;
use super::worst::Extreme;
use crate::encoding::convention::{Component, Convention};
use crate::encoding::scaling::Scaling;
use crate::number::format::Format;
use rayon::prelude::*;
use std::ops::Range;

/// A configuration of a model.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Its name in reports: lower case, hyphens.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The convention, in exact real arithmetic.
    pub convention: Convention,
}

/// The configurations of the reports.
pub fn configurations() -> Vec<Configuration> {
    let rope = |base: i64| Convention { base: base.into(), ..Convention::rope(128) };
    let scaled = |base: i64, scaling: Scaling| Convention { scaling: Some(scaling), ..rope(base) };
    let llama3 = Scaling::Llama3 {
        factor: 8.into(),
        low_freq_factor: 1.into(),
        high_freq_factor: 4.into(),
        original_max_position_embeddings: 8192,
    };
    let yarn = Scaling::Yarn {
        factor: 4.into(),
        original_max_position_embeddings: 32768,
        beta_fast: 32.into(),
        beta_slow: 1.into(),
        truncate: true,
        attention_factor: None,
        mscale: None,
        mscale_all_dim: None,
    };
    let neox = Convention { rotary_dim: Some(24), ..Convention::rope(96) };
    let entry = |name, about, convention| Configuration { name, about, convention };
    vec![
        entry("transformer", "the original Transformer: dim 512, base 10000", Convention::sinusoid(512)),
        entry("llama-2", "Llama 2: dim 128, base 10000", rope(10000)),
        entry("llama-3", "Llama 3: dim 128, base 500000", rope(500_000)),
        entry(
            "llama-3-scaled",
            "Llama 3.1: dim 128, base 500000, llama3 scaling by 8 from 8192",
            scaled(500_000, llama3),
        ),
        entry("qwen-1m", "Qwen 1M: dim 128, base 10000000", rope(10_000_000)),
        entry("gpt-neox", "GPT-NeoX: 24 of 96 dimensions rotated, base 10000", neox),
        entry(
            "linear",
            "dim 128, base 10000, positions divided by 8",
            scaled(10000, Scaling::Linear { factor: 8.into() }),
        ),
        entry("ntk", "dim 128, base 10000·8^(128/126)", scaled(10000, Scaling::Ntk { factor: 8.into() })),
        entry("yarn", "dim 128, base 1000000, YaRN by 4 from 32768", scaled(1_000_000, yarn)),
    ]
}

/// The programs that a configuration is surveyed with: everything in one format; binary32 angles stored in
/// a narrower format; and the ways in which frequencies are computed in binary32, where they are defined.
pub fn programs(convention: &Convention) -> Vec<Program> {
    let single = Program::rounded(Format::F32);
    let mut programs: Vec<Program> = Format::ALL.into_iter().map(Program::rounded).collect();
    programs.extend([Format::Bf16, Format::F16].map(|storage| Program { storage, ..single }));
    if matches!(convention.scaling, None | Some(Scaling::Linear { .. })) {
        programs.extend([Path::Pow, Path::Exp, Path::Repeated].map(|path| Program { path, ..single }));
    }
    programs
}

/// The largest error over all entries of a table, beside its bounds.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The positions: all that the format holds, of those asked for.
    pub positions: Range<u64>,
    /// How many entries were compared.
    pub comparisons: u64,
    /// The largest error.
    pub worst: Extreme,
    /// Its pair.
    pub pair: usize,
    /// Its component.
    pub component: Component,
    /// The largest instance bound of all pairs.
    pub instance: Bound,
    /// The largest a priori bound of all pairs.
    pub a_priori: Bound,
    /// How many pairs, components and decades of positions have an error above one of their bounds: none, ever.
    pub above: u64,
    /// The largest quotient of an error and its instance bound, over pairs, components and decades.
    pub closest: f64,
}

impl Finding {
    fn join(self, other: Self) -> Self {
        let worse = other.worst.error > self.worst.error;
        let (worst, pair, component) = match worse {
            true => (other.worst, other.pair, other.component),
            false => (self.worst, self.pair, self.component),
        };
        Self {
            positions: self.positions,
            comparisons: self.comparisons + other.comparisons,
            worst,
            pair,
            component,
            instance: self.instance.max(other.instance),
            a_priori: self.a_priori.max(other.a_priori),
            above: self.above + other.above,
            closest: self.closest.max(other.closest),
        }
    }
}

impl Model {
    /// Compares every entry of a table, at the positions from 0 that the program's format holds, with its
    /// exact value, decade by decade with the bounds. Runs in the threads of the current rayon pool; the
    /// result does not depend on them.
    pub fn survey(&self, length: u64) -> Result<Finding, Impossible> {
        let held = (self.program.position.max_finite() as u64).saturating_add(1);
        let positions = 0..length.min(held);
        let findings: Result<Vec<Finding>, Impossible> =
            (0..self.convention.pairs()).into_par_iter().map(|pair| self.survey_pair(pair, &positions)).collect();
        let none = || Impossible::new("pairs", 0, "at least one");
        findings?.into_iter().reduce(Finding::join).ok_or_else(none)
    }

    fn survey_pair(&self, pair: usize, positions: &Range<u64>) -> Result<Finding, Impossible> {
        let rate = self.rate(pair)?;
        let ranges = decades(positions);
        let mut findings = Vec::new();
        for (range, worst) in ranges.iter().zip(self.worst(&rate, &ranges)?) {
            let a_priori = self.a_priori(&rate, range.clone())?;
            for component in [Component::Sin, Component::Cos] {
                let instance = self.instance(&rate, component, range.clone())?;
                let extreme = worst.of(component).clone();
                let within = extreme.error <= instance.value() && extreme.error <= a_priori.value();
                findings.push(Finding {
                    positions: positions.clone(),
                    comparisons: worst.comparisons / 2,
                    closest: extreme.error / instance.value(),
                    worst: extreme,
                    pair,
                    component,
                    instance,
                    a_priori,
                    above: u64::from(!within),
                });
            }
        }
        let none = || Impossible::new("positions", "none", "at least one");
        findings.into_iter().reduce(Finding::join).ok_or_else(none)
    }
}
