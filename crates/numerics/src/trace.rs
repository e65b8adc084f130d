//! Traces: a kernel over a [`Scalar`] run once on symbols, and printed as a definition in Coq.
//!
//! A kernel has no way to branch on its numbers, so that what it does to symbols it does to all numbers. A symbol is the
//! number of a step; steps with equal operations and operands are one step.

mod text;

pub use text::{coq, integer};

use crate::{Scalar, format::Format};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An operation on numbers of binary64, rounded to nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// a + b.
    Sum,
    /// a − b.
    Difference,
    /// a·b.
    Product,
    /// a/b.
    Quotient,
    /// −a.
    Opposite,
    /// |a|.
    Magnitude,
    /// The smaller of a and b.
    Lesser,
    /// The larger of a and b.
    Greater,
    /// a rounded to a format.
    Rounded(Format),
    /// a·b + c, with one rounding or two.
    MultiplyAdd,
    /// a·b − c, with one rounding or two.
    MultiplySubtract,
    /// c − a·b, with one rounding or two.
    SubtractProduct,
    /// a·b − p for the rounded product p.
    ProductError,
}

/// A step of a trace; operands are the numbers of earlier steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Input(String),
    /// The bits of a number of binary64.
    Constant(u64),
    Made(Operation, Vec<usize>),
}

/// A number of which only its making is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol(usize);

#[derive(Default)]
struct Tape {
    steps: Vec<Step>,
    known: BTreeMap<Step, usize>,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

fn recorded(step: Step) -> Symbol {
    TAPE.with_borrow_mut(|tape| {
        let next = tape.steps.len();
        let place = *tape.known.entry(step.clone()).or_insert(next);
        if place == next {
            tape.steps.push(step);
        }
        Symbol(place)
    })
}

impl Symbol {
    /// Result of an operation on symbols.
    pub fn made<const N: usize>(operation: Operation, operands: [Self; N]) -> Self {
        recorded(Step::Made(operation, operands.map(|symbol| symbol.0).to_vec()))
    }

    /// The number of the step.
    pub fn step(self) -> usize {
        self.0
    }

    /// The symbol of the step with that number, if there is one.
    pub fn of_step(step: usize) -> Option<Self> {
        TAPE.with_borrow(|tape| (step < tape.steps.len()).then_some(Self(step)))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operation:ident;)*) => {$(
        impl $trait for Symbol {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self::made(Operation::$operation, [self, other])
            }
        }
    )*};
}

operators! {
    Add add Sum;
    Sub sub Difference;
    Mul mul Product;
    Div div Quotient;
}

impl Neg for Symbol {
    type Output = Self;
    fn neg(self) -> Self {
        Self::made(Operation::Opposite, [self])
    }
}

impl Scalar for Symbol {
    fn constant(value: f64) -> Self {
        recorded(Step::Constant(value.to_bits()))
    }
    fn rounded(self, format: Format) -> Self {
        Self::made(Operation::Rounded(format), [self])
    }
    fn abs(self) -> Self {
        Self::made(Operation::Magnitude, [self])
    }
    fn min(self, other: Self) -> Self {
        Self::made(Operation::Lesser, [self, other])
    }
    fn max(self, other: Self) -> Self {
        Self::made(Operation::Greater, [self, other])
    }
}

/// A kernel over any numbers.
pub trait Kernel {
    /// Its name, and that of its trace.
    const NAME: &'static str;
    /// The names of its parameters that are formats.
    const FORMATS: &'static [&'static str] = &[];
    /// Choices of formats for them, those of one choice different.
    const CHOICES: &'static [&'static [Format]] = &[&[]];
    /// The names of its inputs.
    const INPUTS: &'static [&'static str];
    /// Its results.
    fn run<T: Scalar>(formats: &[Format], inputs: &[T]) -> Vec<T>;
}

/// A kernel on numbers of binary64: its results for formats and inputs, where a multiplication and an addition are rounded once
/// (true) or twice; `None` where the processor cannot.
pub type Run = fn(bool, &[Format], &[f64]) -> Option<Vec<f64>>;

/// A kernel by the processor's operations of binary32.
pub type Native = fn(&[f32]) -> Vec<f32>;

/// A kernel's trace, and the kernel on numbers.
pub struct Traced {
    /// The trace.
    pub trace: Trace,
    /// The choices of formats that it was taken with.
    pub choices: &'static [&'static [Format]],
    /// The kernel on numbers.
    pub run: Run,
    /// Trace in binary32, for a kernel over scalars.
    pub native: Option<Native>,
}

impl Traced {
    /// Both; `None` where the kernel has not one trace for all formats.
    pub fn new<K: Kernel>() -> Option<Self> {
        let run = |_, formats: &[Format], inputs: &[f64]| Some(K::run(formats, inputs));
        let native: Native = |inputs| K::run(&[Format::F32], inputs);
        Some(Self { trace: Trace::of_kernel::<K>()?, choices: K::CHOICES, run, native: Some(native) })
    }
}

/// The steps of a kernel from its inputs to its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    name: String,
    inputs: Vec<String>,
    /// The parameters that stand for formats, each with the format that the kernel was run with.
    formats: Vec<(String, Format)>,
    steps: Vec<Step>,
    results: Vec<usize>,
}

impl Trace {
    /// Runs a kernel on symbols of these names.
    pub fn of(name: &str, inputs: &[&str], kernel: impl FnOnce(&[Symbol]) -> Vec<Symbol>) -> Self {
        TAPE.take();
        let symbols: Vec<Symbol> = inputs.iter().map(|input| recorded(Step::Input((*input).to_owned()))).collect();
        let results = kernel(&symbols).into_iter().map(|symbol| symbol.0).collect();
        let inputs = inputs.iter().map(|input| (*input).to_owned()).collect();
        Self { name: name.to_owned(), inputs, formats: Vec::new(), steps: TAPE.take().steps, results }
    }

    /// The trace of a kernel, which must be one for all choices of formats, but for the formats: `None` where it is not.
    pub fn of_kernel<K: Kernel>() -> Option<Self> {
        let mut found: Option<Self> = None;
        for formats in K::CHOICES {
            let mut trace = Self::of(K::NAME, K::INPUTS, |symbols| K::run(formats, symbols));
            trace.formats = K::FORMATS.iter().map(|name| (*name).to_owned()).zip(formats.iter().copied()).collect();
            if found.as_ref().is_some_and(|found| found.text() != trace.text()) {
                return None;
            }
            found = Some(trace);
        }
        found
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// True if some operation is rounded once by some instructions, and twice by others.
    pub fn multiplies_and_adds(&self) -> bool {
        use Operation::{MultiplyAdd, MultiplySubtract, ProductError, SubtractProduct};
        let either = |operation| matches!(operation, MultiplyAdd | MultiplySubtract | SubtractProduct | ProductError);
        self.needed().iter().any(|step| matches!(self.steps[*step], Step::Made(operation, _) if either(operation)))
    }

    /// Number of operations.
    pub fn operations(&self) -> usize {
        self.needed().iter().filter(|step| matches!(self.steps[**step], Step::Made(..))).count()
    }

    /// The steps that results need, in order.
    fn needed(&self) -> Vec<usize> {
        let mut needed = vec![false; self.steps.len()];
        self.results.iter().for_each(|result| needed[*result] = true);
        for step in (0..self.steps.len()).rev() {
            if let (true, Step::Made(_, operands)) = (needed[step], &self.steps[step]) {
                operands.iter().for_each(|operand| needed[*operand] = true);
            }
        }
        (0..self.steps.len()).filter(|step| needed[*step]).collect()
    }

    /// Number of times that a step is an operand or a result.
    fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.steps.len()];
        self.results.iter().for_each(|result| uses[*result] += 1);
        for step in self.needed() {
            if let Step::Made(_, operands) = &self.steps[step] {
                operands.iter().for_each(|operand| uses[*operand] += 1);
            }
        }
        uses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Plain;

    impl Kernel for Plain {
        const NAME: &'static str = "kernel";
        const FORMATS: &'static [&'static str] = &["F"];
        const CHOICES: &'static [&'static [Format]] = &[&[Format::F32], &[Format::Bf16]];
        const INPUTS: &'static [&'static str] = &["x", "y"];
        fn run<T: Scalar>(formats: &[Format], inputs: &[T]) -> Vec<T> {
            let sum = (inputs[0] + inputs[1]).rounded(formats[0]);
            vec![sum * sum - T::constant(1.5) / sum.max(-inputs[0])]
        }
    }

    #[test]
    fn a_kernel_is_printed_as_it_computes() {
        let traced = Traced::new::<Plain>().expect("one trace for both formats");
        assert_eq!(
            traced.trace.text(),
            "Definition kernel (F : format) (x y : number A) : list (number A) :=\n  \
             let r1 := rounded A F (x + y) in\n  \
             [:: (r1 * r1) - ((constant A (3) (-1)) / (greater A r1 (negate A x)))].\n"
        );
        assert_eq!(traced.trace.operations(), 7);
        assert_eq!((traced.run)(false, &[Format::F32], &[1.0, 2.0]), Some(vec![8.5]));
    }

    struct Branching;

    impl Kernel for Branching {
        const NAME: &'static str = "branching";
        const FORMATS: &'static [&'static str] = &["F"];
        const CHOICES: &'static [&'static [Format]] = Plain::CHOICES;
        const INPUTS: &'static [&'static str] = &["x"];
        fn run<T: Scalar>(formats: &[Format], inputs: &[T]) -> Vec<T> {
            let x = if formats[0] == Format::F32 { inputs[0] + inputs[0] } else { inputs[0] };
            vec![x.rounded(formats[0])]
        }
    }

    /// A kernel that treats one format in its own way has no trace for both.
    #[test]
    fn a_kernel_that_looks_at_its_format_is_found_out() {
        assert_eq!(Trace::of_kernel::<Branching>(), None);
    }
}
