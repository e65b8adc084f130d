"""Which layers rotate, by which kind of rotation, and the keys that decide it."""

import inspect
import re

from transformers import configuration_utils

import bases
import experiments
import modules

from values import held

# Keys that say which layers are of which type; `about_layers` of the reading has the same rule.
WHAT = {"attn", "attention", "block", "layer", "layers", "hybrid", "window"}
HOW = {"types", "pattern", "interval", "indices", "idxs", "period", "offset", "every", "group"}
NAMED = {"layers_block_type", "attn_type_list", "per_layer_config", "linear_attn_config"}
OTHER = {"moe", "mlp", "expert", "experts", "mtp", "num"}
# Such keys as files of every class may have.
GENERAL = ["layer_types", "layers_block_type"]
# Such keys as published files have, though the class does not declare them.
PUBLISHED = {"minimax_m2": ["attn_type_list"]}
COUNTS = (12, 25, 26, 48)


def about_layers(key):
    """Whether a key says which layers are of which type."""
    words = set(key.split("_"))
    layers = key.endswith("_layers") and words & {"attn", "attention", "rope", "nope"}
    return key in NAMED or not words & OTHER and bool(layers or words & WHAT and words & HOW)


def first_config(family):
    """The configuration of the trace."""
    for extra in ({"num_hidden_layers": 12}, {}):
        if not ("num_hidden_layers" in family.completion and extra):
            try:
                return family.config(family.completion | extra)
            except Exception:  # noqa: BLE001
                continue
    return family.config(family.completion)


def outcome(family, trace):
    """For each layer of a trace the label of its rotation; false where it does not rotate."""
    found = []
    for index in sorted((i for i in trace.layers if isinstance(i, int)), key=int):
        calls = [c for c in trace.layers[index] if c.known()]
        found.append((index, (calls[0].label() or "") if calls else ("?" if trace.layers[index] else False)))
    return found


def traced(family, said):
    return modules.run(family.module, family.models, family.config(family.completion | said))


def layers(family):
    """Which layers rotate, and what decides it."""
    every = outcome(family, family.trace)
    if not every:
        return {"all": family.labels[0] or ""}
    if listed := bases.by_layer(family):
        # Types of layers, and what makes them, have no part in the rotation then.
        return {"by_layer": listed | {"kind": next(kind for _, kind in every if kind is not False)}, "inert": inert(family, {})}
    found = told_apart(family, every)
    if found.get("irregular"):
        return found
    attribute = "layer_types" if "types" in found else found.get("list")
    found |= schedule(family, attribute)
    found["numbers"] = numbers(family, attribute)
    if "all" in found and found["numbers"]:
        found |= {"rotated": found.pop("all")}
    if attribute == "layer_types":
        found["types"] |= {name: name for name in family.extras}
        found |= words(family, found)
        found["cycle"] = cycle(family)
        found["last_ones"] = last_ones(family)
        found["unread"] = unread(family, found)
    found["inert"] = inert(family, found)
    found["scaled"] = bases.scaled(family) if "all" in found else None
    return {key: value for key, value in found.items() if value not in (None, []) or key in ("own", "every") and "all" not in found}


def told_apart(family, every):
    """What tells the layers of a trace apart: their types, a list of truth values, or nothing where all are alike."""
    config = first_config(family)
    types = getattr(config, "layer_types", None)
    by_index = dict(every)
    found = {}
    if len(set(by_index.values())) == 1 and not types:
        return {"all": every[0][1]}
    if types:
        by_type = {}
        for index, kind_ in every:
            if index < len(types):
                by_type.setdefault(types[index], set()).add(kind_)
        if all(len(kinds) == 1 for kinds in by_type.values()):
            found["types"] = {name: next(iter(kinds)) for name, kinds in sorted(by_type.items())}
        for name in dict.fromkeys(types):
            found.setdefault("types", {}).setdefault(name, False if all(len(k) == 1 for k in by_type.values()) else None)
        # Names that a file may have for these types, which the class replaces by its own.
        for said, own in zip(family.completion.get("layer_types", []), types):
            found["types"].setdefault(said, found["types"].get(own))
        # Numbers by which a layer without attention rotates are not those of layers.
        if any(kind_ is None for kind_ in found["types"].values()) or found["types"].get("linear_attention", False) is not False:
            found.pop("types")
    listed = getattr(config, "no_rope_layers", None)
    if listed and "types" not in found or listed and all(bool(listed[i]) == (k is not False) for i, k in every if i < len(listed)):
        found["list"] = "no_rope_layers"
        found.pop("types", None)
        found["rotated"] = next((k for _, k in every if k is not False), "")
    return found or {"irregular": True}


def sizes(family):
    """What a class needs besides what decides its layers."""
    return {k: v for k, v in family.completion.items() if k != "num_hidden_layers" and not about_layers(k)}


def pattern(family, attribute, said, count):
    """The types of the layers of a file, their truth values, or whether each rotates where no attribute tells."""
    said = sizes(family) | said | {"num_hidden_layers": count}
    if attribute is None:
        trace = modules.run(family.module, family.models, family.config(said))
        known = dict(outcome(family, trace))
        return [known.get(layer, False) is not False for layer in range(count)]
    made = getattr(family.config(said), attribute)
    return [bool(v) for v in made] if attribute == "no_rope_layers" else list(made)


def attempt(family, attribute, said, count):
    """The same, or none where the class takes no such file."""
    try:
        return pattern(family, attribute, said, count)
    except Exception:  # noqa: BLE001, whatever a class raises
        return None


def periodic(sequences):
    """(period, last) with every sequence the period repeated, its last layer perhaps another."""
    for length in range(1, 13):
        period = sequences[-1][:length]
        for last in (None, *{s[-1] for s in sequences}):
            fits = lambda s: [last if last is not None and i == len(s) - 1 else period[i % length] for i in range(len(s))] == s
            if all(fits(s) for s in sequences):
                return period, last
    return None


def schedule(family, attribute):
    """The family's own sequence of layers, and the keys that change its period."""
    if attribute is None:
        return {}
    sequences = [attempt(family, attribute, {}, n) for n in COUNTS]
    own = None if None in sequences else periodic(sequences)
    if own is None:
        return {"own": None}
    found = {"own": own[0], "every": []}
    if own[1] is not None:
        found["last"] = own[1]
    for key in experiments.candidates(family):
        if not re.search(r"pattern|interval|every|_freq$|period|group_size", key):
            continue
        sequences = [attempt(family, attribute, {key: value}, n) for value in (3, 4) for n in COUNTS[1:]]
        if None in sequences:
            continue
        three, four = periodic(sequences[:3]), periodic(sequences[3:])
        if three and four and three != four and len(three[0]) == 3:
            found["every"].append({"key": key, "period": three[0]})
    return found


def numbers(family, attribute):
    """The keys that list the numbers of some layers: the type of these, and of the others."""
    found = []
    for key in experiments.candidates(family):
        value = held(family.config(family.completion), key)
        if not re.search(r"(layers|idxs|indices)$", key) or set(key.split("_")) & OTHER or not isinstance(value, (list, type(None))):
            continue
        one, other = attempt(family, attribute, {key: [0, 2]}, 4), attempt(family, attribute, {key: [1]}, 4)
        if one and other and len(one) == 4 and one[0] != one[1] and (one, other) == ([one[0], one[1]] * 2, [one[1], one[0], one[1], one[1]]):
            own = held(family.config(sizes(family)), key)
            # A list that the class makes of the number of layers is its own sequence.
            made = [attempt(family, attribute, {}, n) for n in COUNTS]
            short = own and all(m == [one[0] if i in own else one[1] for i in range(n)] for m, n in zip(made, COUNTS))
            found.append({"key": key, "listed": one[0], "others": one[1]} | ({"own": own} if short else {}))
    return found


def sliding(family):
    """The switch without which some classes have no sliding layers, on."""
    return {"use_sliding_window": True} if hasattr(family.config({}), "use_sliding_window") else {}


def sources(family):
    """The code of the class and its models."""
    return "".join(inspect.getsource(inspect.getmodule(thing)) for thing in (family.cls, *family.models))


def words(family, found):
    """Every type that a file may list for a layer, with the label of its rotation; or that no list of a file is read."""
    legacy = configuration_utils._LEGACY_LAYER_TYPE_REMAP
    types, read = dict(found["types"]), False
    for name in (*configuration_utils.ALLOWED_ATTN_LAYER_TYPES, *legacy):
        if f'"{name}"' not in sources(family) and name not in types and legacy.get(name) not in types:
            continue
        # Some classes take no layers that are all alike.
        for other in dict.fromkeys((name, *found["types"])):
            wanted = [name, other] * 2
            listed = attempt(family, "layer_types", sliding(family) | {"layer_types": wanted}, 4)
            if listed != [legacy.get(one, one) for one in wanted]:
                continue
            read = True
            if name in types:
                break
            try:
                trace = traced(family, sliding(family) | {"layer_types": wanted, "num_hidden_layers": 4})
            except Exception:  # noqa: BLE001, whatever a model raises
                continue
            seen = dict(outcome(family, trace))
            labels = {seen.get(layer, False) for layer in range(4) if wanted[layer] == name}
            if len(labels) == 1 and next(iter(labels)) in (False, *(label or "" for label in family.labels)):
                types[name] = next(iter(labels))
                break
    return {"types": dict(sorted(types.items()))} | ({} if read else {"derived": True})


def cycle(family):
    """The key that holds the sequence of types to be repeated, and the types that its words stand for."""
    config = family.config(sizes(family))
    for key in experiments.candidates(family):
        value = held(config, key)
        if key in ("layer_types", "layers_block_type") or not isinstance(value, (list, tuple)) or not value or not all(isinstance(v, str) for v in value):
            continue
        said = sorted(set(value))
        made = [attempt(family, "layer_types", {key: [word]}, 2) for word in said]
        if len(said) > 1 and None not in made and len({m[0] for m in made}) == len(said):
            names = {word: m[0] for word, m in zip(said, made)}
            if attempt(family, "layer_types", {key: [said[0], said[1], said[1]]}, 7) == [names[said[i % 3 > 0]] for i in range(7)]:
                return {"key": key, "names": names}
    return None


def last_ones(family):
    """The key that says from which layer on layers are of another type, with the keys that switch that on."""
    key, switch, window = "max_window_layers", "use_sliding_window", "sliding_window"
    config = family.config(sizes(family))
    if not all(hasattr(config, k) for k in (key, window)):
        return None
    on = sliding(family) | {window: 128, key: 2}
    made = attempt(family, "layer_types", on, 4)
    if not made or made[0] == made[2] or made != [made[0]] * 2 + [made[2]] * 2:
        return None
    off = [{window: None}] + ([{switch: False}] if sliding(family) else [])
    if any(attempt(family, "layer_types", on | how, 4) != [made[0]] * 4 for how in off):
        return None
    defaults = {k: getattr(type(config), k, None) for k in (key, switch, window)}
    return {"key": key, "type": made[2], "switch": switch if sliding(family) else None, "window": window, "defaults": {k: v for k, v in defaults.items() if v is not None}}


def explained(found):
    """The keys whose effect on the layers is described."""
    keys = {found.get("list"), "layer_types"} if "types" in found and not found.get("derived") else {found.get("list")}
    keys |= {entry["key"] for entry in (*found.get("every", []), *found.get("numbers", []))}
    for name in ("cycle", "last_ones"):
        if found.get(name):
            keys |= {found[name]["key"], found[name].get("switch"), found[name].get("window")}
    return keys


def unread(family, found):
    """The other keys that change which layers are of which type, with what they have where the file leaves them out."""
    config, known, changed = family.config(sizes(family)), explained(found), {}
    before = attempt(family, "layer_types", {}, 7)
    for key in experiments.candidates(family):
        value = held(config, key)
        if before is None or key in known or key in ("num_hidden_layers", type(config).attribute_map.get("num_hidden_layers")) or isinstance(value, (dict, str, float)):
            continue
        trials = [not value] if isinstance(value, bool) else [[1], [0, 2]] if isinstance(value, list) or value is None and about_layers(key) else [1, 2, 3]
        if any(made and made != before for made in (attempt(family, "layer_types", {key: trial}, 7) for trial in trials)):
            changed[key] = value
    return changed or None


def inert(family, found):
    """Keys of this sort whose change changes no layer."""
    known = explained(found) | set(found.get("unread") or {})
    config, same = family.config(family.completion), []
    count = {} if "num_hidden_layers" in family.completion else {"num_hidden_layers": 4}
    try:
        before = outcome(family, traced(family, count))
    except Exception:  # noqa: BLE001, whatever a class or a model raises
        return []
    named = [name for name in configuration_utils.ALLOWED_ATTN_LAYER_TYPES if f'"{name}"' in sources(family)]
    one, other = named[:2] if len(named) > 1 else ("full_attention", "sliding_attention")
    for key in sorted({*experiments.candidates(family), *GENERAL, *PUBLISHED.get(family.cls.model_type, [])}):
        # What is about the rotation itself is changed in `corpus.inert`.
        if key in known or not about_layers(key) or "rope" in key.split("_"):
            continue
        value = held(config, key)
        listed = isinstance(value, list) or value is None
        trials = [not value] if isinstance(value, bool) else [[0, 1, 0, 1]] if listed else [3, 4]
        if key in GENERAL:
            trials = [[one] * 4, [other, one] * 2]
        if isinstance(value, (dict, str, float)):
            continue
        try:
            if all(outcome(family, traced(family, count | {key: trial})) == before for trial in trials):
                same.append(key)
        except Exception:  # noqa: BLE001, whatever a class or a model raises
            continue
    return same
