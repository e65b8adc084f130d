//! Which layers are of which kind.

use super::keys::{Keys, kind, number};
use super::{InvalidConfig, Problem};
use crate::atlas::{ByLayer, Family, Label, LastOnes, Numbers};
use crate::real::Real;
use serde_json::Value;
use std::collections::BTreeMap;

/// Layers of one kind, by its name: the label of their rotation, or none, and the layers where their number is known.
#[derive(Default)]
pub(super) struct Group {
    pub name: String,
    pub label: Option<String>,
    pub layers: Vec<usize>,
    /// The base of these layers alone, with the place that says it.
    pub base: Option<(Real, String)>,
    /// True where a scaling rule does not hold for these layers.
    pub unscaled: bool,
}

/// Layers that are listed at most: far above any model's.
const MAX_LAYERS: u64 = 1 << 16;

/// The names of layer types, in a file of any family: the general one and the family's own.
pub(super) fn lists_types(family: &Family, key: &str) -> bool {
    key == "layer_types" || family.names.get("layer_types").is_some_and(|own| own == key)
}

/// The groups of layers of a configuration, in the order of their first layer.
pub(super) fn groups(family: &Family, root: &Keys<'_>) -> Result<Vec<Group>, InvalidConfig> {
    let layers = &family.layers;
    let count = count(family, root)?;
    if let Some(bases) = &layers.by_layer {
        return based(bases, root, count);
    }
    if let Some(all) = &layers.all {
        let all = Group {
            name: "all".into(),
            label: label(all),
            layers: (0..count.unwrap_or(0)).collect(),
            ..Group::default()
        };
        return match layers.scaled.as_deref() {
            Some(key) if root.get(key).is_some() => scaled(key, root, all),
            _ => Ok(vec![all]),
        };
    }
    if layers.irregular {
        let found = "a family whose layers differ by no rule that was found";
        return Err(root.problem(Problem::NotExpressible, "model_type", found, "a family whose schedule was measured"));
    }
    match &layers.types {
        Some(types) => typed(family, types, root, count),
        None => flagged(family, root, count),
    }
}

/// Layers that are told apart by a list of their bases, in which 0 stands for no rotation.
fn based(bases: &ByLayer, root: &Keys<'_>, count: Option<usize>) -> Result<Vec<Group>, InvalidConfig> {
    let key = &bases.key;
    let named = |base: &Real| if bases.base { format!("base {base}") } else { "rope".to_owned() };
    let mut groups: Vec<Group> = Vec::new();
    let mut put = |layer: usize, base: Option<Real>, stated: bool| {
        let rotates = base.as_ref().is_some_and(|base| !base.is_zero());
        let name = base.as_ref().filter(|_| rotates).map_or("no_rope".to_owned(), named);
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.layers.push(layer),
            None => groups.push(Group {
                name,
                label: rotates.then(|| bases.kind.clone()),
                layers: vec![layer],
                base: base.filter(|_| stated && bases.base && rotates).map(|base| (base, root.place(key))),
                unscaled: false,
            }),
        }
    };
    match (root.get(key), &bases.own, count) {
        (Some(Value::Array(list)), ..) if !list.is_empty() => {
            listed(key, root, list.len(), count)?;
            for (layer, item) in list.iter().enumerate() {
                let base = number(item).ok_or_else(|| root.wrong(key, item, "a list of numbers, 0 for no rotation"))?;
                put(layer, Some(base), true);
            }
        }
        (Some(other), ..) => return Err(root.wrong(key, kind(other), "a list of numbers, 0 for no rotation")),
        (None, Some(own), Some(count)) if !own.period.is_empty() => {
            for layer in 0..count {
                let step = if own.backward { count - 1 - layer } else { layer };
                put(layer, own.period[step % own.period.len()].then(|| Real::from(1)), false);
            }
        }
        (None, ..) => {
            return Err(root.problem(Problem::Missing, key, "nothing", "the base of each layer, 0 for no rotation"));
        }
    }
    // Where all rotate alike, they are not told apart.
    match groups.as_mut_slice() {
        [only] => only.name = "all".into(),
        several => several
            .iter_mut()
            .filter(|group| group.label.is_some() && group.base.is_none())
            .for_each(|group| group.name = "rope".into()),
    }
    Ok(groups)
}

/// Layers that are told apart by whether a rule scales their frequencies.
fn scaled(key: &str, root: &Keys<'_>, all: Group) -> Result<Vec<Group>, InvalidConfig> {
    let count = all.layers.len();
    let expected = || format!("a list of numbers of the {count} layers, counted from 0");
    let list = root.get(key).and_then(Value::as_array).ok_or_else(|| root.wrong(key, "another value", expected()))?;
    let numbers = list
        .iter()
        .map(|item| item.as_u64().and_then(|layer| usize::try_from(layer).ok()).filter(|&layer| layer < count));
    let numbers: Option<Vec<usize>> = numbers.collect();
    let numbers = numbers.ok_or_else(|| root.wrong(key, "another item", expected()))?;
    let (inside, outside): (Vec<usize>, Vec<usize>) = all.layers.iter().partition(|layer| numbers.contains(layer));
    let part = |name: &str, layers: Vec<usize>, unscaled| Group {
        name: name.into(),
        label: all.label.clone(),
        layers,
        base: None,
        unscaled,
    };
    Ok(match (inside.is_empty(), outside.is_empty()) {
        (_, true) => vec![all],
        (true, false) => vec![part("all", outside, true)],
        (false, false) => {
            let mut both = vec![part("scaled", inside, false), part("unscaled", outside, true)];
            both.sort_by_key(|group| group.layers.first().copied());
            both
        }
    })
}

/// Layers that are told apart by whether they rotate.
fn flagged(family: &Family, root: &Keys<'_>, count: Option<usize>) -> Result<Vec<Group>, InvalidConfig> {
    let expected = "a list of 0 (no rotation) and 1";
    let list = family.layers.list.as_deref().map(|key| (key, root.get(key)));
    let flags = match list {
        Some((key, Some(Value::Array(list)))) if !list.is_empty() => {
            let flag = |item: &Value| item.as_bool().or_else(|| item.as_u64().filter(|&n| n < 2).map(|n| n == 1));
            let flags: Option<Vec<bool>> = list.iter().map(flag).collect();
            let flags = flags.ok_or_else(|| root.wrong(key, "another value", expected))?;
            listed(key, root, flags.len(), count)?;
            Some(flags)
        }
        Some((key, Some(other))) if !other.is_array() => return Err(root.wrong(key, kind(other), expected)),
        _ => sequence(family, root, count)?
            .map(|sequence| sequence.iter().map(|item| item.as_bool().unwrap_or(true)).collect()),
    };
    let rotated = family.layers.rotated.clone().unwrap_or_default();
    let of = |wanted: bool| match &flags {
        Some(flags) => (0..flags.len()).filter(|&layer| flags[layer] == wanted).collect(),
        None => Vec::new(),
    };
    let both = [("rope", Some(rotated), of(true)), ("no_rope", None, of(false))];
    let mut groups: Vec<Group> = both
        .into_iter()
        .map(|(name, label, layers)| Group { name: name.into(), label, layers, ..Group::default() })
        .collect();
    if flags.is_some() {
        groups.retain(|group| !group.layers.is_empty());
        groups.sort_by_key(|group| group.layers.first().copied());
    }
    Ok(groups)
}

/// Layers that are told apart by their types.
fn typed(
    family: &Family,
    types: &BTreeMap<String, Label>,
    root: &Keys<'_>,
    count: Option<usize>,
) -> Result<Vec<Group>, InvalidConfig> {
    let Some(names) = names(family, types, root, count)? else {
        let all = types.iter().map(|(name, of)| Group { name: name.clone(), label: label(of), ..Group::default() });
        return Ok(all.collect());
    };
    let mut found: Vec<Group> = Vec::new();
    for (layer, name) in names.iter().enumerate() {
        match found.iter_mut().find(|group| group.name == *name) {
            Some(group) => group.layers.push(layer),
            None => {
                let label = types.get(name).and_then(label);
                found.push(Group { name: name.clone(), label, layers: vec![layer], ..Group::default() });
            }
        }
    }
    Ok(found)
}

/// The type of each layer: as the file lists them, or as its other keys and the family have them.
fn names(
    family: &Family,
    types: &BTreeMap<String, Label>,
    root: &Keys<'_>,
    count: Option<usize>,
) -> Result<Option<Vec<String>>, InvalidConfig> {
    let text = |item: &Value| item.as_str().unwrap_or_default().to_owned();
    let made = |sequence: Vec<Value>| sequence.iter().map(text).collect::<Vec<_>>();
    let own = family.names.get("layer_types").map(String::as_str);
    let said = ["layer_types"].into_iter().chain(own).find_map(|key| Some((key, root.get(key)?)));
    let (key, list) = match said.filter(|_| !family.layers.derived) {
        Some((key, Value::Array(list))) if !list.is_empty() => (key, list),
        Some((_, Value::Array(_))) | None => return Ok(sequence(family, root, count)?.map(made)),
        Some((key, other)) => return Err(root.wrong(key, kind(other), "a list of layer types")),
    };
    let mut names = Vec::new();
    for item in list {
        let name = item.as_str().filter(|name| types.contains_key(*name));
        names.push(name.map(str::to_owned).ok_or_else(|| {
            let known: Vec<&str> = types.keys().map(String::as_str).collect();
            root.problem(Problem::Unexplained, key, item, format!("one of {}", known.join(", ")))
        })?);
    }
    listed(key, root, names.len(), count)?;
    // What the numbers of layers say is the same, or it depends on the program which of the two it reads.
    for numbers in family.layers.numbers.iter().filter(|numbers| root.get(&numbers.key).is_some()) {
        let other = made(numbered(numbers, root, names.len())?.unwrap_or_default());
        let differs = |(name, other): (&String, &String)| types.get(name) != types.get(other);
        if let Some(layer) = names.iter().zip(&other).position(differs) {
            let found = format!("layer {layer} is {}", other[layer]);
            let expected = format!("{}, as {} has it", names[layer], root.place(key));
            return Err(root.problem(Problem::Contradiction, &numbers.key, found, expected));
        }
    }
    Ok(Some(names))
}

/// A list for each layer has as many items as there are layers, where the file says both.
fn listed(key: &str, root: &Keys<'_>, length: usize, count: Option<usize>) -> Result<(), InvalidConfig> {
    match count {
        Some(count) if root.get("num_hidden_layers").is_some() && count != length => {
            let expected = format!("{count}, one for each of num_hidden_layers");
            Err(root.problem(Problem::Contradiction, key, format!("{length} items"), expected))
        }
        _ => Ok(()),
    }
}

fn label(of: &Label) -> Option<String> {
    match of {
        Label::Kind(name) => Some(name.clone()),
        Label::Rotates(_) => None,
    }
}

fn count(family: &Family, root: &Keys<'_>) -> Result<Option<usize>, InvalidConfig> {
    let key = "num_hidden_layers";
    let own = family.names.get(key).map_or(key, String::as_str);
    let count = match root.integer(key)?.or(root.integer(own)?) {
        Some(count) => Some(count),
        None => family.values.get(key).or_else(|| family.values.get(own)).and_then(Value::as_u64),
    };
    match count {
        Some(count) if !(1..=MAX_LAYERS).contains(&count) => {
            Err(root.wrong(key, count, format!("1 to {MAX_LAYERS} layers")))
        }
        count => Ok(count.map(|count| count as usize)),
    }
}

/// The types of the layers by the keys of the file that make them, or by the family's own sequence.
fn sequence(family: &Family, root: &Keys<'_>, count: Option<usize>) -> Result<Option<Vec<Value>>, InvalidConfig> {
    let layers = &family.layers;
    let Some(count) = count else { return Ok(None) };
    for (key, default) in &layers.unread {
        let same = |said: &Value| said == default || number(said).is_some() && number(said) == number(default);
        if let Some(said) = root.map().get(key).filter(|said| !same(said)) {
            let expected =
                format!("{default}: what else does to the layers was not found out; layer_types may list them");
            return Err(root.problem(Problem::Unexplained, key, said, expected));
        }
    }
    for numbers in &layers.numbers {
        if let Some(sequence) = numbered(numbers, root, count)? {
            return Ok(Some(sequence));
        }
    }
    let Some(own) = &layers.own else { return Ok(None) };
    let period = match &layers.cycle {
        Some(cycle) if root.get(&cycle.key).is_some() => words(&cycle.key, &cycle.names, root)?,
        _ => period(family, own, root)?,
    };
    let mut sequence: Vec<Value> = period.iter().cloned().cycle().take(count).collect();
    if let (Some(last), Some(end)) = (&layers.last, sequence.last_mut()) {
        end.clone_from(last);
    }
    if let Some(last) = &layers.last_ones {
        let from = first_of(last, root)?.map_or(count, |from| count.min(from));
        sequence[from..].fill(last.name.as_str().into());
    }
    Ok(Some(sequence).filter(|_| !period.is_empty()))
}

/// The types of the layers by a list of numbers, the file's or the family's; none where neither has one.
fn numbered(numbers: &Numbers, root: &Keys<'_>, count: usize) -> Result<Option<Vec<Value>>, InvalidConfig> {
    let mut sequence = vec![numbers.others.clone(); count];
    let mut list = |layer: u64| {
        let layer = usize::try_from(layer).ok().and_then(|layer| sequence.get_mut(layer));
        layer.map(|layer| layer.clone_from(&numbers.listed))
    };
    match (root.get(&numbers.key), &numbers.own) {
        (Some(Value::Array(items)), _) => {
            for item in items {
                item.as_u64().and_then(&mut list).ok_or_else(|| {
                    let expected = format!("numbers of the {count} layers, counted from 0");
                    root.wrong(&numbers.key, item, expected)
                })?;
            }
        }
        (Some(other), _) => return Err(root.wrong(&numbers.key, kind(other), "a list of numbers of layers")),
        // The family's own are those of its usual size.
        (None, Some(own)) => own.iter().for_each(|&layer| _ = list(layer)),
        (None, None) => return Ok(None),
    }
    Ok(Some(sequence))
}

/// The sequence that a key holds, in the names of layer types.
fn words(key: &str, names: &BTreeMap<String, String>, root: &Keys<'_>) -> Result<Vec<Value>, InvalidConfig> {
    let known = || names.keys().map(String::as_str).collect::<Vec<_>>().join(" and ");
    let list = root.get(key).and_then(Value::as_array).filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| root.wrong(key, "no list, or an empty one", format!("a list of {}", known())))?;
    let name = |item: &Value| item.as_str().and_then(|word| names.get(word)).map(|name| name.as_str().into());
    list.iter()
        .map(|item| {
            name(item).ok_or_else(|| root.problem(Problem::Unexplained, key, item, format!("{} only", known())))
        })
        .collect()
}

/// The period of the family's own sequence, or that which the file gives.
fn period(family: &Family, own: &[Value], root: &Keys<'_>) -> Result<Vec<Value>, InvalidConfig> {
    let mut period = own.to_vec();
    for every in &family.layers.every {
        let Some(value) = root.integer(&every.key)? else { continue };
        let value = usize::try_from(value).unwrap_or(usize::MAX);
        if value == 0 || value > MAX_LAYERS as usize {
            return Err(root.wrong(&every.key, value, format!("1 to {MAX_LAYERS}")));
        }
        // For 3 the sequence is A A B or B A A: the layer that stands alone is the last or the first of a period.
        let [first, second, third] = every.period.as_slice() else { continue };
        let mut made = vec![second.clone(); value];
        if first == second {
            made[value - 1] = third.clone();
        } else {
            made[0] = first.clone();
        }
        period = made;
    }
    Ok(period)
}

/// The first of the layers that have windows; none where no layer has.
fn first_of(last: &LastOnes, root: &Keys<'_>) -> Result<Option<usize>, InvalidConfig> {
    let value = |key: &str| root.map().get(key).or_else(|| last.defaults.get(key)).unwrap_or(&Value::Null);
    let on = match &last.switch {
        None => true,
        Some(switch) => root.truth(switch)?.unwrap_or_else(|| *value(switch) == Value::Bool(true)),
    };
    if !on || value(&last.window).is_null() {
        return Ok(None);
    }
    let from = number(value(&last.key)).and_then(|from| from.value().to_u64());
    let from = from.ok_or_else(|| root.wrong(&last.key, value(&last.key), "the number of a layer"))?;
    Ok(Some(usize::try_from(from).unwrap_or(usize::MAX)))
}
