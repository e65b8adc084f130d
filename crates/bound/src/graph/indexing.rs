//! Operations that make tensors, look entries up or write some of them.

use super::call::{Call, Number, fitting};
use super::document::Argument;
use super::scalars::{Id, Scalar, Scalars};
use super::tensors::{Kind, Tensor, count, index};
use super::unread::Unread;
use super::views::taken;

/// An operation with one result, if it is one of these.
pub(super) fn one(
    scalars: &mut Scalars,
    call: &Call<'_>,
    base: &str,
    overload: &str,
) -> Option<Result<Tensor, Unread>> {
    Some(match base {
        "arange" => counted(scalars, call, overload),
        "zeros" | "zeros_like" | "new_zeros" => filled(scalars, call, Number::Whole(0)),
        "ones" | "ones_like" | "new_ones" => filled(scalars, call, Number::Whole(1)),
        "full" => match call.number(1, "fill_value") {
            Some(number) => filled(scalars, call, number),
            None => Err(call.refuse("no number", "one")),
        },
        "scalar_tensor" => match call.number(0, "s") {
            Some(number) => filled(scalars, call, number),
            None => Err(call.refuse("no number", "one")),
        },
        "empty" | "empty_like" => empty(scalars, call),
        "gather" => gathered(scalars, call),
        "index_select" => picked(scalars, call, 1),
        "index" => indexed(scalars, call),
        "embedding" => rows(scalars, call, call.tensor(0), call.tensor(1), 0),
        "slice_scatter" => written(call, true),
        "select_scatter" => written(call, false),
        "copy" => copied(scalars, call),
        _ => return None,
    })
}

fn whole(call: &Call<'_>, number: Option<Number>, left_out: i64) -> Result<i64, Unread> {
    match number {
        None => Ok(left_out),
        Some(Number::Whole(x)) => Ok(x),
        Some(Number::Real(x)) if x.fract() == 0.0 && x.abs() < 1e15 => Ok(x as i64),
        Some(Number::Real(x)) => Err(call.refuse(x, "an arange of integers")),
    }
}

fn counted(scalars: &mut Scalars, call: &Call<'_>, overload: &str) -> Result<Tensor, Unread> {
    let number = |at| call.number(at, "");
    let (start, end) = match overload {
        "start" | "start_step" => (whole(call, number(0), 0)?, whole(call, number(1), 0)?),
        _ => (0, whole(call, number(0), 0)?),
    };
    let step = whole(call, call.number(2, "step"), 1)?;
    let kind = call.kind()?;
    let held = |x: i64| match kind {
        Kind::Float(format) => format.round(x as f64) == x as f64,
        Kind::Whole => true,
        _ => false,
    };
    let count = if step > 0 { (end.saturating_sub(start).max(0) as u64).div_ceil(step as u64) } else { 0 };
    let fits = usize::try_from(count).ok().filter(|size| super::tensors::count(&[*size]).is_some());
    let size = fits
        .filter(|size| *size > 0)
        .ok_or_else(|| call.refuse(format!("{count} numbers"), "at least one, and not as many"))?;
    let numbers = (0..size as i64).map(|at| start + at * step);
    if !numbers.clone().all(held) {
        return Err(call.refuse("integers that the format does not hold", "integers that it holds exactly"));
    }
    Ok(Tensor { kind, shape: vec![size], entries: numbers.map(|x| scalars.keep(Scalar::Whole(x))).collect() })
}

fn filled(scalars: &mut Scalars, call: &Call<'_>, number: Number) -> Result<Tensor, Unread> {
    let kind = call.kind()?;
    let scalar = match (number, kind) {
        (Number::Whole(x), Kind::Whole) => Some(Scalar::Whole(x)),
        (Number::Whole(x), Kind::Float(format)) if format.round(x as f64) == x as f64 => Some(Scalar::Whole(x)),
        (Number::Real(x), Kind::Float(_)) if x.fract() == 0.0 && x.abs() < 256.0 => Some(Scalar::Whole(x as i64)),
        (Number::Real(x), Kind::Float(format)) if format.round(x).is_finite() => {
            Some(Scalar::Literal(format.round(x).to_bits()))
        }
        _ => None,
    };
    let id =
        scalars.keep(scalar.ok_or_else(|| call.refuse(format!("{number:?} as {kind:?}"), "a number that it holds"))?);
    constant(call, kind, id)
}

fn constant(call: &Call<'_>, kind: Kind, id: Id) -> Result<Tensor, Unread> {
    let shape = call.operation.results.first().map_or(Vec::new(), |described| described.shape.clone());
    let entries = count(&shape).map(|count| vec![id; count]);
    fitting(call, entries.map(|entries| Tensor { kind, shape, entries }))
}

/// Memory whose entries are not known until they are written.
fn empty(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let id = scalars.keep(Scalar::Input(u32::MAX));
    constant(call, call.kind()?, id)
}

/// The entry of a column at an index: the index is an integer, or a position of the input.
fn entry(scalars: &mut Scalars, call: &Call<'_>, column: Vec<Id>, at: Id) -> Result<Id, Unread> {
    match scalars.get(at) {
        Scalar::Whole(x) => {
            let counted = if x < 0 { x + column.len() as i64 } else { x };
            let found = usize::try_from(counted).ok().and_then(|at| column.get(at)).copied();
            found.ok_or_else(|| call.refuse(format!("index {x} of {}", column.len()), "an index within the tensor"))
        }
        Scalar::Position(..) => Ok(scalars.looked(column, at)),
        _ => Err(call.refuse(format!("the index {}", scalars.told(at, 2)), "positions, or integers")),
    }
}

fn gathered(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let (tensor, at) = (call.tensor(0)?, call.tensor(2)?);
    let axis = call.axis(call.whole(1, "dim", 0)?, tensor.shape.len())?;
    let smaller = at.shape.len() == tensor.shape.len()
        && at.shape.iter().zip(&tensor.shape).enumerate().all(|(place, (own, of))| place == axis || own <= of);
    if !smaller {
        return Err(call.refuse(format!("indices {:?} into {:?}", at.shape, tensor.shape), "indices that fit"));
    }
    let mut entries = Vec::with_capacity(at.entries.len());
    for (place, &id) in at.entries.iter().enumerate() {
        let mut source = index(&at.shape, place);
        let column = (0..tensor.shape[axis]).map(|row| {
            source[axis] = row;
            tensor.entries[tensor.place(&source)]
        });
        let column: Vec<Id> = column.collect();
        entries.push(entry(scalars, call, column, id)?);
    }
    Ok(Tensor { kind: tensor.kind, shape: at.shape.clone(), entries })
}

/// The rows of a tensor, along an axis, at indices.
fn rows(
    scalars: &mut Scalars,
    call: &Call<'_>,
    tensor: Result<&Tensor, Unread>,
    at: Result<&Tensor, Unread>,
    axis: usize,
) -> Result<Tensor, Unread> {
    let (tensor, at) = (tensor?, at?);
    if tensor.shape.len() <= axis || at.kind != Kind::Whole {
        return Err(call.refuse(format!("{:?} at axis {axis}", tensor.shape), "rows of a tensor, at integers"));
    }
    let (before, after) = (&tensor.shape[..axis], &tensor.shape[axis + 1..]);
    let shape: Vec<usize> = before.iter().chain(&at.shape).chain(after).copied().collect();
    let Some(count) = count(&shape) else { return Err(call.refuse(format!("{shape:?}"), "fewer entries")) };
    let mut entries = Vec::with_capacity(count);
    for place in 0..count {
        let index = index(&shape, place);
        let (head, rest) = index.split_at(axis);
        let (own, tail) = rest.split_at(at.shape.len());
        let column = (0..tensor.shape[axis]).map(|row| {
            let source: Vec<usize> = head.iter().copied().chain([row]).chain(tail.iter().copied()).collect();
            tensor.entries[tensor.place(&source)]
        });
        let column: Vec<Id> = column.collect();
        entries.push(entry(scalars, call, column, at.entries[at.place(own)])?);
    }
    Ok(Tensor { kind: tensor.kind, shape, entries })
}

fn picked(scalars: &mut Scalars, call: &Call<'_>, place: usize) -> Result<Tensor, Unread> {
    let tensor = call.tensor(0)?;
    let axis = call.axis(call.whole(place, "dim", 0)?, tensor.shape.len())?;
    rows(scalars, call, Ok(tensor), call.tensor(place + 1), axis)
}

/// `tensor[:, indices]`: one axis, all of those before it whole.
fn indexed(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let refused = || call.refuse("several indices", "the rows of one axis");
    let Some(Argument::List(list)) = call.operation.arguments.get(1) else { return Err(refused()) };
    let mut given = list.iter().enumerate().filter(|(_, argument)| **argument != Argument::None(()));
    let (Some((axis, argument)), None) = (given.next(), given.next()) else { return Err(refused()) };
    rows(scalars, call, call.tensor(0), call.named(argument), axis)
}

/// A tensor with a part of it replaced.
fn written(call: &Call<'_>, slice: bool) -> Result<Tensor, Unread> {
    let (tensor, source) = (call.tensor(0)?, call.tensor(1)?);
    let axis = call.axis(call.whole(2, "dim", 0)?, tensor.shape.len())?;
    let taken = match slice {
        true => taken(call, 3, tensor.shape[axis])?,
        false => vec![call.axis(call.whole(3, "index", 0)?, tensor.shape[axis])?],
    };
    let mut part = tensor.shape.clone();
    part[axis] = taken.len();
    let same = source.kind == tensor.kind && count(&part) == Some(source.entries.len());
    if !same {
        return Err(call.refuse(format!("{:?} for {part:?}", source.shape), "a tensor of that shape and kind"));
    }
    let mut entries = tensor.entries.clone();
    for (place, entry) in source.entries.iter().enumerate() {
        let mut index = index(&part, place);
        index[axis] = taken[index[axis]];
        let at = tensor.place(&index);
        entries[at] = *entry;
    }
    Ok(Tensor { kind: tensor.kind, shape: tensor.shape.clone(), entries })
}

/// A copy into a tensor, in its shape and format.
fn copied(scalars: &mut Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let (target, source) = (call.tensor(0)?, call.tensor(1)?);
    let source = super::arithmetic::cast(scalars, call, source, target.kind)?;
    fitting(call, source.stretched(&target.shape))
}
