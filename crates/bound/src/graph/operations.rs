//! The operations of a graph, one after another.

use super::call::{Call, Value};
use super::document::{Argument, Described, Graph, Input, Role};
use super::scalars::{Id, Scalar, Scalars};
use super::tensors::{Kind, Tensor, count};
use super::unread::Unread;
use super::{arithmetic, indexing, views};
use std::collections::HashMap;

/// Every entry of the outputs, and the outputs.
pub(super) fn run(graph: &Graph) -> Result<(Scalars, Vec<Tensor>), Unread> {
    let mut scalars = Scalars::default();
    let mut values: HashMap<&str, Value> = HashMap::new();
    for (number, input) in graph.inputs.iter().enumerate() {
        values.insert(&input.name, Value::One(given(&mut scalars, number as u32, input)?));
    }
    for operation in &graph.operations {
        let call = Call { operation, values: &values };
        let value = result(&mut scalars, &call)?;
        if values.insert(&operation.name, value).is_some() {
            let place = format!("operation '{}'", operation.name);
            return Err(Unread::new(place, "a second result of that name", "each name once"));
        }
    }
    let output = |output: &Argument| match output {
        Argument::Result { value } => match values.get(value.as_str()) {
            Some(Value::One(tensor)) => Ok(tensor.clone()),
            _ => Err(Unread::new("outputs", format!("'{value}'"), "a tensor of the graph")),
        },
        other => Err(Unread::new("outputs", format!("{other:?}"), "tensors")),
    };
    let outputs: Result<Vec<Tensor>, Unread> = graph.outputs.iter().map(output).collect();
    Ok((scalars, outputs?))
}

fn given(scalars: &mut Scalars, number: u32, input: &Input) -> Result<Tensor, Unread> {
    let Described { dtype, shape } = &input.kind;
    let refuse = |found: String, expected: &str| Unread::new(format!("input '{}'", input.name), found, expected);
    let kind = Kind::named(dtype).ok_or_else(|| refuse(dtype.clone(), "a tensor of integers or binary floats"))?;
    let count = count(shape).ok_or_else(|| refuse(format!("{shape:?}"), "fewer entries"))?;
    let entries: Option<Vec<Id>> = match (input.role, kind) {
        (Role::Positions, Kind::Whole) => {
            Some((0..count).map(|row| scalars.keep(Scalar::Position(row as u32, 0))).collect())
        }
        (Role::Vectors, _) => Some(vec![scalars.keep(Scalar::Input(number)); count]),
        (Role::Constant, _) => {
            let listed = input.entries.as_deref().filter(|entries| entries.len() == count);
            let entry = |entry: &Argument| match (entry, kind) {
                (Argument::Whole(x), Kind::Whole) => Some(scalars.keep(Scalar::Whole(*x))),
                (Argument::Real(x), Kind::Float(format)) if format.round(*x) == *x => {
                    Some(scalars.keep(constant(*x, shape)))
                }
                _ => None,
            };
            listed.and_then(|listed| listed.iter().map(entry).collect())
        }
        _ => None,
    };
    let entries =
        entries.ok_or_else(|| refuse(format!("{dtype} {shape:?}"), "integers as positions, entries of a constant"))?;
    Ok(Tensor { kind, shape: shape.clone(), entries })
}

/// A single number is of the program's text as much as a literal is.
fn constant(x: f64, shape: &[usize]) -> Scalar {
    match shape.is_empty() {
        true if x.fract() == 0.0 && x.abs() < 9e15 => Scalar::Whole(x as i64),
        true => Scalar::Literal(x.to_bits()),
        false => Scalar::Constant(x.to_bits()),
    }
}

fn result(scalars: &mut Scalars, call: &Call<'_>) -> Result<Value, Unread> {
    let place = format!("operation '{}' ({})", call.operation.name, call.operation.operation);
    let name = call.operation.operation.strip_prefix("aten.").unwrap_or(&call.operation.operation);
    let (base, overload) = name.split_once('.').unwrap_or((name, ""));
    call.arguments(base)?;
    call.keywords(&["dim", "start", "end", "step", "alpha", "other"])?;
    let several = match base {
        "split" | "split_with_sizes" | "unbind" => Some(views::several(call, base)?),
        _ => None,
    };
    let described = &call.operation.results;
    if let Some(tensors) = several {
        if tensors.len() != described.len() {
            return Err(call.refuse(format!("{} results", described.len()), tensors.len()));
        }
        let agreed: Result<Vec<Tensor>, Unread> =
            tensors.into_iter().zip(described).map(|(tensor, described)| tensor.agree(&place, described)).collect();
        return agreed.map(Value::Several);
    }
    let [described] = described.as_slice() else {
        return Err(call.refuse(format!("{} results", described.len()), "one"));
    };
    let found =
        [views::one, indexing::one, arithmetic::one].into_iter().find_map(|kind| kind(scalars, call, base, overload));
    let tensor = match found {
        Some(tensor) => tensor?,
        None if name == "operator.getitem" || base == "getitem" => part(call)?,
        None => return Err(call.refuse("an operation of which no theorem speaks", EXPECTED)),
    };
    tensor.agree(&place, described).map(Value::One)
}

/// The operations of a graph, and what to do with another.
const EXPECTED: &str = "views, copies, casts, arange, gather, +, −, ·, /, pow, exp, log, sin and cos; compute anything else \
                        outside of the function, or state the program by options";

fn part(call: &Call<'_>) -> Result<Tensor, Unread> {
    let Some(Argument::Result { value }) = call.operation.arguments.first() else {
        return Err(call.refuse("no tensors", "the results of an operation"));
    };
    let at = call.whole(1, "index", 0)?;
    match call.values.get(value.as_str()) {
        Some(Value::Several(tensors)) => usize::try_from(at)
            .ok()
            .and_then(|at| tensors.get(at))
            .cloned()
            .ok_or_else(|| call.refuse(format!("part {at}"), format!("one of {}", tensors.len()))),
        _ => Err(call.refuse(format!("'{value}'"), "the results of an operation")),
    }
}
