//! Terms of Coq's kernel, as compiled files hold them.

use super::compiled::Form;
use super::marshal::{Heap, Value};

/// A term. Variables are counted from the innermost binder, from 1.
#[derive(Debug)]
pub enum Term<'h> {
    /// A bound variable.
    Variable(usize),
    /// A function with its arguments.
    Application(Value, &'h [Value]),
    /// A function or a product: the type of its argument, and what it binds that in.
    Binder(Value, Value),
    /// A local definition, whatever is in it.
    Let,
    /// A distinction of cases: the parameters, what the type of the result binds and that type, what is looked at,
    /// and for each constructor how many arguments it binds and the result.
    Match {
        /// The parameters of the inductive type.
        parameters: &'h [Value],
        /// Number of variables that the type of the result binds, and it.
        result: (usize, Value),
        /// Other terms in it.
        others: Vec<Value>,
        /// The term that is looked at.
        scrutinee: Value,
        /// Number of arguments that each constructor binds, and what then is the result.
        branches: Vec<(usize, Value)>,
    },
    /// Recursive functions.
    Fix(Recursive<'h>),
    /// Corecursive functions: their names, types and bodies.
    CoFix(Declarations<'h>),
    /// Something in which no variable is bound: its parts.
    Parts(Vec<Value>),
}

/// Names, types and bodies of functions that are defined together.
#[derive(Clone, Copy, Debug)]
pub struct Declarations<'h> {
    names: &'h [Value],
    /// Their types.
    pub types: &'h [Value],
    /// Their bodies, in which all of them are bound.
    pub bodies: &'h [Value],
}

/// Recursive functions that are defined together.
#[derive(Debug)]
pub struct Recursive<'h> {
    /// Which argument of each becomes smaller, from 0.
    pub arguments: Vec<usize>,
    /// The functions.
    pub functions: Declarations<'h>,
}

impl Declarations<'_> {
    /// The name of one of them.
    pub fn name<'a>(&self, heap: &Heap<'a>, place: usize) -> &'a str {
        let named = |name| heap.fields::<2>(name, 0).and_then(|[name, _]| heap.fields::<1>(name, 0));
        self.names.get(place).and_then(|name| named(*name)).and_then(|[name]| heap.text(name)).unwrap_or("_")
    }
}

/// The recursive or corecursive functions that a value is, whatever it stands in: in a compiled file nothing else has
/// this form.
pub fn recursive<'h>(heap: &'h Heap<'_>, value: Value) -> Option<Term<'h>> {
    let (tag @ (FIX | COFIX), [inner]) = heap.block(value)? else { return None };
    let [which, functions] = heap.fields(*inner, 0)?;
    let [names, types, bodies] = heap.fields(functions, 0)?;
    let functions = Declarations { names: heap.array(names)?, types: heap.array(types)?, bodies: heap.array(bodies)? };
    let number = functions.bodies.len();
    if functions.names.len() != number || functions.types.len() != number {
        return None;
    }
    if tag == COFIX {
        return matches!(which, Value::Int(_)).then_some(Term::CoFix(functions));
    }
    let [arguments, _] = heap.fields(which, 0)?;
    let arguments: Option<Vec<usize>> = heap.array(arguments)?.iter().copied().map(index).collect();
    let arguments = arguments.filter(|arguments| arguments.len() == number)?;
    Some(Term::Fix(Recursive { arguments, functions }))
}

const FIX: u8 = 14;
const COFIX: u8 = 15;

fn index(value: Value) -> Option<usize> {
    if let Value::Int(number) = value { usize::try_from(number).ok() } else { None }
}

impl<'h> Term<'h> {
    /// Reads a term; none where it is of no form that a finished one has.
    pub fn read(heap: &'h Heap<'_>, form: Form, value: Value) -> Option<Self> {
        let (tag, fields) = heap.block(value)?;
        Some(match (tag, fields) {
            (0, [place]) => Self::Variable(index(*place)?),
            // Variables of sections, sorts, constants, inductive types, constructors, numbers, and texts in 8.20.
            (1 | 4 | 10 | 11 | 12 | 17..=19, [_]) => Self::Parts(Vec::new()),
            (5, [term, _, of_type]) => Self::Parts(vec![*term, *of_type]),
            (6 | 7, [_, of_type, body]) => Self::Binder(*of_type, *body),
            (8, [_, _, _, _]) => Self::Let,
            (9, [function, arguments]) => Self::Application(*function, heap.array(*arguments)?),
            (13, [_, _, parameters, result, inverted, scrutinee, branches]) => {
                let bound = |value| {
                    let [names, body] = heap.fields(value, 0)?;
                    Some((heap.array(names)?.len(), body))
                };
                let others = match *inverted {
                    Value::Int(_) => Vec::new(),
                    inverted => heap.array(heap.fields::<1>(inverted, 0)?[0])?.to_vec(),
                };
                let branches: Option<Vec<_>> = heap.array(*branches)?.iter().copied().map(bound).collect();
                let result = match form {
                    Form::V8_16 => *result,
                    Form::V8_20 => heap.fields::<2>(*result, 0)?[0],
                };
                let (parameters, result) = (heap.array(*parameters)?, bound(result)?);
                Self::Match { parameters, result, others, scrutinee: *scrutinee, branches: branches? }
            }
            (FIX | COFIX, _) => recursive(heap, value)?,
            (16, [_, term] | [_, _, term]) => Self::Parts(vec![*term]),
            (19 | 20, [_, elements, default, of_type]) => {
                Self::Parts(heap.array(*elements)?.iter().copied().chain([*default, *of_type]).collect())
            }
            _ => return None,
        })
    }
}
