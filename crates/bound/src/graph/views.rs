//! Operations that move entries and compute none.

use super::call::{Call, fitting};
use super::scalars::{Scalar, Scalars};
use super::tensors::{Kind, Tensor, count, index};
use super::unread::Unread;

/// An operation with one result, if it is one of these.
pub(super) fn one(
    scalars: &mut Scalars,
    call: &Call<'_>,
    base: &str,
    _overload: &str,
) -> Option<Result<Tensor, Unread>> {
    Some(match base {
        "alias" | "detach" | "clone" | "lift_fresh" | "lift_fresh_copy" | "contiguous" | "view_of" => {
            call.tensor(0).cloned()
        }
        "view" | "_unsafe_view" | "reshape" => reshaped(call),
        "unsqueeze" => unsqueezed(call),
        "squeeze" => squeezed(call),
        "expand" => expanded(call),
        "permute" => permuted(call),
        "transpose" | "t" => transposed(call, base),
        "slice" => sliced(call),
        "select" => selected(call),
        "cat" => catenated(call),
        "stack" => stacked(call),
        "repeat" => repeated(call),
        "view_as_real" => as_real(scalars, call),
        _ => return None,
    })
}

fn reshaped(call: &Call<'_>) -> Result<Tensor, Unread> {
    let (tensor, wanted) = (call.tensor(0)?, call.wholes(1, "size")?);
    let known: usize = wanted.iter().filter(|size| **size >= 0).map(|size| *size as usize).product();
    let open = tensor.entries.len().checked_div(known).unwrap_or(0);
    let shape: Vec<usize> = wanted.iter().map(|size| if *size < 0 { open } else { *size as usize }).collect();
    let fits = count(&shape) == Some(tensor.entries.len());
    fitting(call, fits.then(|| Tensor { shape, ..tensor.clone() }))
}

fn unsqueezed(call: &Call<'_>) -> Result<Tensor, Unread> {
    let tensor = call.tensor(0)?;
    let axis = call.axis(call.whole(1, "dim", 0)?, tensor.shape.len() + 1)?;
    let mut shape = tensor.shape.clone();
    shape.insert(axis, 1);
    Ok(Tensor { shape, ..tensor.clone() })
}

fn squeezed(call: &Call<'_>) -> Result<Tensor, Unread> {
    let tensor = call.tensor(0)?;
    let axes: Vec<usize> = match call.argument(1, "dim") {
        None => (0..tensor.shape.len()).collect(),
        Some(_) => {
            let axes = call.wholes(1, "dim")?;
            axes.into_iter().map(|axis| call.axis(axis, tensor.shape.len())).collect::<Result<_, _>>()?
        }
    };
    let kept = |(axis, size): (usize, &usize)| (*size != 1 || !axes.contains(&axis)).then_some(*size);
    Ok(Tensor { shape: tensor.shape.iter().enumerate().filter_map(kept).collect(), ..tensor.clone() })
}

fn expanded(call: &Call<'_>) -> Result<Tensor, Unread> {
    let (tensor, wanted) = (call.tensor(0)?, call.wholes(1, "size")?);
    let ahead = wanted.len().checked_sub(tensor.shape.len());
    let size = |(axis, size): (usize, &i64)| match usize::try_from(*size) {
        Ok(size) => Some(size),
        Err(_) => tensor.shape.get(axis.checked_sub(ahead?)?).copied(),
    };
    let shape: Option<Vec<usize>> = wanted.iter().enumerate().map(size).collect();
    fitting(call, shape.and_then(|shape| tensor.stretched(&shape)))
}

fn permuted(call: &Call<'_>) -> Result<Tensor, Unread> {
    let (tensor, wanted) = (call.tensor(0)?, call.wholes(1, "dims")?);
    let rank = tensor.shape.len();
    let axes: Vec<usize> = wanted.into_iter().map(|axis| call.axis(axis, rank)).collect::<Result<_, _>>()?;
    let mut sorted = axes.clone();
    sorted.sort_unstable();
    if sorted != (0..rank).collect::<Vec<usize>>() {
        return Err(call.refuse(format!("axes {axes:?} of {rank}"), "each axis once"));
    }
    arranged(call, tensor, &axes)
}

/// The tensor whose axes are those of another in an order.
fn arranged(call: &Call<'_>, tensor: &Tensor, axes: &[usize]) -> Result<Tensor, Unread> {
    let source = |index: &[usize]| -> Vec<usize> {
        let mut source = vec![0; axes.len()];
        for (axis, at) in axes.iter().zip(index) {
            source[*axis] = *at;
        }
        source
    };
    let shape = axes.iter().map(|axis| tensor.shape[*axis]).collect();
    fitting(call, tensor.moved(shape, source))
}

fn transposed(call: &Call<'_>, base: &str) -> Result<Tensor, Unread> {
    let tensor = call.tensor(0)?;
    let rank = tensor.shape.len();
    let mut axes: Vec<usize> = (0..rank).collect();
    if base == "t" {
        axes.reverse();
    } else {
        axes.swap(call.axis(call.whole(1, "dim0", 0)?, rank)?, call.axis(call.whole(2, "dim1", 0)?, rank)?);
    }
    arranged(call, tensor, &axes)
}

/// The indices of an axis that a slice takes.
pub(super) fn taken(call: &Call<'_>, first: usize, size: usize) -> Result<Vec<usize>, Unread> {
    let step = call.whole(first + 2, "step", 1)?;
    let from_end = |at: i64| if at < 0 { at.saturating_add(size as i64) } else { at }.clamp(0, size as i64) as usize;
    let start = from_end(call.whole(first, "start", 0)?);
    let end = from_end(call.whole(first + 1, "end", i64::MAX)?);
    let step = usize::try_from(step).ok().filter(|step| *step > 0);
    let step = step.ok_or_else(|| call.refuse("a step below 1", "one of at least 1"))?;
    Ok((start..end).step_by(step).collect())
}

fn sliced(call: &Call<'_>) -> Result<Tensor, Unread> {
    let tensor = call.tensor(0)?;
    let axis = call.axis(call.whole(1, "dim", 0)?, tensor.shape.len())?;
    let taken = taken(call, 2, tensor.shape[axis])?;
    let mut shape = tensor.shape.clone();
    shape[axis] = taken.len();
    let source = |index: &[usize]| {
        let mut source = index.to_vec();
        source[axis] = taken[index[axis]];
        source
    };
    fitting(call, tensor.moved(shape, source))
}

/// The tensor at an index of an axis.
fn at(call: &Call<'_>, tensor: &Tensor, axis: usize, at: i64) -> Result<Tensor, Unread> {
    let at = call.axis(at, tensor.shape[axis])?;
    let mut shape = tensor.shape.clone();
    shape.remove(axis);
    let source = |index: &[usize]| {
        let mut source = index.to_vec();
        source.insert(axis, at);
        source
    };
    fitting(call, tensor.moved(shape, source))
}

fn selected(call: &Call<'_>) -> Result<Tensor, Unread> {
    let tensor = call.tensor(0)?;
    let axis = call.axis(call.whole(1, "dim", 0)?, tensor.shape.len())?;
    at(call, tensor, axis, call.whole(2, "index", 0)?)
}

fn joined(call: &Call<'_>, tensors: &[Tensor], axis: usize) -> Result<Tensor, Unread> {
    let first = tensors.first().ok_or_else(|| call.refuse("no tensors", "at least one"))?;
    let mut shape = first.shape.clone();
    shape[axis] = 0;
    let mut sources = Vec::new();
    for (number, tensor) in tensors.iter().enumerate() {
        let other = |shape: &[usize]| {
            shape.iter().enumerate().filter(|(at, _)| *at != axis).map(|(_, s)| *s).collect::<Vec<_>>()
        };
        if tensor.shape.len() != shape.len() || other(&tensor.shape) != other(&shape) || tensor.kind != first.kind {
            return Err(call.refuse("tensors of different shapes or kinds", "tensors that differ along one axis"));
        }
        sources.extend((0..tensor.shape[axis]).map(|at| (number, at)));
        shape[axis] += tensor.shape[axis];
    }
    let entry = |place: usize| {
        let mut index = index(&shape, place);
        let (number, at) = sources[index[axis]];
        index[axis] = at;
        let tensor = &tensors[number];
        tensor.entries[tensor.place(&index)]
    };
    let count = count(&shape).ok_or_else(|| call.refuse(format!("{shape:?}"), "fewer entries"))?;
    Ok(Tensor { kind: first.kind, entries: (0..count).map(entry).collect(), shape: shape.clone() })
}

fn catenated(call: &Call<'_>) -> Result<Tensor, Unread> {
    let tensors: Vec<Tensor> = call.tensors(0)?.into_iter().cloned().collect();
    let rank = tensors.first().map_or(0, |tensor| tensor.shape.len());
    joined(call, &tensors, call.axis(call.whole(1, "dim", 0)?, rank)?)
}

fn stacked(call: &Call<'_>) -> Result<Tensor, Unread> {
    let mut tensors: Vec<Tensor> = call.tensors(0)?.into_iter().cloned().collect();
    let rank = tensors.first().map_or(0, |tensor| tensor.shape.len());
    let axis = call.axis(call.whole(1, "dim", 0)?, rank + 1)?;
    if tensors.iter().any(|tensor| tensor.shape.len() != rank) {
        return Err(call.refuse("tensors of different shapes", "tensors of one shape"));
    }
    tensors.iter_mut().for_each(|tensor| tensor.shape.insert(axis, 1));
    joined(call, &tensors, axis)
}

fn repeated(call: &Call<'_>) -> Result<Tensor, Unread> {
    let (tensor, times) = (call.tensor(0)?, call.wholes(1, "repeats")?);
    let ahead = times.len().checked_sub(tensor.shape.len());
    let ahead = ahead.ok_or_else(|| call.refuse(format!("{times:?}"), "as many as there are axes"))?;
    let own: Vec<usize> = std::iter::repeat_n(1, ahead).chain(tensor.shape.iter().copied()).collect();
    let size = |(own, times): (&usize, &i64)| usize::try_from(*times).ok().map(|times| own * times);
    let shape: Option<Vec<usize>> = own.iter().zip(&times).map(size).collect();
    let source = |index: &[usize]| index.iter().zip(&own).skip(ahead).map(|(at, own)| at % own).collect();
    fitting(call, shape.and_then(|shape| tensor.moved(shape, source)))
}

fn as_real(scalars: &Scalars, call: &Call<'_>) -> Result<Tensor, Unread> {
    let tensor = call.tensor(0)?;
    let Kind::Complex(format) = tensor.kind else {
        return Err(call.refuse("a tensor of real numbers", "one of complex numbers"));
    };
    let mut entries = Vec::with_capacity(2 * tensor.entries.len());
    for entry in &tensor.entries {
        let Scalar::Complex(re, im) = scalars.get(*entry) else {
            return Err(call.refuse(scalars.told(*entry, 2), "real and imaginary parts that are known"));
        };
        entries.extend([re, im]);
    }
    let shape = tensor.shape.iter().copied().chain([2]).collect();
    Ok(Tensor { kind: Kind::Float(format), shape, entries })
}

/// The results of an operation with several.
pub(super) fn several(call: &Call<'_>, base: &str) -> Result<Vec<Tensor>, Unread> {
    let tensor = call.tensor(0)?;
    let axis = if base == "unbind" { call.whole(1, "dim", 0)? } else { call.whole(2, "dim", 0)? };
    let axis = call.axis(axis, tensor.shape.len())?;
    let size = tensor.shape[axis];
    if base == "unbind" {
        return (0..size).map(|index| at(call, tensor, axis, index as i64)).collect();
    }
    let sizes: Vec<usize> = match call.wholes(1, "split_size")?.as_slice() {
        [one] if base == "split" && *one > 0 => {
            (0..size).step_by(*one as usize).map(|start| (*one as usize).min(size - start)).collect()
        }
        list => list.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect(),
    };
    if sizes.iter().sum::<usize>() != size {
        return Err(call.refuse(format!("parts of {sizes:?}"), format!("parts of {size} in all")));
    }
    let mut start = 0;
    let part = |size: usize| {
        let first = start;
        start += size;
        let mut shape = tensor.shape.clone();
        shape[axis] = size;
        let source = |index: &[usize]| {
            let mut source = index.to_vec();
            source[axis] += first;
            source
        };
        fitting(call, tensor.moved(shape, source))
    };
    sizes.into_iter().map(part).collect()
}
