//! Entries of tensors as expressions, each kept once.

use crate::program::contains;
use posproof_numerics::format::Format;
use std::collections::HashMap;

/// The place of an expression among all.
pub(super) type Id = u32;

/// An operation on two numbers, rounded to a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
}

/// A function of one number, in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Function {
    Cos,
    Sin,
    Exp,
    Log,
}

/// A question about numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Relation {
    Less,
    Greater,
}

/// An entry of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    /// An integer, exact in its tensor's format.
    Whole(i64),
    /// A number of the program's text, by the bits of binary64, exact in its tensor's format.
    Literal(u64),
    /// An entry of a constant that comes from outside of the graph.
    Constant(u64),
    /// The position of a row of the input, and an integer that is added to it.
    Position(u32, i64),
    /// An entry of an input, by the number of that.
    Input(u32),
    /// Rounded to a format.
    Cast(Format, Id),
    Negative(Id),
    Function(Function, Format, Id),
    Operator(Operator, Format, Id, Id),
    /// The entry of a column of a table at a position.
    Looked(u32, Id),
    Complex(Id, Id),
    Compared(Relation, Id, Id),
    Not(Id),
    Both(Id, Id),
    Where(Id, Id, Id),
}

/// All expressions of a graph.
#[derive(Default)]
pub(super) struct Scalars {
    all: Vec<Scalar>,
    known: HashMap<Scalar, Id>,
    columns: Vec<Vec<Id>>,
    known_columns: HashMap<Vec<Id>, u32>,
}

impl Scalars {
    pub fn get(&self, id: Id) -> Scalar {
        self.all.get(id as usize).copied().unwrap_or(Scalar::Input(u32::MAX))
    }

    pub fn keep(&mut self, scalar: Scalar) -> Id {
        let next = self.all.len() as Id;
        let id = *self.known.entry(scalar).or_insert(next);
        if id == next {
            self.all.push(scalar);
        }
        id
    }

    pub fn column(&self, column: u32) -> &[Id] {
        self.columns.get(column as usize).map_or(&[], Vec::as_slice)
    }

    /// The entry of a column at a position.
    pub fn looked(&mut self, column: Vec<Id>, position: Id) -> Id {
        let next = self.columns.len() as u32;
        let at = *self.known_columns.entry(column.clone()).or_insert(next);
        if at == next {
            self.columns.push(column);
        }
        self.keep(Scalar::Looked(at, position))
    }

    /// The format of an expression; none of integers, positions and truths, which are exact.
    pub fn format(&self, id: Id) -> Option<Format> {
        match self.get(id) {
            Scalar::Cast(format, _) | Scalar::Function(_, format, _) | Scalar::Operator(_, format, ..) => Some(format),
            Scalar::Negative(id) | Scalar::Where(_, id, _) => self.format(id),
            Scalar::Looked(column, _) => self.column(column).first().and_then(|id| self.format(*id)),
            _ => None,
        }
    }

    /// The number rounded to a format: itself where that holds it.
    pub fn rounded(&mut self, format: Format, id: Id) -> Id {
        let exact = match self.get(id) {
            Scalar::Whole(x) => format.round(x as f64) == x as f64 && x.unsigned_abs() < 1 << 53,
            Scalar::Literal(bits) | Scalar::Constant(bits) => {
                format.round(f64::from_bits(bits)) == f64::from_bits(bits)
            }
            _ => self.format(id).is_some_and(|narrow| contains(format, narrow)),
        };
        if exact { id } else { self.keep(Scalar::Cast(format, id)) }
    }

    pub fn negative(&mut self, id: Id) -> Id {
        match self.get(id) {
            Scalar::Negative(id) => id,
            Scalar::Whole(x) if x != i64::MIN && x != 0 => self.keep(Scalar::Whole(-x)),
            Scalar::Literal(bits) => self.keep(Scalar::Literal((-f64::from_bits(bits)).to_bits())),
            _ => self.keep(Scalar::Negative(id)),
        }
    }

    /// The sign of a factor, and the factor without it.
    fn sign(&mut self, id: Id) -> (bool, Id) {
        let negative = match self.get(id) {
            Scalar::Negative(_) => true,
            Scalar::Whole(x) => x < 0,
            Scalar::Literal(bits) => f64::from_bits(bits) < 0.0,
            _ => false,
        };
        (negative, if negative { self.negative(id) } else { id })
    }

    /// Signs are taken out of products and quotients, which rounds nothing.
    pub fn operator(&mut self, operator: Operator, format: Format, [a, b]: [Id; 2]) -> Id {
        if !matches!(operator, Operator::Mul | Operator::Div) {
            return self.keep(Scalar::Operator(operator, format, a, b));
        }
        let ((left, a), (right, b)) = (self.sign(a), self.sign(b));
        let result = self.keep(Scalar::Operator(operator, format, a, b));
        if left == right { result } else { self.negative(result) }
    }

    /// The expression in words, to so many levels.
    pub fn told(&self, id: Id, depth: u32) -> String {
        let inner = |id: Id| if depth == 0 { "…".to_owned() } else { self.told(id, depth - 1) };
        match self.get(id) {
            Scalar::Whole(x) => x.to_string(),
            Scalar::Literal(bits) => f64::from_bits(bits).to_string(),
            Scalar::Constant(bits) => format!("constant {}", f64::from_bits(bits)),
            Scalar::Position(row, 0) => format!("p[{row}]"),
            Scalar::Position(row, offset) => format!("(p[{row}] + {offset})"),
            Scalar::Input(_) => "an entry of x".into(),
            Scalar::Cast(format, id) => format!("{format}({})", inner(id)),
            Scalar::Negative(id) => format!("−{}", inner(id)),
            Scalar::Function(function, format, id) => {
                format!("{format}.{}({})", format!("{function:?}").to_lowercase(), inner(id))
            }
            Scalar::Operator(Operator::Pow, format, a, b) => format!("{format}.pow({}, {})", inner(a), inner(b)),
            Scalar::Operator(operator, format, a, b) => {
                let sign = match operator {
                    Operator::Add => "+",
                    Operator::Sub => "−",
                    Operator::Mul => "·",
                    _ => "/",
                };
                format!("{format}({} {sign} {})", inner(a), inner(b))
            }
            Scalar::Looked(column, at) => {
                let rows = self.column(column).len();
                format!("row {} of {rows} rows", inner(at))
            }
            Scalar::Complex(re, im) => format!("({} + i·{})", inner(re), inner(im)),
            Scalar::Compared(Relation::Less, a, b) => format!("{} < {}", inner(a), inner(b)),
            Scalar::Compared(Relation::Greater, a, b) => format!("{} > {}", inner(a), inner(b)),
            Scalar::Not(id) => format!("not ({})", inner(id)),
            Scalar::Both(a, b) => format!("({} and {})", inner(a), inner(b)),
            Scalar::Where(condition, a, b) => format!("({} where {}, else {})", inner(a), inner(condition), inner(b)),
        }
    }
}
