//! Hypotheses, and how they are tested: on the rows of a sample first, then on every entry.

use super::super::Invalid;
use super::super::compare::{ComparedScopes, Scope, TableComparison};
use super::super::faults::{Cause, Fault};
use super::super::measure::{Estimate, frequencies, gap};
use super::super::rates::omega;
use super::super::reference::{Reading, Reference};
use super::super::sample::Phasors;
use super::super::subject::Subject;
use super::program::{LayeredPrograms, Stages};
use super::source::{Moved, Source};
use super::stage::{Narrow, Tweak};
use posproof_bound::{Allowance, Compute, Path};
use posproof_encoding::convention::{Component, Convention};
use posproof_numerics::format::Format;
use posproof_table::Positions;
use std::sync::{Arc, OnceLock};

/// A fault with its figures.
pub type Named = (&'static Fault, Cause);

/// Start of the hypotheses: a convention, frequencies, and a way to read the entries.
#[derive(Clone)]
pub struct Context<'a> {
    pub subject: Subject<'a>,
    pub positions: &'a Positions,
    pub reading: Reading,
    /// The convention that the entries should follow: that of the reading.
    pub expected: Convention,
    /// Its frequencies, or those of a mistake.
    pub omega: Vec<f64>,
    pub compute: (Compute, Option<Path>),
    /// Format to which a step on the way to the angles is known to be rounded.
    pub narrow: Option<Narrow>,
    pub storage: Format,
    /// The first position with an entry beyond its bound and the position of the row before it, if that is not the first row.
    pub boundary: Option<(u64, u64)>,
    /// Sampled entries of the subject, all of them.
    pub values: &'a [f64],
    /// The table that the sample is of.
    pub slab: usize,
    /// Faults that are known already.
    pub named: Vec<Named>,
    /// Convention that the entries follow but for the named faults; none where no convention says it.
    pub found: Option<Convention>,
    /// True if everything that is named is a lower precision.
    pub degraded: bool,
    /// The bound that was asked for first.
    pub known: Arc<OnceLock<KnownBound>>,
}

/// A bound, and what it was made for: most hypotheses have the frequencies of their context.
pub struct KnownBound {
    convention: Convention,
    omega: Vec<f64>,
    last: u64,
    compute: (Compute, Option<Path>),
    storage: Format,
    allowance: Allowance,
}

/// A program that would explain the entries, and what is wrong with it.
#[derive(Clone)]
pub struct Hypothesis {
    pub named: Vec<Named>,
    pub reading: Reading,
    pub stages: Stages,
    /// The convention that decides the bound.
    pub convention: Convention,
    pub storage: Format,
    /// The convention that the entries follow but for what is named.
    pub found: Option<Convention>,
    /// True if that convention says everything, so that its certified table decides.
    pub exactly: bool,
    /// True if it is the stated convention, at a lower precision.
    pub degraded: bool,
    /// True if every pair has a parameter of its own: a measurement.
    pub measured: bool,
    /// Rows and tables between a row's own vector and the earlier one that is turned.
    pub moved: Source,
}

/// The phasors, divided by the amplitude.
pub fn unit(at: &Context<'_>, phasors: &Phasors) -> Phasors {
    phasors.divided(at.expected.gain().enclose(64).approximate())
}

impl<'a> Context<'a> {
    /// The bounds of a program with these frequencies, stored as the subject is.
    pub fn allowance(&self, convention: &Convention, omega: &[f64]) -> Allowance {
        self.allowance_in(convention, omega, self.storage)
    }

    /// The same for another storage, made once where it is that which was asked for first.
    fn allowance_in(&self, convention: &Convention, omega: &[f64], storage: Format) -> Allowance {
        let (last, compute) = (self.positions.max(), self.compute);
        let make = || Allowance::new(convention, omega, last, compute, storage);
        let known = self.known.get_or_init(|| {
            let (convention, omega) = (convention.clone(), omega.to_vec());
            KnownBound { allowance: make(), convention, omega, last, compute, storage }
        });
        let same = (known.last, known.compute, known.storage) == (last, compute, storage)
            && known.omega == omega
            && known.convention == *convention;
        if same { known.allowance.clone() } else { make() }
    }

    /// The least distance of two of the first rows, which every sample has.
    pub fn gap(&self) -> f64 {
        let first: Vec<u64> = (0..24).map_while(|row| self.positions.get(row)).collect();
        gap(&first)
    }

    /// Bounds the error of a phase at short distances.
    pub fn noise(&self, phasors: &Phasors) -> f64 {
        // Short vectors are rounded to a step that is large beside them; of 8 bits ten steps would be anything.
        let short = if self.storage.narrow().is_some() { 2.0 } else { 10.0 };
        let loosen = if phasors.rotation { short } else { 1.0 };
        loosen * 1.5 * (self.storage.unit_roundoff() + 8.0 * self.compute.0.format.unit_roundoff())
            + 1.5 * phasors.off_grid
    }

    /// The frequencies of all pairs, measured.
    pub fn frequencies(&self, phasors: &Phasors) -> Option<Vec<Estimate>> {
        // The frequency, the product and its position are rounded.
        frequencies(phasors, self.noise(phasors), 3.0 * self.compute.0.format.unit_roundoff())
    }

    /// The honest program of the context.
    pub fn honest(&self) -> Stages {
        self.honest_within(&self.allowance(&self.expected, &self.omega))
    }

    /// The honest program of the context, whose bound is known.
    pub fn honest_within(&self, allowance: &Allowance) -> Stages {
        let stages = Stages::honest(&self.expected, &self.omega, allowance);
        Stages { narrow: self.narrow, unit: self.compute.0.format.unit_roundoff(), ..stages }
    }

    /// Hypothesis of the context, and nothing else.
    pub fn itself(&self) -> Hypothesis {
        Hypothesis {
            named: self.named.clone(),
            reading: self.reading.clone(),
            stages: self.honest(),
            convention: self.expected.clone(),
            storage: self.storage,
            found: self.found.clone(),
            exactly: self.found.as_ref() == Some(&self.expected)
                && self.reading == Reading::new(&self.expected)
                && self.narrow.is_none()
                && omega(&self.expected).as_ref() == Some(&self.omega),
            degraded: self.degraded,
            measured: false,
            moved: Source::default(),
        }
    }

    /// The same with a fault more, which changes the program.
    pub fn with(&self, fault: &'static Fault, cause: Cause, change: impl FnOnce(&mut Stages)) -> Hypothesis {
        let mut hypothesis = self.itself();
        hypothesis.named.push((fault, cause));
        change(&mut hypothesis.stages);
        Hypothesis { exactly: false, degraded: false, ..hypothesis }
    }

    /// The same with a lower precision more.
    pub fn lowered(&self, fault: &'static Fault, cause: Cause, change: impl FnOnce(&mut Stages)) -> Hypothesis {
        Hypothesis { degraded: self.degraded, ..self.with(fault, cause, change) }
    }

    /// Another convention.
    pub fn other(&self, fault: &'static Fault, cause: Cause, found: Convention) -> Option<Hypothesis> {
        let (before, after) = (omega(&self.expected)?, omega(&found)?);
        // What is known of the frequencies stays where the convention leaves them as they are.
        let context = self.at(&found, if before == after { self.omega.clone() } else { after.clone() })?;
        let mut hypothesis = Context { named: [&self.named[..], &[(fault, cause)]].concat(), ..context }.itself();
        // Where a mistake that no convention says comes first, none says both.
        hypothesis.found = self.found.as_ref().map(|_| found);
        hypothesis.exactly = hypothesis.found.is_some() && self.narrow.is_none() && hypothesis.stages.omega == after;
        hypothesis.degraded = false;
        Some(hypothesis)
    }

    /// The context of another convention with the same arrangement.
    pub fn at(&self, convention: &Convention, omega: Vec<f64>) -> Option<Self> {
        let same = omega.len() == self.expected.pairs();
        let reading = Reading { convention: convention.clone(), ..self.reading.clone() };
        let known = Arc::default();
        same.then(|| Context { reading, expected: convention.clone(), omega, known, ..self.clone() })
    }

    /// The context of a hypothesis, for a second fault besides.
    pub fn after(&self, hypothesis: Hypothesis) -> Option<Self> {
        let Hypothesis { named, stages, convention, found, .. } = hypothesis;
        let at = self.at(&convention, stages.omega)?;
        Some(Context { named, found, degraded: false, ..at })
    }

    /// True if every sampled entry is what a hypothesis predicts; the phasors are divided by the amplitude.
    pub fn fits(&self, phasors: &Phasors, hypothesis: &Hypothesis) -> bool {
        self.missed(phasors, hypothesis, 0) == 0
    }

    /// True if what a hypothesis rounds before vectors are rotated brings its prediction nearer to the sampled phasors. The bounds
    /// of rotated vectors alone may allow for such a rounding, or for other cosines of the same size.
    pub fn sharpens(&self, phasors: &Phasors, hypothesis: &Hypothesis) -> bool {
        let stages = &hypothesis.stages;
        let distance = |stages: &Stages| stages.distance(self.slab, phasors, &self.bounds(hypothesis));
        !stages.narrow.is_some_and(|narrow| narrow.entry)
            || distance(stages) < distance(&Stages { narrow: None, ..stages.clone() })
    }

    /// Number of sampled phasors that are not what a hypothesis predicts: counts no further than one beyond a limit.
    pub fn missed(&self, phasors: &Phasors, hypothesis: &Hypothesis, limit: usize) -> usize {
        if hypothesis.stages.omega.len() != phasors.pairs {
            return limit + 1;
        }
        hypothesis.stages.misfits(self.slab, phasors, &self.bounds(hypothesis), limit)
    }

    /// The bounds of a hypothesis: those of an honest program with its frequencies.
    pub fn bounds(&self, hypothesis: &Hypothesis) -> Allowance {
        let stages = &hypothesis.stages;
        let (convention, storage) = (&hypothesis.convention, hypothesis.storage);
        if let Some(Tweak::Read(read)) = stages.tweak {
            let pairs = self.omega.len();
            let of = |component, pair| read.taken(component, pair, pairs).map_or(pair, |(_, _, other)| other);
            let honest = self.allowance_in(convention, &self.omega, storage);
            return honest.of_pairs(|pair| [Component::Cos, Component::Sin].map(|component| of(component, pair)));
        }
        let fastest = |(k, w): (usize, &f64)| stages.sine_omega.as_ref().map_or(*w, |sines| w.max(sines[k]));
        let omega: Vec<f64> = stages.omega.iter().enumerate().map(fastest).collect();
        self.bounds_of(convention, &omega, storage)
    }

    /// The bounds of an honest program with these frequencies, those of base^0 included.
    pub fn bounds_of(&self, convention: &Convention, omega: &[f64], storage: Format) -> Allowance {
        if omega.iter().all(|omega| *omega == 1.0) {
            // An exponent of 0 gives 1 exactly.
            return Allowance::of_own_frequencies(convention, omega, self.positions.max(), self.compute.0, storage);
        }
        self.allowance_in(convention, omega, storage)
    }

    /// Compares the subject with what a hypothesis predicts.
    pub fn compare<T>(
        &self,
        hypothesis: &Hypothesis,
        ask: impl FnOnce(&TableComparison<'_>) -> Result<T, Invalid>,
    ) -> Result<T, Invalid> {
        let allowance = self.bounds(hypothesis);
        let layers = LayeredPrograms(vec![(None, hypothesis.stages.clone())]);
        let standard = hypothesis.reading == Reading::new(&hypothesis.convention);
        let reference = if hypothesis.exactly && standard && hypothesis.convention.validate().is_ok() {
            let sinusoid = matches!(self.subject, Subject::Sinusoid(_));
            Reference::certified(&hypothesis.convention, self.positions, sinusoid)?
        } else {
            Reference::Program(&layers)
        };
        let moved = match self.subject {
            Subject::Rotation { x, .. } if hypothesis.moved != Source::default() => {
                Some(Moved { grid: x, source: &hypothesis.moved })
            }
            _ => None,
        };
        let subject = match (self.subject, &moved) {
            (Subject::Rotation { y, .. }, Some(x)) => Subject::Rotation { x, y },
            (subject, _) => subject,
        };
        ask(&TableComparison::with(subject, &hypothesis.reading, self.positions, &allowance, reference)?)
    }

    /// True if every entry of a scope is what a hypothesis predicts.
    pub fn holds(&self, hypothesis: &Hypothesis, scope: Scope) -> Result<bool, Invalid> {
        self.compare(hypothesis, |comparison| comparison.holds(scope))
    }

    /// True if every entry of the sampled rows is.
    pub fn holds_in(&self, hypothesis: &Hypothesis, rows: &[usize]) -> Result<bool, Invalid> {
        self.compare(hypothesis, |comparison| {
            let (within, all) = comparison.score(self.slab, rows.iter().copied())?;
            Ok(within == all)
        })
    }
}
