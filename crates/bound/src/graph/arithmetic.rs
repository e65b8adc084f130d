//! Operations that compute entries, each rounded to the format of its result.

use super::call::{Call, Number, Operand, fitting};
use super::scalars::{Function, Id, Operator, Relation, Scalar, Scalars};
use super::tensors::{Kind, Tensor};
use super::unread::Unread;
use crate::program::contains;
use posproof_numerics::format::Format;

/// An operation with one result, if it is one of these.
pub(super) fn one(
    scalars: &mut Scalars,
    call: &Call<'_>,
    base: &str,
    _overload: &str,
) -> Option<Result<Tensor, Unread>> {
    let function = |function| (Some(function), None);
    let operator = |operator| (None, Some(operator));
    let (function, operator) = match base {
        "cos" => function(Function::Cos),
        "sin" => function(Function::Sin),
        "exp" => function(Function::Exp),
        "log" => function(Function::Log),
        "mul" => operator(Operator::Mul),
        "div" => operator(Operator::Div),
        "add" => operator(Operator::Add),
        "sub" => operator(Operator::Sub),
        "pow" => operator(Operator::Pow),
        "_to_copy" | "to" => {
            return Some(call.kind().and_then(|kind| cast(scalars, call, call.tensor(0)?, kind)));
        }
        "neg" => return Some(negated(scalars, call)),
        "reciprocal" => return Some(inverted(scalars, call)),
        "rsub" => {
            let operands = [call.operand(1, "other"), call.operand(0, "self")];
            return Some(binary(scalars, call, Operator::Sub, operands));
        }
        "lt" => return Some(compared(scalars, call, Relation::Less)),
        "gt" => return Some(compared(scalars, call, Relation::Greater)),
        "bitwise_not" | "logical_not" => return Some(denied(scalars, call)),
        "bitwise_and" | "logical_and" => {
            return Some(both(scalars, call));
        }
        "where" => return Some(chosen(scalars, call)),
        "polar" => return Some(polar(scalars, call)),
        "complex" => return Some(complex(scalars, call)),
        "bmm" | "mm" => return Some(outer(scalars, call)),
        _ => return None,
    };
    Some(match (function, operator) {
        (Some(function), _) => applied(scalars, call, function),
        (_, Some(operator)) => binary(scalars, call, operator, [call.operand(0, "self"), call.operand(1, "other")]),
        _ => return None,
    })
}

/// A tensor in another kind: integers and wider floats are rounded.
pub(super) fn cast(scalars: &mut Scalars, call: &Call<'_>, tensor: &Tensor, kind: Kind) -> Result<Tensor, Unread> {
    let entries = match (tensor.kind, kind) {
        (own, wanted) if own == wanted => tensor.entries.clone(),
        (Kind::Whole | Kind::Float(_), Kind::Float(format)) => {
            tensor.entries.iter().map(|id| scalars.rounded(format, *id)).collect()
        }
        (Kind::Float(_), Kind::Whole)
            if tensor.entries.iter().all(|id| matches!(scalars.get(*id), Scalar::Whole(_))) =>
        {
            tensor.entries.clone()
        }
        (own, wanted) => {
            return Err(call.refuse(format!("a cast of {own:?} to {wanted:?}"), "one of integers or floats to floats"));
        }
    };
    Ok(Tensor { kind, entries, shape: tensor.shape.clone() })
}

/// The format of a result of real numbers.
fn real(call: &Call<'_>) -> Result<Format, Unread> {
    match call.kind()? {
        Kind::Float(format) => Ok(format),
        other => Err(call.refuse(format!("a result of {other:?}"), "a float")),
    }
}

/// An operand, in the format that an operation computes in.
fn prepared(scalars: &mut Scalars, call: &Call<'_>, operand: &Operand<'_>, format: Format) -> Result<Tensor, Unread> {
    match operand {
        Operand::Tensor(tensor) => match tensor.kind {
            Kind::Float(narrow) if !contains(format, narrow) => {
                let expected = format!("operands that {format} holds: a cast to it before");
                Err(call.refuse(format!("an operand in {narrow} for a result in {format}"), expected))
            }
            _ => cast(scalars, call, tensor, Kind::Float(format)),
        },
        Operand::Number(number) => {
            let scalar = literal(*number, format).ok_or_else(|| {
                call.refuse(
                    format!("{number:?}"),
                    format!("a number that {format} holds, because such operations compute in f32"),
                )
            })?;
            Ok(Tensor { kind: Kind::Float(format), shape: Vec::new(), entries: vec![scalars.keep(scalar)] })
        }
    }
}

/// A number of the program's text in a format: binary16 and bfloat16 compute with it in binary32, so that it has to be theirs.
fn literal(number: Number, format: Format) -> Option<Scalar> {
    let x = match number {
        Number::Whole(x) if x.unsigned_abs() < 1 << 53 => x as f64,
        Number::Whole(_) => return None,
        Number::Real(x) => x,
    };
    let rounded = format.round(x);
    let held = rounded == x || matches!(format, Format::F32 | Format::F64) && rounded.is_finite();
    held.then(|| match rounded.fract() == 0.0 && rounded.abs() < 9e15 {
        true => Scalar::Whole(rounded as i64),
        false => Scalar::Literal(rounded.to_bits()),
    })
}

/// Entry by entry, of two operands that are stretched to one shape.
fn paired(
    scalars: &mut Scalars,
    call: &Call<'_>,
    kind: Kind,
    [a, b]: [&Tensor; 2],
    mut entry: impl FnMut(&mut Scalars, Id, Id) -> Result<Id, Unread>,
) -> Result<Tensor, Unread> {
    let shape = a.common(b);
    let (a, b) = (fitting(call, a.stretched(&shape))?, fitting(call, b.stretched(&shape))?);
    let entries: Result<Vec<Id>, Unread> =
        a.entries.iter().zip(&b.entries).map(|(a, b)| entry(scalars, *a, *b)).collect();
    Ok(Tensor { kind, shape, entries: entries? })
}

fn is_one(operand: &Operand<'_>) -> bool {
    matches!(operand, Operand::Number(Number::Whole(1)))
        || matches!(operand, Operand::Number(Number::Real(x)) if *x == 1.0)
}

fn binary(
    scalars: &mut Scalars,
    call: &Call<'_>,
    operator: Operator,
    [a, b]: [Result<Operand<'_>, Unread>; 2],
) -> Result<Tensor, Unread> {
    let (a, b) = (a?, b?);
    if call.number(usize::MAX, "alpha").is_some_and(|alpha| alpha != Number::Whole(1)) {
        return Err(call.refuse("a factor alpha", "an operation without it"));
    }
    match call.kind()? {
        Kind::Whole => return integers(scalars, call, operator, [a, b]),
        Kind::Truth if operator == Operator::Mul => return both(scalars, call),
        _ => {}
    }
    let format = real(call)?;
    // A product or quotient by a literal 1 is exact.
    match operator {
        Operator::Mul | Operator::Div if is_one(&b) => return prepared(scalars, call, &a, format),
        Operator::Mul if is_one(&a) => return prepared(scalars, call, &b, format),
        _ => {}
    }
    let (a, b) = (prepared(scalars, call, &a, format)?, prepared(scalars, call, &b, format)?);
    paired(scalars, call, Kind::Float(format), [&a, &b], |scalars, a, b| Ok(scalars.operator(operator, format, [a, b])))
}

/// Integers are exact: sums of positions and integers, and what is computed of integers alone.
fn integers(
    scalars: &mut Scalars,
    call: &Call<'_>,
    operator: Operator,
    operands: [Operand<'_>; 2],
) -> Result<Tensor, Unread> {
    let [a, b] = operands.map(|operand| match operand {
        Operand::Tensor(tensor) => Some(tensor.clone()),
        Operand::Number(Number::Whole(x)) => {
            Some(Tensor { kind: Kind::Whole, shape: Vec::new(), entries: vec![scalars.keep(Scalar::Whole(x))] })
        }
        Operand::Number(Number::Real(_)) => None,
    });
    let (Some(a), Some(b)) = (a, b) else { return Err(call.refuse("an integer of a float", "integers")) };
    paired(scalars, call, Kind::Whole, [&a, &b], |scalars, a, b| {
        let folded = match (operator, scalars.get(a), scalars.get(b)) {
            (Operator::Add, Scalar::Whole(a), Scalar::Whole(b)) => a.checked_add(b).map(Scalar::Whole),
            (Operator::Sub, Scalar::Whole(a), Scalar::Whole(b)) => a.checked_sub(b).map(Scalar::Whole),
            (Operator::Mul, Scalar::Whole(a), Scalar::Whole(b)) => a.checked_mul(b).map(Scalar::Whole),
            (Operator::Add, Scalar::Position(row, by), Scalar::Whole(x))
            | (Operator::Add, Scalar::Whole(x), Scalar::Position(row, by)) => {
                by.checked_add(x).map(|by| Scalar::Position(row, by))
            }
            (Operator::Sub, Scalar::Position(row, by), Scalar::Whole(x)) => {
                by.checked_sub(x).map(|by| Scalar::Position(row, by))
            }
            _ => None,
        };
        let expected = "sums of positions and integers, in int64";
        folded.map(|folded| scalars.keep(folded)).ok_or_else(|| call.refuse("other arithmetic of integers", expected))
    })
}

fn applied(scalars: &mut Scalars, call: &Call<'_>, function: Function) -> Result<Tensor, Unread> {
    let format = real(call)?;
    let tensor = prepared(scalars, call, &Operand::Tensor(call.tensor(0)?), format)?;
    let entries = tensor.entries.iter().map(|id| scalars.keep(Scalar::Function(function, format, *id))).collect();
    Ok(Tensor { entries, ..tensor })
}

fn negated(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let tensor = call.tensor(0)?;
    Ok(Tensor { entries: tensor.entries.iter().map(|id| scalars.negative(*id)).collect(), ..tensor.clone() })
}

fn inverted(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let format = real(call)?;
    let tensor = prepared(scalars, call, &Operand::Tensor(call.tensor(0)?), format)?;
    let one = scalars.keep(Scalar::Whole(1));
    let entries = tensor.entries.iter().map(|id| scalars.operator(Operator::Div, format, [one, *id])).collect();
    Ok(Tensor { entries, ..tensor })
}

fn compared(scalars: &mut Scalars, call: &Call<'_>, relation: Relation) -> Result<Tensor, Unread> {
    let a = call.tensor(0)?;
    let Kind::Float(format) = a.kind else { return Err(call.refuse("integers", "floats")) };
    let b = prepared(scalars, call, &call.operand(1, "other")?, format)?;
    paired(scalars, call, Kind::Truth, [a, &b], |scalars, a, b| Ok(scalars.keep(Scalar::Compared(relation, a, b))))
}

fn truths(call: &Call<'_>, at: usize) -> Result<Tensor, Unread> {
    let tensor = call.tensor(at)?;
    match tensor.kind {
        Kind::Truth => Ok(tensor.clone()),
        other => Err(call.refuse(format!("{other:?}"), "truth values")),
    }
}

fn denied(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let tensor = truths(call, 0)?;
    Ok(Tensor { entries: tensor.entries.iter().map(|id| scalars.keep(Scalar::Not(*id))).collect(), ..tensor })
}

fn both(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let (a, b) = (truths(call, 0)?, truths(call, 1)?);
    paired(scalars, call, Kind::Truth, [&a, &b], |scalars, a, b| Ok(scalars.keep(Scalar::Both(a, b))))
}

fn chosen(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let (condition, format) = (truths(call, 0)?, real(call)?);
    let a = prepared(scalars, call, &call.operand(1, "self")?, format)?;
    let b = prepared(scalars, call, &call.operand(2, "other")?, format)?;
    let shape = Tensor { shape: a.common(&b), ..a.clone() }.common(&condition);
    let of = |tensor: &Tensor| fitting(call, tensor.stretched(&shape));
    let (condition, a, b) = (of(&condition)?, of(&a)?, of(&b)?);
    let triples = condition.entries.iter().zip(a.entries.iter().zip(&b.entries));
    let entries = triples.map(|(c, (a, b))| scalars.keep(Scalar::Where(*c, *a, *b))).collect();
    Ok(Tensor { kind: Kind::Float(format), shape, entries })
}

/// Complex numbers of length 1 by their angles.
fn polar(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let (length, angle) = (call.tensor(0)?, call.tensor(1)?);
    let Kind::Complex(format) = call.kind()? else { return Err(call.refuse("real numbers", "complex ones")) };
    if !length.entries.iter().all(|id| scalars.get(*id) == Scalar::Whole(1)) || angle.kind != Kind::Float(format) {
        return Err(call.refuse("another length than 1", "torch.polar(torch.ones_like(angles), angles)"));
    }
    paired(scalars, call, Kind::Complex(format), [length, angle], |scalars, _, angle| {
        let [re, im] =
            [Function::Cos, Function::Sin].map(|function| scalars.keep(Scalar::Function(function, format, angle)));
        Ok(scalars.keep(Scalar::Complex(re, im)))
    })
}

fn complex(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let (re, im) = (call.tensor(0)?, call.tensor(1)?);
    let kind = call.kind()?;
    if re.kind != im.kind || !matches!((kind, re.kind), (Kind::Complex(wide), Kind::Float(own)) if wide == own) {
        return Err(call.refuse("parts of another format", "two parts of one format"));
    }
    paired(scalars, call, kind, [re, im], |scalars, re, im| Ok(scalars.keep(Scalar::Complex(re, im))))
}

/// A product of matrices along an axis of size 1: an outer product, each entry rounded once.
fn outer(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let (a, b) = (call.tensor(0)?, call.tensor(1)?);
    let (rank, format) = (a.shape.len(), real(call)?);
    let single = rank >= 2 && b.shape.len() == rank && a.shape[rank - 1] == 1 && b.shape[rank - 2] == 1;
    if !single {
        let expected = "an outer product: sums of several products have no theorem here";
        return Err(call.refuse(format!("a product of matrices {:?} and {:?}", a.shape, b.shape), expected));
    }
    let (a, b) =
        (prepared(scalars, call, &Operand::Tensor(a), format)?, prepared(scalars, call, &Operand::Tensor(b), format)?);
    paired(scalars, call, Kind::Float(format), [&a, &b], |scalars, a, b| {
        Ok(scalars.operator(Operator::Mul, format, [a, b]))
    })
}
