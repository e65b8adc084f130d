//! An operation of a graph with the values that it takes.

use super::document::{Argument, Operation};
use super::tensors::{Kind, LARGEST, Tensor};
use super::unread::Unread;
use std::collections::HashMap;

/// The result of an operation: one tensor, or several.
#[derive(Clone, Debug)]
pub(super) enum Value {
    One(Tensor),
    Several(Vec<Tensor>),
}

/// A number of the program's text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Whole(i64),
    Real(f64),
}

/// A tensor, or a number of the program's text.
pub(super) enum Operand<'a> {
    Tensor(&'a Tensor),
    Number(Number),
}

/// One operation and the values that it may take.
pub(super) struct Call<'a> {
    pub operation: &'a Operation,
    pub values: &'a HashMap<&'a str, Value>,
}

/// Keywords that change no entry.
const SILENT: [&str; 7] = ["device", "layout", "pin_memory", "memory_format", "non_blocking", "implicit", "copy"];

impl<'a> Call<'a> {
    pub fn refuse(&self, found: impl ToString, expected: impl ToString) -> Unread {
        let Operation { name, operation, .. } = self.operation;
        Unread::new(format!("operation '{name}' ({operation})"), found, expected)
    }

    /// The argument at a place, or by its name.
    pub fn argument(&self, at: usize, name: &str) -> Option<&'a Argument> {
        let given = self.operation.arguments.get(at).or_else(|| self.operation.keywords.get(name));
        given.filter(|argument| **argument != Argument::None(()))
    }

    pub fn named(&self, argument: &'a Argument) -> Result<&'a Tensor, Unread> {
        let Argument::Result { value } = argument else {
            return Err(self.refuse(format!("{argument:?}"), "a tensor"));
        };
        match self.values.get(value.as_str()) {
            Some(Value::One(tensor)) => Ok(tensor),
            Some(Value::Several(_)) => Err(self.refuse(format!("all of '{value}'"), "one of its tensors")),
            None => Err(self.refuse(format!("'{value}'"), "the result of an operation before")),
        }
    }

    pub fn tensor(&self, at: usize) -> Result<&'a Tensor, Unread> {
        let argument = self.operation.arguments.get(at);
        self.named(argument.ok_or_else(|| self.refuse(format!("{at} arguments"), "a tensor more"))?)
    }

    pub fn tensors(&self, at: usize) -> Result<Vec<&'a Tensor>, Unread> {
        match self.operation.arguments.get(at) {
            Some(Argument::List(list)) => list.iter().map(|argument| self.named(argument)).collect(),
            other => Err(self.refuse(format!("{other:?}"), "a list of tensors")),
        }
    }

    pub fn number(&self, at: usize, name: &str) -> Option<Number> {
        match self.argument(at, name)? {
            Argument::Whole(x) => Some(Number::Whole(*x)),
            Argument::Real(x) => Some(Number::Real(*x)),
            _ => None,
        }
    }

    pub fn operand(&self, at: usize, name: &str) -> Result<Operand<'a>, Unread> {
        match self.number(at, name) {
            Some(number) => Ok(Operand::Number(number)),
            None => self.tensor(at).map(Operand::Tensor),
        }
    }

    /// An integer, or what holds where none is given.
    pub fn whole(&self, at: usize, name: &str, left_out: i64) -> Result<i64, Unread> {
        match self.argument(at, name) {
            None => Ok(left_out),
            Some(Argument::Whole(x)) => Ok(*x),
            Some(other) => Err(self.refuse(format!("{name} = {other:?}"), "an integer")),
        }
    }

    pub fn wholes(&self, at: usize, name: &str) -> Result<Vec<i64>, Unread> {
        let found = self.argument(at, name);
        let refused = || self.refuse(format!("{name} = {found:?}"), "a list of integers");
        match found {
            Some(Argument::List(list)) => {
                list.iter().map(|one| if let Argument::Whole(x) = one { Ok(*x) } else { Err(refused()) }).collect()
            }
            Some(Argument::Whole(x)) => Ok(vec![*x]),
            _ => Err(refused()),
        }
    }

    /// An axis of so many, counted from the end where it is negative.
    pub fn axis(&self, axis: i64, rank: usize) -> Result<usize, Unread> {
        let counted = if axis < 0 { axis + rank as i64 } else { axis };
        let held = usize::try_from(counted).ok().filter(|axis| *axis < rank);
        held.ok_or_else(|| self.refuse(format!("axis {axis} of {rank}"), "an axis that there is"))
    }

    /// The kind of the result, as it is written down.
    pub fn kind(&self) -> Result<Kind, Unread> {
        let described = self.operation.results.first();
        let known = described.and_then(|described| Kind::named(&described.dtype));
        let found = || described.map_or("no result".to_owned(), |described| described.dtype.clone());
        let expected = "int32, int64, bool, float16, bfloat16, float32, float64, complex64 or complex128";
        known.ok_or_else(|| self.refuse(found(), expected))
    }

    /// Refuses more arguments than an operation has.
    pub fn arguments(&self, base: &str) -> Result<(), Unread> {
        let most = match base {
            "alias" | "detach" | "clone" | "lift_fresh" | "lift_fresh_copy" | "contiguous" | "cos" | "sin" | "exp"
            | "log" | "neg" | "reciprocal" | "_to_copy" | "view_as_real" | "bitwise_not" | "logical_not" | "t" => 1,
            "mul" | "div" | "add" | "sub" | "pow" | "polar" | "complex" | "bmm" | "mm" | "lt" | "gt"
            | "bitwise_and" | "logical_and" | "view" | "_unsafe_view" | "reshape" | "unsqueeze" | "permute"
            | "repeat" => 2,
            _ => 6,
        };
        let count = self.operation.arguments.len();
        if count <= most { Ok(()) } else { Err(self.refuse(format!("{count} arguments"), format!("at most {most}"))) }
    }

    /// Refuses keywords that might change entries.
    pub fn keywords(&self, known: &[&str]) -> Result<(), Unread> {
        let silent = |name: &str| known.contains(&name) || SILENT.contains(&name) || name == "dtype";
        let given = self.operation.keywords.iter();
        match given.filter(|(_, value)| **value != Argument::None(())).find(|(name, _)| !silent(name)) {
            Some((name, value)) => Err(self.refuse(format!("{name} = {value:?}"), "an operation without it")),
            None => Ok(()),
        }
    }
}

/// A tensor whose entries are computed from indices that may not fit.
pub(super) fn fitting(call: &Call<'_>, tensor: Option<Tensor>) -> Result<Tensor, Unread> {
    let expected = format!("shapes that fit, of at most {LARGEST} entries");
    tensor.ok_or_else(|| call.refuse("shapes that do not fit", expected))
}
