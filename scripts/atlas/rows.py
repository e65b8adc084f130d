"""A family's row of the atlas: what is read, from which keys, with which defaults, all of it measured."""

import hashlib
import inspect
import re

import experiments
import laws
import modules
import styles
import values

from experiments import FRACTIONS, STYLES, SWITCHES, WIDTHS
from schedule import first_config, layers, outcome, traced
from temperature import temperature
from values import held

CANONICAL = ["hidden_size", "num_attention_heads", "num_hidden_layers", "max_position_embeddings", "head_dim"]


def fingerprint(*objects):
    """The first 16 digits of the SHA-256 of the sources of these modules."""
    digest = hashlib.sha256()
    for module in sorted({inspect.getmodule(o).__file__ for o in objects}):
        digest.update(open(module, "rb").read())
    return digest.hexdigest()[:16]


def scalar(value):
    return value if isinstance(value, (int, float, str)) and not isinstance(value, bool) or value is None else None


def row(family):
    """The row of a family with one text or vision stack."""
    config = family.config(family.completion)
    longest = getattr(config, "max_position_embeddings", None) or 4096
    made = {
        "class": family.cls.__name__,
        "source": fingerprint(family.cls, family.module),
        "names": names(config),
        "values": {},
        "kinds": {},
    }
    if family.completion:
        made["completion"] = family.completion
    for label in family.labels:
        made["kinds"][label or ""] = kind(family, label, longest, made)
    made["values"] = sizes(family, made)
    made["layers"] = layers(family)
    made["switches"] = switches(family, made)
    made["softmax"] = softmax(family)
    if found := temperature(family):
        made["temperature"] = found
    return made


def names(config):
    """The other names under which a file may say a size: canonical → file's own."""
    return {canonical: own for canonical, own in sorted(type(config).attribute_map.items()) if isinstance(own, str)}


def kind(family, label, longest, made):
    """What is measured for one kind of layer."""
    found = {"needs": family.extras[label]} if label in family.extras else {}
    config = family.config(family.needed(label))
    try:
        cache = family.measured(config, label)
        first = config if found else first_config(family)
        layout, start, width, sign = family.layout(label, first, family.measured(first, label))
        found |= {"layout": layout, "axes": cache.axes, "arrangement": cache.arrangement}
        if start:
            found["start"] = start
        if sign < 0:
            found["direction"] = "clockwise"
    except values.Unmeasured as error:
        return {"refused": str(error)}
    except Exception as error:  # noqa: BLE001
        return {"refused": modules.hindrance(family.cls, family.models, error)}
    found["maker"] = family.makers[label].__name__
    found |= widths(family, label, cache, width)
    if key := layer_head(family, label):
        found["layer_head"] = key
    found["styles"] = {}
    for style in STYLES:
        styled = styles.style_row(family, label, style, longest, found["styles"].get("flat"))
        if styled is not None:
            found["styles"][style] = styled
    parameters = getattr(config, "rope_parameters", None) or {}
    own = parameters.get(label, parameters) if label and isinstance(parameters.get(label), dict) else parameters
    if isinstance(own, dict) and own.get("rope_type", "default") != "default":
        rule = own["rope_type"]
        frequencies_width = found.get("head_width", 2 * cache.pairs) if rule == "proportional" else 2 * cache.pairs
        try:
            holds = laws.agrees(cache, *laws.law(rule, own["rope_theta"], frequencies_width, own, longest))
        except (ValueError, KeyError, TypeError):
            holds = False
        found["default_parameters"] = {k: v for k, v in own.items()} if holds else "other"
    return found


def at_first(family, label):
    return family.measured(first_config(family), label)


def widths(family, label, cache, head_width):
    """Which keys decide the width of the rotation, in the order of their precedence."""
    config = family.config(family.needed(label))
    pairs, direct, quotient, fractions = cache.pairs, [], [[], []], []
    # Half of what the keys are the width of: the rotated part, or the whole head where that was seen.
    half = lambda c: getattr(c, "width", 2 * c.pairs) // 2
    whole = half(cache)
    rotary_dim = None
    # A rule that spreads its frequencies over the head has pairs for the whole of it.
    for key, value in sorted({**{k: None for k in experiments.candidates(family)}, **config.to_dict()}.items()):
        if key in FRACTIONS:
            continue
        if not WIDTHS.search(key) or isinstance(value, (bool, str, list, dict, float)):
            continue
        trial = 8 * pairs + 16 if value is None else 2 * value
        changed = family.cache({key: trial}, label)
        if isinstance(changed, str) or half(changed) == whole:
            continue
        if value is None and re.search("head_dim|channels", key) or value and half(changed) == 2 * whole and value >= 2 * whole and value in (2 * whole, head_width):
            direct.append(key)
        elif value and 0 <= half(changed) - 2 * whole <= 1 or value is None and half(changed) < whole:
            quotient[0].append(key)
        elif value and 0 <= whole - 2 * half(changed) <= 1:
            quotient[1].append(key)
        else:
            quotient[0].append("?" + key)
    for key in FRACTIONS:
        trial = 32 if key == "rotary_dim" else 0.5
        changed = family.cache({key: trial}, label)
        if isinstance(changed, str):
            continue
        if key == "rotary_dim" and changed.pairs == 16 and pairs != 16:
            rotary_dim = key
        elif changed.pairs != pairs and key != "rotary_dim":
            fractions.append(key)
        elif key != "rotary_dim":
            other = family.cache({key: 0.25}, label)
            if not isinstance(other, str) and other.pairs != pairs:
                fractions.append(key)
    # The canonical names first; other names of the same sizes after them.
    order = lambda keys: sorted(keys, key=lambda key: (key not in CANONICAL, key))
    head = direct + [f"{a}/{b}" for a in order(quotient[0]) for b in order(quotient[1])]
    if not head:
        # Sections that must fit the width forbid one size to change alone; then a quotient shows by both changing together.
        size, heads = (held(config, key) for key in ("hidden_size", "num_attention_heads"))
        if size and heads:
            alone = [family.cache({key: 2 * value}, label) for key, value in (("hidden_size", size), ("num_attention_heads", heads))]
            both = family.cache({"hidden_size": 2 * size, "num_attention_heads": 2 * heads}, label)
            if all(isinstance(c, str) or c.pairs != pairs for c in alone) and not isinstance(both, str) and both.pairs == pairs:
                head = ["hidden_size/num_attention_heads"]
    # Where a key does what is neither, only a file that says the width itself is understood.
    head = direct + ["?"] if any("?" in key for key in head) else head
    # What is handed to the function may be the rotated part alone; the head is what its keys say.
    said = said_width(config, head)
    head_width = said or head_width
    # A quotient that is not the width, as where a class makes it twice the quotient, is not read: only a file that says the width.
    quotients = [said_width(config, [key]) for key in head if "/" in key]
    if direct and quotients and head_width not in quotients:
        return {"head": ["?"], "head_width": head_width, "width": 2 * pairs}
    found = {"head": head, "head_width": head_width, "width": 2 * pairs}
    if not head:
        found["head"] = ["?"]
    if rotary_dim:
        found["rotary_dim"] = rotary_dim
    if fractions:
        found["fraction_keys"] = fractions
    if not quotient[0] and not quotient[1] and direct:
        # Whether the quotient stands in where the file says null, or leaves out a key that the class does not declare.
        nothing = {key: None for key in direct if getattr(family.cls, key, 0) is None}
        if nothing or not any(hasattr(family.cls, key) for key in direct):
            sizes = {"hidden_size": 1024, "num_attention_heads": 8}
            changed = family.cache(nothing | sizes, label, completed=False)
            if not isinstance(changed, str) and changed.pairs * 2 * head_width == 128 * 2 * pairs:
                found["head"] = direct + ["hidden_size/num_attention_heads"]
    return found


def layer_head(family, label):
    """The key by which `per_layer_config` says the width of a head in layers of a type; none where it says nothing there."""
    config = family.config(family.needed(label))
    types = held(config, "layer_types")
    if not label or not isinstance(types, list):
        return None
    for key in ("head_dim", "qk_rope_head_dim"):
        own = {str(layer): {key: width} for layer, name in enumerate(types) for width in (96,) if name == label}
        caches = [family.cache({"per_layer_config": said}, label) for said in (own, {str(layer): {key: 160} for layer in own})]
        before = family.cache({}, label)
        if all(not isinstance(cache, str) for cache in (*caches, before)) and len({before.pairs, *(cache.pairs for cache in caches)}) == 3:
            return key
    return None


def said_width(config, head):
    """The width of a head by the first of its keys that a configuration has."""
    for key in head:
        sizes = [held(config, part) for part in key.split("/")]
        if all(isinstance(size, int) for size in sizes):
            return sizes[0] // sizes[1] if len(sizes) == 2 else sizes[0]
    return None


def sizes(family, made):
    """What the keys of a row have where the file leaves them out."""
    plain = family.config({})
    keys = {part for kind in made["kinds"].values() for key in kind.get("head", []) for part in key.split("/")}
    keys |= {kind["rotary_dim"] for kind in made["kinds"].values() if kind.get("rotary_dim")}
    found = {key: scalar(held(plain, key)) for key in keys | {"max_position_embeddings", "num_hidden_layers", "original_max_position_embeddings"}}
    # Where layers differ in a width, the class gives none for all; each kind's own key then has the width that was measured.
    for kind in made["kinds"].values():
        for key in kind.get("head", []) if len(kind.get("head", [])) == 1 and kind["head"] != ["?"] else []:
            if key in found and found[key] is None and key not in family.completion:
                found[key] = kind["head_width"]
    return {key: value for key, value in sorted(found.items()) if value is not None}


def switches(family, made):
    """Keys whose value decides whether, or how, all layers rotate: value → what then happens."""
    found = []
    config = family.config(family.completion)
    before = outcome(family, family.trace)
    for key, value in sorted(config.to_dict().items()):
        if not SWITCHES.search(key):
            continue
        default = getattr(family.cls, key, value)
        trials = [not value] if isinstance(value, bool) else [None if value is not None else 128]
        if isinstance(value, str):
            trials = [v for v in ("rope", "nope", "absolute", "rotary", "alibi", "relative_key", "rope_2d", None) if v != value]
        cases = {}
        for trial in trials:
            try:
                trace = traced(family, {key: trial, "num_hidden_layers": 12} if "num_hidden_layers" not in family.completion else {key: trial})
            except Exception:  # noqa: BLE001
                cases[repr_json(trial)] = "raises"
                continue
            after = outcome(family, trace)
            if [k for _, k in after] != [k for _, k in before][: len(after)]:
                kinds = {k for _, k in after}
                cases[repr_json(trial)] = "none" if kinds == {False} else "all" if False not in kinds else "other"
                continue
            call = next((c for calls in trace.layers.values() for c in calls if c.known()), None)
            if call is None:
                if not any(c for calls in trace.layers.values() for c in calls):
                    cases[repr_json(trial)] = "none"
                continue
            label = call.label()
            try:
                trial_config = family.config(family.completion | {key: trial})
                cache = at_first(family, label)
                layout = values.layout(call, family.makers[label], first_config(family), label, cache)[0]
                if layout != made["kinds"][label or ""].get("layout"):
                    cases[repr_json(trial)] = layout
            except Exception:  # noqa: BLE001
                cases[repr_json(trial)] = "other"
        if cases and default != value and isinstance(value, str):
            # What was measured is not the class's default.
            cases[repr_json(value)] = "measured"
        if cases:
            found.append({"key": key, "default": default if isinstance(default, (bool, str, int)) else value, "cases": cases})
    return found


def repr_json(value):
    import json

    return json.dumps(value)


def softmax(family):
    """Whether YaRN multiplies the logits, and by what."""
    style, label = ("nested" if family.labels[0] else "flat"), family.labels[0]
    own = getattr(first_config(family), "rope_parameters", None) or {}
    # Keys of the family's own that its code reads beside the rule.
    own = {key: value for key, value in (own.get(label, own) if label else own).items() if key != "type"}
    rule = {"rope_type": "yarn", "factor": 40.0, "original_max_position_embeddings": 4096, "mscale": 1.0}
    count = {} if "num_hidden_layers" in family.completion else {"num_hidden_layers": 12}
    try:
        plain, yarn = (
            next(iter(traced(family, family.styled(style, own | rule | {"mscale_all_dim": times}) | count).scaling.values())) for times in (0.0, 1.0)
        )
    except Exception:  # noqa: BLE001
        return "unmeasured"
    ratio, squared = yarn / plain, laws.mscale(40.0, 1.0) ** 2
    return "usual" if abs(ratio - 1) < 1e-9 else "yarn" if abs(ratio / squared - 1) < 1e-9 else "other"
