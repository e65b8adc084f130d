//! Probes: what functions are asked, all at once, and the judgement of what they answer.

use super::case::{Case, cases, simpler};
use super::catalogue::Property;
use super::comparison::{Comparison, Decision, Relation};
use super::dialogue::{Answers, Dialogue, Question};
use super::invalid::Invalid;
use super::report::{Place, Report, Verdict};
use super::role::Role;
use super::setup::{Model, Setup};
use posproof_numerics::format::Format;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An array that a function is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its entries, the last axis fastest: numbers of every format.
    pub entries: Vec<f64>,
}

/// Everything that one function is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The function.
    pub role: Role,
    /// The arrays but positions: x; q, k and v with a first axis of calls; x with a first axis of calls.
    pub arrays: Vec<Array>,
    /// The positions, one for each row; none for functions of matrices.
    pub positions: Vec<u64>,
    /// The shape of the answer.
    pub answer: Vec<usize>,
}

/// The answer of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The function.
    pub role: Role,
    /// The format of the entries.
    pub format: Format,
    /// The shape.
    pub shape: Vec<usize>,
    /// The entries, the last axis fastest.
    pub entries: Vec<f64>,
}

/// The inputs of a claim, adversarial and always the same.
#[derive(Clone, Debug)]
pub struct Probe {
    property: &'static Property,
    /// Errors of answers in the format of the vectors.
    model: Arc<Model>,
    cases: Vec<Case>,
    /// True if the sabotage is asked for too: not while failures are shrunk.
    whole: bool,
}

/// The result of a probe.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// In words and figures.
    pub report: Report,
    /// The case that fails, the simplest of the probe.
    failing: Option<Case>,
}

impl Probe {
    /// The probe of a claim for code that is stated.
    ///
    /// # Errors
    ///
    /// A setup that cannot be used.
    pub fn new(property: &'static Property, setup: &Setup) -> Result<Self, Invalid> {
        setup.validate()?;
        let of_matrices = property.role().is_of_matrices();
        if of_matrices && setup.tokens > setup.dim() {
            let (tokens, dim) = (setup.tokens, setup.dim());
            return Err(Invalid::Setup(format!("tokens: expected at most dim = {dim}; found {tokens}")));
        }
        if property.role() == Role::Layer && setup.error.is_none() {
            let expected =
                "the absolute error that one entry of its output may have, for its weights are not known here";
            return Err(Invalid::Setup(format!("{}: error: expected {expected}; found none", property.claim)));
        }
        let model = Arc::new(Model::new(setup, setup.dtype)?);
        Ok(Self { property, model, cases: cases(setup, property.role()), whole: true })
    }

    /// The claim.
    pub fn property(&self) -> &'static Property {
        self.property
    }

    /// The setup.
    pub fn setup(&self) -> &Setup {
        &self.model.setup
    }

    fn places(&self, case: &Case) -> Vec<u64> {
        (self.property.places)(&case.parts, self.setup().last)
    }

    /// Both forms of all cases, or the claim alone.
    fn forms(&self) -> &'static [bool] {
        if self.whole { &[false, true] } else { &[false] }
    }

    /// Questions of each function.
    pub fn batches(&self) -> Vec<Batch> {
        let mut dialogue = Dialogue::noting(&self.model);
        for case in &self.cases {
            for &sabotaged in self.forms() {
                (self.property.compare)(&mut dialogue, case, &self.places(case), sabotaged);
            }
        }
        let batch = |(role, mut questions): (Role, Vec<Question>)| {
            if role == Role::Encode {
                questions.sort_by_key(|question| question.position);
                questions.dedup();
            }
            self.batch(role, &questions)
        };
        dialogue.questions().into_iter().map(batch).collect()
    }

    fn batch(&self, role: Role, questions: &[Question]) -> Batch {
        let (count, dim, tokens) = (questions.len(), self.setup().dim(), self.setup().tokens);
        let gather = |name, range: std::ops::Range<usize>, shape: Vec<usize>| {
            let rows = questions.iter().flat_map(|question| question.rows[range.clone()].concat());
            Array { name, shape, entries: rows.collect() }
        };
        let rows = questions.first().map_or(0, |question| question.rows.len());
        let (arrays, answer) = match role {
            Role::Encode => (Vec::new(), vec![count, dim]),
            Role::Rotate => (vec![gather("x", 0..1, vec![count, dim])], vec![count, dim]),
            Role::RotateComplex => (vec![gather("x_complex", 0..1, vec![count, dim])], vec![count, dim]),
            Role::Attention => {
                let queries = rows - 2 * tokens;
                let arrays = vec![
                    gather("q", 0..queries, vec![count, queries, dim]),
                    gather("k", queries..queries + tokens, vec![count, tokens, dim]),
                    gather("v", queries + tokens..rows, vec![count, tokens, dim]),
                ];
                (arrays, vec![count, queries, dim])
            }
            Role::Layer => (vec![gather("x", 0..rows, vec![count, rows, dim])], vec![count, rows, dim]),
        };
        let takes_positions = !role.is_of_matrices();
        let positions = questions.iter().map(|question| question.position).filter(|_| takes_positions).collect();
        Batch { role, arrays, positions, answer }
    }

    /// Judges the answers.
    ///
    /// # Errors
    ///
    /// Answers that are missing, have another shape, or hold what is no finite number.
    pub fn judge(&self, answers: &[Answer]) -> Result<Judgement, Invalid> {
        let mut all = Answers::default();
        let mut storage: Option<Format> = None;
        for batch in self.batches() {
            let answer = answers.iter().find(|answer| answer.role == batch.role);
            let wrong = |expected: String, found: String| {
                Err(Invalid::Answer { claim: self.property.claim, role: batch.role, expected, found })
            };
            let Some(answer) = answer else { return wrong("an answer".to_owned(), "none".to_owned()) };
            if answer.shape != batch.answer || answer.entries.len() != batch.answer.iter().product::<usize>() {
                return wrong(format!("an array of shape {:?}", batch.answer), format!("shape {:?}", answer.shape));
            }
            if let Some(place) = answer.entries.iter().position(|entry| !entry.is_finite()) {
                let row = place / self.setup().dim();
                return wrong("finite numbers".to_owned(), format!("{} in row {row}", answer.entries[place]));
            }
            let coarser = storage.is_none_or(|known| answer.format.precision() < known.precision());
            storage = if coarser { Some(answer.format) } else { storage };
            all.add(batch.role, &batch.positions, self.setup().dim(), &answer.entries);
        }
        let format = storage.unwrap_or(self.setup().dtype);
        let model = match format == self.setup().dtype {
            true => Arc::clone(&self.model),
            false => Arc::new(Model::new(self.setup(), format)?),
        };
        let mut dialogue = Dialogue::reading(&model, &mut all);
        let (mut tally, mut sabotage) = (Tally::default(), Tally::default());
        for (index, case) in self.cases.iter().enumerate() {
            for &sabotaged in self.forms() {
                let compared = (self.property.compare)(&mut dialogue, case, &self.places(case), sabotaged);
                if sabotaged { sabotage.add(index, &compared) } else { tally.add(index, &compared) }
            }
        }
        Ok(self.judgement(&tally, &sabotage, format))
    }

    fn judgement(&self, tally: &Tally, sabotage: &Tally, format: Format) -> Judgement {
        let place = |found: &Option<(usize, Comparison)>| found.as_ref().map(|(case, one)| self.place(*case, one));
        // A claim that something differs somewhere fails where nothing does.
        let blind = tally.distinct == Some(false);
        let verdict = match () {
            () if tally.failing.is_some() || blind => Verdict::Refuted,
            () if tally.held == 0 || self.whole && sabotage.failing.is_none() => Verdict::NotJudged,
            () => Verdict::Holds,
        };
        let failing = tally.failing.as_ref().map(|(case, _)| self.cases[*case].clone());
        let report = Report {
            claim: self.property.claim,
            roles: self.property.roles,
            says: self.property.says,
            verdict,
            comparisons: tally.held + tally.refuted,
            refuted: tally.refuted,
            unable: tally.unable,
            compared: tally.compared.clone(),
            refuted_by: tally.refuted_by.clone(),
            worst: place(&tally.worst),
            failing: place(&tally.failing),
            sabotage: self.property.sabotage,
            sabotage_refuted: sabotage.failing.is_some(),
            sabotage_at: place(&sabotage.failing),
            compute: self.setup().compute,
            format,
            dim: self.setup().dim(),
            last: (!self.property.role().is_of_matrices()).then_some(self.setup().last),
        };
        Judgement { report, failing }
    }

    fn place(&self, case: usize, one: &Comparison) -> Place {
        let positions = self.places(&self.cases[case]);
        let vectors = &self.cases[case].vectors;
        Place {
            what: one.what,
            index: one.index,
            sign: one.relation.sign(),
            positions: self.property.names.iter().copied().zip(positions).collect(),
            nonzero: vectors.iter().take(2).map(|row| row.iter().filter(|entry| **entry != 0.0).count()).collect(),
            left: one.left.value,
            right: one.right.value,
            error: one.error(),
            tolerance: one.tolerance(),
            uniform: one.is_uniform(),
        }
    }

    /// Simpler inputs than those that fail, to be asked for next; none where there are none, or nothing fails.
    pub fn shrunk(&self, judgement: &Judgement) -> Option<Self> {
        let cases = simpler(judgement.failing.as_ref()?);
        (!cases.is_empty()).then(|| Self { cases, whole: false, ..self.clone() })
    }
}

/// Comparisons of a form.
#[derive(Default)]
struct Tally {
    held: u64,
    unable: u64,
    refuted: u64,
    /// True if one of the sides that should differ somewhere did; none where no such thing is compared.
    distinct: Option<bool>,
    compared: BTreeSet<&'static str>,
    refuted_by: BTreeSet<&'static str>,
    worst: Option<(usize, Comparison)>,
    failing: Option<(usize, Comparison)>,
}

impl Tally {
    fn add(&mut self, case: usize, compared: &[Comparison]) {
        for one in compared {
            let decision = one.decide();
            self.compared.insert(one.what);
            if decision == Decision::Refuted {
                self.refuted_by.insert(one.what);
            }
            match decision {
                Decision::Held => self.held += 1,
                Decision::Unable => self.unable += 1,
                Decision::Refuted => self.refuted += 1,
            }
            if one.relation == Relation::Distinct {
                self.distinct = Some(self.distinct == Some(true) || decision == Decision::Held);
            }
            if self.worst.as_ref().is_none_or(|(_, worst)| one.share() > worst.share()) {
                self.worst = Some((case, *one));
            }
            if decision == Decision::Refuted && self.failing.is_none() {
                self.failing = Some((case, *one));
            }
        }
    }
}
