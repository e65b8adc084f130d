"""What a style of file does for one kind of layer: the base, the fraction, and every rule, as the real module computes them."""

import inspect
import math
import re

import torch

import experiments
import laws
import values


def like(family, label, style, row, needs, known):
    """Whether a style of file comes out as the flat one does, in its base and under three rules: then the other rules,
    which the same code reads, are not measured again (the corpus of files does that)."""
    if {k: v for k, v in known.items() if k != "rules"} != row:
        return False
    for rule in ("linear", "yarn", "longrope"):
        parameters = experiments.rules(row["width"] // 2, 4096)[rule] | needs
        one, other = (family.cache(family.styled(s, parameters), label) for s in ("flat", style))
        if isinstance(one, str) != isinstance(other, str) or not isinstance(one, str) and (one.frequencies, one.gain) != (other.frequencies, other.gain):
            return False
    return True


def sections(family):
    """The sections of several axes that the class has among its parameters."""
    parameters = getattr(family.config(family.completion), "rope_parameters", None) or {}
    return {"mrope_section": parameters["mrope_section"]} if "mrope_section" in parameters else {}


def start(family, label, style):
    """The row of a style with its base and width, the cosines of a plain rotation, and the parameters without which there are none."""
    plain = {"rope_type": "default"}
    base, axes = {"rope_theta": experiments.UNUSUAL}, sections(family)
    for needs in ({}, base, axes, base | axes) if style != "none" else ({},):
        said = {} if style == "none" else family.styled(style, plain | needs)
        cache = family.cache(said, label)
        if isinstance(cache, str):
            continue
        if base.items() <= needs.items():
            if not experiments.close(experiments.base_of(cache), experiments.UNUSUAL):
                continue
            row = {"base": None, "inner_base": True, "width": 2 * cache.pairs}
        else:
            row = {"base": experiments.base_of(cache) or experiments.declared(family, said, label, cache), "width": 2 * cache.pairs}
        return row | ({"needs": ["mrope_section"]} if axes and axes.items() <= needs.items() else {}), needs
    return {"raises": str(family.cache({} if style == "none" else family.styled(style, plain), label))}, {}


def style_row(family, label, style, longest, known=None):
    """What a style of file does for one kind of layer; `known` is what the flat style does."""
    plain = {"rope_type": "default"}
    said = {} if style == "none" else family.styled(style, plain)
    if style == "nested" and not said.get("rope_parameters"):
        return None
    row, needs = start(family, label, style)
    if "raises" in row:
        return row
    if style != "none":
        inner = family.cache(family.styled(style, plain | needs | {"rope_theta": experiments.UNUSUAL}), label)
        row["inner_base"] = experiments.close(experiments.base_of(inner), experiments.UNUSUAL)
        row["fraction_of"] = fraction_of(family, label, style, plain | needs, row["width"])
        scaled = family.cache(family.styled(style, {"rope_type": "linear", "factor": 4.0} | needs), label)
        if not isinstance(scaled, str) and 2 * scaled.pairs != row["width"]:
            row["rule_width"] = 2 * scaled.pairs
        if row["base"] is None and not isinstance(scaled, str) and "rope_theta" not in needs:
            row["rule_base"] = base_under(scaled)
        elif row["base"] is None and not isinstance(unsaid := family.cache(family.styled(style, {"rope_type": "linear", "factor": 4.0}), label), str):
            # A rule may have a base where the plain rotation asks for one.
            row["rule_base"] = base_under(unsaid)
    row |= doubled(family, label, style, row, needs)
    if style in ("legacy", "oldest") and known and like(family, label, style, row, needs, known):
        row["rules"] = known["rules"]
        return row
    row["rules"] = rule_rows(family, label, style, row, needs, longest) if style != "none" else {}
    return row


def base_under(scaled):
    """The base of frequencies that were divided by 4."""
    return experiments.base_of(values.Cache([4 * w for w in scaled.frequencies], scaled.gain, scaled.arrangement, scaled.axes))


def doubled(family, label, style, row, needs):
    """What the file may say beside the parameters, and which of the two is taken where both speak: the keys of a base, and those of a
    fraction that does what it does among the parameters, without a rule and with one."""
    plain = {"rope_type": "default"} | needs
    said = lambda parameters: {} if style == "none" else family.styled(style, parameters)
    based = lambda file: experiments.base_of(family.cache(file, label))
    unusual = experiments.UNUSUAL
    keys = [key for key in experiments.candidates(family) if experiments.BASES.search(key)]
    found = {"base_keys": [key for key in keys if experiments.close(based(said(plain) | {key: unusual}), unusual)]}
    # A class that has such a key of its own writes it beside the parameters, whatever these say.
    written = [key for key in found["base_keys"] if key in family.config(family.needed(label)).to_dict()]
    if style != "none" and row["inner_base"] and written:
        both = based(said(plain | {"rope_theta": unusual}) | {written[0]: 250000.0})
        found["wins"] = "inner" if experiments.close(both, unusual) else "outer" if experiments.close(both, 250000.0) else None
    linear = {"rope_type": "linear", "factor": 4.0} | needs
    longrope = lambda part: experiments.rules(int(row["width"] * part) // 2, 4096)["longrope"] | needs
    ruled = longrope if isinstance(family.cache(said(linear), label), str) else lambda part: linear
    for key in (key for key in experiments.FRACTIONS if key != "rotary_dim"):
        does = {name: outer(family, label, said, own, key) for name, own in (("plain", lambda part: plain), ("rule", ruled)) if name == "plain" or style != "none"}
        if {*does.values()} - {None, "none"} or key == "partial_rotary_factor" and any(does.values()):
            found.setdefault("fractions", {})[key] = {name: how for name, how in does.items() if how}
    return found


def outer(family, label, said, own, key):
    """What a fraction beside the parameters does: `inner`, what it does among them; `none`, nothing; none where it is neither. `own` makes the
    parameters, which may have an item for each pair."""
    parts = (0.5, 0.25)
    unsaid, beside = family.cache(said(own(1)), label), {part: family.cache(said(own(1)) | {key: part}, label) for part in parts}
    if all(same(cache, unsaid) for cache in beside.values()):
        return "none"
    among = {part: family.cache(said(own(part) | {"partial_rotary_factor": part}), label) for part in parts}
    beside = {part: family.cache(said(own(part)) | {key: part}, label) for part in parts}
    taken = [part for part in parts if not isinstance(among[part], str)]
    return "inner" if said(own(1)) and taken and all(same(beside[part], among[part]) for part in taken) else None


def same(one, other):
    return not isinstance(one, str) and not isinstance(other, str) and (one.frequencies, one.gain) == (other.frequencies, other.gain)


def fraction_of(family, label, style, parameters, width):
    """What a rotated fraction among the parameters is a fraction of: the head, or whatever the family takes it of; 0 where it
    has no effect, none where that was not found out."""
    caches = {part: family.cache(family.styled(style, parameters | {"partial_rotary_factor": part}), label) for part in (0.5, 0.25)}
    # A fraction may make an odd width, which no module takes.
    caches = {part: cache for part, cache in caches.items() if not isinstance(cache, str)}
    if not caches:
        return None
    return next((round(2 * cache.pairs / part) for part, cache in caches.items() if 2 * cache.pairs != width), 0)


def fraction_of_rules(family, label, style, needs, longest):
    """The same under the rules that take any number of pairs, where it is the same under all of them."""
    found = set()
    for name in ("linear", "dynamic", "llama3", "yarn"):
        parameters = experiments.rules(2, longest)[name] | needs
        plain = family.cache(family.styled(style, parameters), label)
        if not isinstance(plain, str):
            found.add(fraction_of(family, label, style, parameters, 2 * plain.pairs))
    return found.pop() if len(found) == 1 and found != {None} else "other"


def said_with(said, needs, style):
    return said if not needs or style == "none" else {k: ({n: (v | needs if isinstance(v, dict) else v) for n, v in d.items()} if style == "nested" else d | needs) for k, d in said.items()}


def rule_rows(family, label, style, row, needs, longest):
    """How each rule comes out: true (as it is defined), false (without effect), or what happens instead."""
    base, width = row["base"] or experiments.UNUSUAL, row.get("rule_width", row["width"])
    every = experiments.rules(width // 2, longest)
    found = {"fraction": fraction_of_rules(family, label, style, needs, longest)}
    whole = found["fraction"] if row.get("rule_width") and isinstance(found["fraction"], int) else row["fraction_of"]
    for name, parameters in every.items():
        rule = name.split(".")[0]
        if "alpha" in parameters and not re.search(r"\balpha\b", inspect.getsource(inspect.getmodule(family.makers[label]))):
            continue
        frequencies_width = whole if rule == "proportional" and whole else width
        # Lengths are said in both places, so that the rule is measured without the question which place wins.
        root = {k: v for k, v in parameters.items() if k == "original_max_position_embeddings"}
        cache = family.cache(family.styled(style, parameters | needs) | root, label)
        # Positions beyond the original length are measured too; then the long factors hold.
        long = {"short_factor": parameters.get("long_factor")} if rule in ("longrope", "su") else {}
        follows = lambda p: any(laws.agrees(cache, *laws.law(rule, base, frequencies_width, q, longest)) for q in (p, p | long))
        if isinstance(cache, str):
            found[name] = "raises"
        elif follows(parameters):
            found[name] = True
        elif laws.agrees(cache, laws.plain(base, row["width"]), 1.0) or "." in name and found.get(rule) is True and follows(every[rule]):
            found[name] = False
        else:
            found[name] = "other"
    # A rule cannot be told from none where both have the same frequencies, as dynamic NTK within its length.
    if found.get("dynamic") is True:
        found["dynamic"] = dynamic(family, label, style, needs, base, width, longest)
    found["original"] = original(family, label, style, needs, base, width, longest, found)
    return found


def original(family, label, style, needs, base, width, longest, found):
    """Where the original length is taken from if the file says it twice, and if it does not say it."""
    rule = next((rule for rule in ("yarn", "llama3", "longrope", "su") if found.get(rule) is True), None)
    if rule is None:
        return None
    said = {k: v for k, v in experiments.rules(width // 2, longest)[rule].items() if k != "original_max_position_embeddings"}
    agrees = lambda cache, length: not isinstance(cache, str) and laws.agrees(
        cache, *laws.law(rule, base, width, said | {"original_max_position_embeddings": length}, longest)
    )
    key = "original_max_position_embeddings"
    both = family.cache(family.styled(style, said | needs | {key: 8192}) | {key: 4096}, label)
    wins = "root" if agrees(both, 4096) else "inner" if agrees(both, 8192) else None
    inner = agrees(family.cache(family.styled(style, said | needs | {key: 8192}), label), 8192)
    default = getattr(family.cls, key, None)
    absent = family.cache(family.styled(style, said | needs), label)
    without = "default" if default and agrees(absent, default) else "longest" if agrees(absent, longest) else None
    return {"wins": wins, "inner": inner, "absent": without}


def dynamic(family, label, style, needs, base, width, longest):
    """Whether dynamic NTK stretches the base for a sequence of twice the length."""
    try:
        config = family.config(family.needed(label) | family.styled(style, {"rope_type": "dynamic", "factor": 4.0} | needs))
        cos, sin = family.beyond(label, config, [1, 2 * longest - 1])
    except Exception:  # noqa: BLE001
        return "raises"
    stretched = base * (4.0 * 2 - 3) ** (width / (width - 2))
    k = width // 2 - 1
    column = k if cos.shape[-1] != width or torch.equal(cos[:, : width // 2], cos[:, width // 2 :]) else 2 * k
    expected = [stretched ** (-2 * k / width) * p for p in (1, 2 * longest - 1)]
    measured = [float(sin[row, column]) for row in (0, 1)]
    if all(abs(m - math.sin(e)) < 1e-3 + 1e-5 * e for m, e in zip(measured, expected)):
        return True
    unscaled = [base ** (-2 * k / width) * p for p in (1, 2 * longest - 1)]
    return False if all(abs(m - math.sin(e)) < 1e-3 + 1e-5 * e for m, e in zip(measured, unscaled)) else "other"
