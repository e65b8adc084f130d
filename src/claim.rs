//! A claim: its form and its parts.
//!
//! The vocabulary of the whole crate, in the order in which data flows:
//!
//! - A **claim** is one mathematical statement of the documents, under one id that names its file,
//!   module, command-line argument, Coq theorem and report. It carries the **verdict** of the
//!   ledger and the **sources** that state it.
//! - A **form** is a version of it: the *settled* statement, what the document has *as written*
//!   where that is false, and a **sabotage**, the mistake that a tired person makes.
//! - A **case** is one size with one choice of its inputs: positions, reals, permutations. In the
//!   exact system positions and reals are formal, and a case is a size alone.
//! - At each case a claim gives **comparisons**: two sides and the relation between them.
//!   Where its own code cannot say what to compare, that is a **refusal**: a mistake in the claim.
//! - A [system](crate::number::System) **decides** each comparison: held, unable with a reason, or refuted.
//! - The decisions over all cases are **evidence**; the evidence of all systems settles the claim.

mod comparison;
mod effort;
mod formal;
mod survey;

pub use crate::bibliography::{Document, Ledger, Record};
use crate::number::System;
pub use crate::number::inputs::Inputs;
use crate::number::system::Values;
pub use comparison::{Comparison, Comparisons, Refusal, equal_entries};
pub use effort::Effort;
pub use formal::{AS_WRITTEN, theorem_name};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
pub use survey::{Measurement, Survey};

/// The ledger's verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// True as stated.
    Holds,
    /// False or ambiguous as stated; the witness is shown and the corrected statement holds.
    Corrected,
    /// False; the witness is shown.
    Refuted,
    /// Not mathematics; the provable core is shown and the rest is named as outside the scope.
    Empirical,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Holds => "holds",
            Self::Corrected => "corrected",
            Self::Refuted => "refuted",
            Self::Empirical => "empirical",
        })
    }
}

/// Where a claim is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The document.
    pub document: Document,
    /// The place in it: equation, section or comment.
    #[serde(rename = "where")]
    pub place: &'static str,
}

/// Knowledge of a claim before it is judged.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// `subject.property`.
    pub id: &'static str,
    /// The settled statement, true for all values of its variables.
    pub statement: &'static str,
    /// The document's text, where that is false or ambiguous.
    pub written: Option<&'static str>,
    /// Where it is said.
    pub sources: &'static [Source],
    /// The verdict of the ledger.
    pub verdict: Verdict,
    /// The mistake that the sabotaged form makes.
    pub sabotage: &'static str,
    /// Part that the numeric systems cannot establish and only the proof gives; what the claim does not say.
    pub remark: Option<&'static str>,
}

impl About {
    /// The part of the id before the dot.
    pub fn subject(&self) -> &'static str {
        self.id.split('.').next().unwrap_or(self.id)
    }
}

/// Which version of the statement is put to a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The statement.
    Settled,
    /// The document's text; only for claims with a `written` text.
    AsWritten,
    /// The statement with a mistake in it.
    Sabotaged,
}

impl Form {
    /// True if this is the sabotaged form.
    pub fn is_sabotaged(self) -> bool {
        self == Form::Sabotaged
    }
}

/// The kind of system that a list of sizes is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemKind {
    /// Formal positions and reals: a size is checked once, for all of them.
    Formal,
    /// Enclosures at the positions and reals of a case.
    Enclosed,
    /// Floating point, MPFR included.
    Rounded {
        /// Bits of the significand.
        precision: u32,
    },
}

/// The size of a case. What a claim does not use is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Size {
    /// The dimension d of encodings or heads.
    #[serde(skip_serializing_if = "is_zero")]
    pub dim: usize,
    /// The number n of tokens or positions.
    #[serde(skip_serializing_if = "is_zero")]
    pub tokens: usize,
    /// The base of the frequencies.
    #[serde(skip_serializing_if = "is_zero_base")]
    pub base: u32,
}

fn is_zero(x: &usize) -> bool {
    *x == 0
}

fn is_zero_base(x: &u32) -> bool {
    *x == 0
}

impl Size {
    /// Dimension d with base 10000.
    pub const fn dim(dim: usize) -> Self {
        Self { dim, tokens: 0, base: 10_000 }
    }

    /// The usual sizes of bounds for all inputs.
    pub fn bounded() -> Vec<Self> {
        [2, 64, 128, 512].map(Self::dim).to_vec()
    }

    /// Those of some sizes whose dimension is at most `dim`.
    pub fn up_to(dim: usize, sizes: Vec<Self>) -> Vec<Self> {
        sizes.into_iter().filter(|size| size.dim <= dim).collect()
    }

    /// The usual sizes of claims about d-dimensional encodings: every d in {2, 4, 8, 16} formally,
    /// up to 512 numerically.
    pub fn dimensions(kind: SystemKind) -> Vec<Self> {
        match kind {
            SystemKind::Formal => [2, 4, 8, 16].map(Self::dim).to_vec(),
            SystemKind::Enclosed | SystemKind::Rounded { .. } => [2, 8, 64, 512].map(Self::dim).to_vec(),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.tokens > 0 {
            parts.push(format!("n = {}", self.tokens));
        }
        if self.dim > 0 {
            parts.push(format!("d = {}", self.dim));
        }
        if self.base > 0 {
            parts.push(format!("base {}", self.base));
        }
        f.pad(&if parts.is_empty() { "scalar".to_owned() } else { parts.join(", ") })
    }
}

/// One size with one choice of the inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// The size.
    pub size: Size,
    /// The values of positions and reals, for the numeric systems.
    pub values: Arc<Values>,
    pub(crate) permutations: BTreeMap<&'static str, Vec<usize>>,
    pub(crate) choices: BTreeMap<&'static str, usize>,
}

impl Case {
    /// A case without inputs.
    pub fn of_size(size: Size) -> Self {
        Self { size, ..Self::default() }
    }

    /// The permutation: element i goes to place `permutation(name)[i]`.
    ///
    /// # Errors
    ///
    /// The inputs have no permutation of that name.
    pub fn permutation(&self, name: &'static str) -> Result<&[usize], Refusal> {
        self.permutations.get(name).map(Vec::as_slice).ok_or(Refusal::UnknownPermutation(name))
    }

    /// The integer of that name.
    ///
    /// # Errors
    ///
    /// The inputs have no integer of that name.
    pub fn choice(&self, name: &'static str) -> Result<usize, Refusal> {
        self.choices.get(name).copied().ok_or(Refusal::UnknownChoice(name))
    }
}

/// A certified figure that the ledger promises.
#[derive(Clone, Debug)]
pub struct CertifiedValue {
    /// Its name in the JSON of `verify`.
    pub name: &'static str,
    /// The enclosure.
    pub enclosure: crate::number::interval::Interval,
}

/// A result of attention that a kernel may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttentionResult {
    /// A component of an output.
    Output,
    /// The score of a query and a key.
    Score,
}

/// One claim of the ledger: the type is the claim, and has no values of interest.
pub trait Claim: Send + Sync + 'static {
    /// Id, statement, sources, verdict and sabotage.
    const ABOUT: About;

    /// True if the float systems bound their results against the exact frequencies base^(−2i/dim), as a comparison with
    /// certified values asks for, or take the rounded frequencies as given, as an identity in arbitrary frequencies
    /// allows.
    const CHARGES_FREQUENCIES: bool = false;

    /// The sizes at which a kind of system is asked; none where it has nothing to say.
    fn sizes(kind: SystemKind) -> Vec<Size>;

    /// The variables at a size.
    fn inputs(size: &Size) -> Inputs;

    /// The comparisons that make up the claim at one case.
    ///
    /// # Errors
    ///
    /// The claim is mistaken about its own inputs or shapes: it falls short, whatever the systems say.
    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number>;

    /// Roughly how many operations a case takes, in units of one sine: it decides how many are affordable.
    fn work(size: &Size) -> usize {
        2 * size.dim.max(1)
    }

    /// The sizes at which its equalities are bounded for all inputs of a domain, as
    /// [`linear`](crate::number::linear) does, where they are affordable; none unless a claim has them.
    fn bounded_sizes() -> Vec<Size> {
        Vec::new()
    }

    /// Quantity that stays as it is where keys are permuted: evidence is then how far kernels move it
    /// ([`displacement`](crate::evidence::displacement)).
    const DISPLACEMENT: Option<AttentionResult> = None;

    /// Looks at a whole finite domain with an algorithm of its own, where case by case would be too
    /// slow or too little: all distances below a length, all positions below 2^20.
    fn surveys(_effort: Effort, _form: Form) -> Vec<Survey> {
        Vec::new()
    }

    /// The certified figures that the ledger promises.
    fn values() -> Vec<CertifiedValue> {
        Vec::new()
    }
}
