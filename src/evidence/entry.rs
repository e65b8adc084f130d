//! Claims of a list, whatever their types.

use super::judge::{Instance, Judgement};
use super::sample::Plan;
use super::systems::SystemName;
use crate::claim::{About, AttentionResult, CertifiedValue, Claim, Effort, Form, Size, Survey, SystemKind};
use crate::number::exact::Formal;
use crate::number::float::{Arithmetic, Float};
use crate::number::format::Format;
use crate::number::interval::Enclosing;
use crate::number::linear::Uniform;
use crate::number::mp::Mp;
use crate::number::running::Rounding;

/// A claim of the list, whatever its type: see [`Claim`] for the parts.
pub trait Entry: Send + Sync {
    /// Id, statement, sources, verdict and sabotage.
    fn about(&self) -> &'static About;
    /// The sizes at which a kind of system is asked.
    fn sizes(&self, kind: SystemKind) -> Vec<Size>;
    /// True if reals or positions are among its inputs: the exact system has them as symbols.
    fn has_symbols(&self) -> bool;
    /// True if the float systems bound their results against the exact frequencies.
    fn charges_frequencies(&self) -> bool;
    /// The certified figures.
    fn values(&self) -> Vec<CertifiedValue>;
    /// Results of whole finite domains.
    fn surveys(&self, effort: Effort, form: Form) -> Vec<Survey>;
    /// The claim in normal forms.
    fn formal(&self) -> Instance<Formal>;
    /// The claim in enclosures.
    fn enclosing(&self) -> Instance<Enclosing>;
    /// The claim in MPFR numbers.
    fn multiprecision(&self) -> Instance<Rounding<Mp>>;
    /// The claim in the binary formats.
    fn floating(&self) -> Instance<Rounding<Float>>;
    /// The claim in bounds for all inputs.
    fn linear(&self) -> Instance<Uniform>;
    /// The sizes at which it has bounds for all inputs.
    fn bounded_sizes(&self) -> Vec<Size>;
    /// The result that kernels may move and the claim says to stay.
    fn displacement_of(&self) -> Option<AttentionResult>;
    /// Roughly how many operations a case takes.
    fn work(&self, size: &Size) -> usize;
}

impl<C: Claim> Entry for C {
    fn about(&self) -> &'static About {
        &C::ABOUT
    }

    fn sizes(&self, kind: SystemKind) -> Vec<Size> {
        C::sizes(kind)
    }

    fn has_symbols(&self) -> bool {
        C::sizes(SystemKind::Formal)
            .iter()
            .map(C::inputs)
            .any(|inputs| !inputs.positions.is_empty() || !inputs.reals.is_empty())
    }

    fn charges_frequencies(&self) -> bool {
        C::CHARGES_FREQUENCIES
    }

    fn values(&self) -> Vec<CertifiedValue> {
        C::values()
    }

    fn surveys(&self, effort: Effort, form: Form) -> Vec<Survey> {
        C::surveys(effort, form)
    }

    fn formal(&self) -> Instance<Formal> {
        Instance::of::<C>()
    }

    fn enclosing(&self) -> Instance<Enclosing> {
        Instance::of::<C>()
    }

    fn multiprecision(&self) -> Instance<Rounding<Mp>> {
        Instance::of::<C>()
    }

    fn floating(&self) -> Instance<Rounding<Float>> {
        Instance::of::<C>()
    }

    fn linear(&self) -> Instance<Uniform> {
        Instance::of::<C>()
    }

    fn bounded_sizes(&self) -> Vec<Size> {
        C::bounded_sizes()
    }

    fn displacement_of(&self) -> Option<AttentionResult> {
        C::DISPLACEMENT
    }

    fn work(&self, size: &Size) -> usize {
        C::work(size)
    }
}

impl dyn Entry + '_ {
    /// Judges one form in one system.
    pub fn judge(&self, system: SystemName, form: Form, plan: &Plan) -> Judgement {
        let (budget, fewest) = system.budget();
        let plan = Plan { budget, fewest, ..*plan };
        let kind = system.kind();
        let multiprecision = |bits| self.multiprecision().judge(&self.rounding(bits), kind, form, &plan);
        let floating = |format| self.floating().judge(&self.rounding(format), kind, form, &plan);
        match system {
            SystemName::Exact => self.formal().judge(&Formal, kind, form, &plan),
            SystemName::Interval256 => self.enclosing().judge(&Enclosing::default(), kind, form, &plan),
            SystemName::Mp256 => multiprecision(256),
            SystemName::Mp113 => multiprecision(113),
            SystemName::F64 => floating(Format::F64),
            SystemName::F32 => floating(Format::F32),
            SystemName::F16 => floating(Format::F16),
            SystemName::Bf16 => floating(Format::Bf16),
        }
    }

    /// True if the system has sizes to look at.
    pub fn concerns(&self, system: SystemName) -> bool {
        !self.sizes(system.kind()).is_empty()
    }

    fn rounding<A: Arithmetic>(&self, format: A::Format) -> Rounding<A> {
        if self.charges_frequencies() { Rounding::charging_frequencies(format) } else { Rounding::new(format) }
    }
}
