"""Modules and models of PyTorch: what rotates in them is found, and judged layer by layer.

A module that returns (cos, sin) when called with `(x, position_ids)` is called. A model of transformers is run once, on
tokens at the stated positions; meanwhile each of its rotary modules is watched, and the functions that rotate queries and
keys (`apply_rotary_pos_emb` and its like, in the modules that define the attention layers): the cosines and sines, and the
vectors that went in and came out, are what is judged, each against the convention of its own layer or type of layer. Where attention
takes other vectors than came out, those are judged. Short runs follow: batches whose rows stand at different positions, and a step of decoding
with a cache.
"""

from __future__ import annotations

import inspect
import json
import math

import torch

from posproof import _posproof, consumed, runs, versions
from posproof._posproof import InvalidInput
from posproof.judging import narrowed, parts, still
from posproof.watching import Seen, Watched, compiled, host, makes_cache, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from posproof.report import Part

# The ways in which a program may pair entries.
LAYOUTS = ("interleaved", "halves", "interleaved-to-halves")

# Vectors of a layer.
NAMES = ("query", "key")

# Positions of the run of a model that counts them itself.
COUNTED = 449

COUNTS = "decoding without position_ids: the model counts its positions wrongly; with them, as generate gives them, it was judged"

# Positions of a model's run where none are stated: as many as tell faults apart, up to the longest context.
LAST = 131_071


def judged(module: Any, options: dict[str, Any]) -> tuple[list[Part], list[str]]:
    """The judgements of a module that makes cosines and sines, or of a model, and what was not judged."""
    __tracebackhide__ = True
    if makes_cache(module):
        return _cache(module, options)
    return _model(module, options)


def _positions(options: dict[str, Any], longest: int) -> list[int]:
    stated = options.get("positions")
    return _posproof.probe_positions(longest - 1) if stated is None else _posproof.positions_list(stated)


def _longest(config: Any) -> int:
    length = getattr(config, "max_position_embeddings", None)
    return min(length, LAST + 1) if isinstance(length, int) and length > 1 else LAST + 1


def _cache(module: Any, options: dict[str, Any]) -> tuple[list[Part], list[str]]:
    """The judgement of a module's cosines and sines, of each type of layer that it tells apart; and what was not judged."""
    config = options.get("config") or getattr(module, "config", None)
    options = {**options, "positions": _positions(options, _longest(config))}
    unread: list[str] = []
    if options.get("dim") is None and options.get("config") is None and options.get("convention") is None:
        if config is None:
            raise InvalidInput("config: expected one, or dim and other options: the module has none; found neither")
        options["config"], unread = versions.as_read(config)
    device, _ = place(module)
    ids = torch.tensor([options["positions"]], device=device)
    x = torch.zeros(1, 1, 1, device=device)
    types: list[str | None] = [None]
    if "layer_type" in inspect.signature(module.forward).parameters and config is not None:
        types = list(dict.fromkeys(getattr(config, "layer_types", None) or [])) or [None]
        if options.get("layer_type") is not None:
            types = [options["layer_type"]]
    found: list[Part] = []
    for layer_type in types:
        with torch.no_grad():
            cos, sin = module(x, ids) if layer_type is None else module(x, ids, layer_type=layer_type)
        own = _upright(options if layer_type is None else {**options, "layer_type": layer_type})
        name = layer_type if layer_type is not None and len(types) > 1 else ""
        found += parts("assert_rope", name, {"cos": host(cos), "sin": host(sin)}, own)
    return found, unread


def _model(model: Any, options: dict[str, Any]) -> tuple[list[Part], list[str]]:
    config, inputs = options.get("config"), options.pop("inputs", None)
    unjudged: list[str] = []
    # Options that state the encoding take the place of the model's own configuration.
    if config is None and options.get("dim") is None and options.get("convention") is None:
        config = getattr(model, "config", None)
        if config is None:
            raise InvalidInput(
                f"config: expected one, or dim and other options: {type(model).__name__} has none; found neither"
            )
        config, unread = versions.as_read(config)
        unjudged += unread
        options = {**options, "config": config}
    if inputs is not None and options.get("positions") is None:
        positions = _of_inputs(inputs)
    elif runs.counts(model):
        longest = min(COUNTED, _longest(getattr(model, "config", config)))
        positions = list(range(longest)) if options.get("positions") is None else _positions(options, longest)
        if positions != list(range(len(positions))):
            takes = f"from 0 on, as {type(model).__name__} takes no position_ids and counts its own"
            raise InvalidInput(f"positions: expected those {takes}; found others")
    else:
        positions = _positions(options, _longest(getattr(model, "config", config)))
    if config is not None and isinstance(getattr(type(config), "num_hidden_layers", None), property):
        # A number of layers that a class computes, and does not write.
        config = config.to_dict() | {"num_hidden_layers": config.num_hidden_layers}
        options = {**options, "config": config}
    kinds = _kinds(config, options.get("part"))
    rotates = {layer: rotates for _, layers, rotates, _ in kinds for layer in layers}
    factors = {layer: factor for _, layers, _, factor in kinds for layer in layers}
    expected = runs.Expected({layer for layer, does in rotates.items() if does})
    if inputs is None:
        whole = runs.prompt(model, positions, expected)
    else:
        whole = runs.given(model, inputs, len(positions), expected)
    if not whole.seen:
        raise InvalidInput(_nothing(model))
    found: list[Part] = []
    loose: list[Part] = []
    for seen in whole.seen:
        own = {**options, "positions": positions}
        if "cos" in seen.arrays:
            if seen.kind is not None and config is not None:
                own["layer_type"] = seen.kind
            made = parts("assert_rope", seen.name, seen.arrays, _upright(own))
            loose += made if seen.kind is None else []
            found += made
        elif (rows := seen.arrays["x"].shape[-2]) != len(positions):
            raise InvalidInput(runs.not_run(model, f"vectors of {rows} positions rotated in a run of {len(positions)}"))
        else:
            found += _rotation(seen, whole, own, rotates, "")
            if (sharpened := _sharpened(seen, whole, config, own, factors)) is not None:
                found += _rotation(sharpened, whole, own, rotates, "")
    unseen = sorted(expected.layers - whole.layers())
    # Layers that run again and again count as many as they run.
    if len(whole.entered) >= len(expected.layers) > len(set(whole.entered)) and set(whole.entered) == whole.layers():
        unseen = []
    # A rotation under a name that is not known is none that was judged.
    if unseen and (whole.entered or whole.layers()):
        raise InvalidInput(f"{_listed(unseen)}: expected a rotation, by the configuration; found none in the model's run")
    if learned := sorted({place.layer for place in whole.scaled}):
        unjudged.append(f"{_listed(learned)}: a factor of the query that each head has learned, and that depends on the position")
    unused = [part for part in loose if not part[1].conforms]
    if 0 < len(unused) < len(loose) and _wrong(found) == len(unused) and len(found) > len(loose):
        # Caches of types that no layer is of.
        found = [part for part in found if part not in unused]
        unjudged += [f"{name}: all layers are rotated by other cosines and sines" for name, _ in unused]
    if compiled(model):
        unjudged.append("what torch.compile made of the model: it was run as it is written")
    if hidden := sorted({place.layer for place in whole.unknown}):
        unjudged.append(f"{_listed(hidden)}: a norm follows the rotation, and what attention takes was not judged")
    if None in factors.values():
        unjudged.append("the factor of the logits: it depends on the scaling rule in a way that was not measured")
    if unseen:
        unjudged.append(f"{_listed(unseen)}: no module of their attention is known by its name, so no run but that of a prompt was judged")
    if inputs is not None:
        unjudged.append("a batch, decoding and a long prompt: the model ran on the inputs that were given, and on no others")
    elif whole.layers():
        for others in (runs.batch, runs.padded, runs.decoding, runs.long):
            more = _run(others(model, expected, unjudged), whole, options, rotates)
            if others is runs.decoding and _wrong(more):
                # Such as generate gives it.
                told = _run(runs.decoding(model, expected, [], told=True), whole, options, rotates)
                if told and _wrong(told) < _wrong(more):
                    unjudged.append(COUNTS)
                    more = told
            found += more
        axes = None if config is None else _posproof.layer_axes(config, options.get("part"))
        if axes is not None:
            found += _axial(model, json.loads(axes), expected, options, unjudged)
        elif any(hasattr(module, "mrope_section") for module in model.modules()):
            unjudged.append("positions of several axes: the configuration has no sections whose order is known")
    return found, unjudged


def _kinds(config: Any, part: str | None) -> list[tuple[str, list[int], bool, float | None]]:
    """The kinds of a configuration's layers, none without one."""
    try:
        return [] if config is None else _posproof.layer_kinds(config, part)
    except InvalidInput as error:
        raise InvalidInput(f"{error}; or judge its rotary module, the function that rotates, or a pair (cos, sin)") from None


def _wrong(found: list[Part]) -> int:
    """The number of parts that do not conform."""
    return sum(not judged.conforms for _, judged in found)


def _axial(model: Any, convention: Any, expected: runs.Expected, options: dict[str, Any], unjudged: list[str]) -> list[Part]:
    """The judgements of a prompt whose positions differ along the axes."""
    found: list[Part] = []
    judging: dict[str, Any] = {key: options[key] for key in ("dtype", "compute") if key in options}
    for run, positions in runs.grid(model, len(convention["axes"]), expected, unjudged):
        for seen in run.seen:
            if seen.layer in expected.layers and seen.name in NAMES:
                width = seen.arrays["x"].shape[-1]
                # What a layer cuts out before it rotates has the rotated width alone.
                own = convention | ({"dim": width, "rotary_dim": None} if width < convention["dim"] else {})
                name = f"layer {seen.layer}, {seen.name} at positions of {len(convention['axes'])} axes"
                found += parts("assert_rope", name, seen.rotation, {"convention": own, "positions": positions, **judging})
    return found


def _of_inputs(inputs: dict[str, Any]) -> list[int]:
    """The positions of inputs: those that they state, or as many as they have, from 0 on."""
    stated = inputs.get("position_ids")
    if isinstance(stated, torch.Tensor) and stated.dim() <= 2:
        return [int(one) for one in stated.reshape(-1, stated.shape[-1])[0].tolist()]
    rows = runs.length(inputs)
    if rows is None:
        raise InvalidInput(f"positions: expected them beside inputs without tokens; found none, and {', '.join(inputs) or 'no inputs'}")
    return list(range(rows))


def _nothing(model: Any) -> str:
    """The sentence about a model in which nothing rotates; with the tables that it may add in place of that."""
    named = [
        f"{name} {list(one.shape)}"
        for name, one in (*model.named_parameters(), *model.named_buffers())
        if "position" in name.lower() and one.dim() >= 2 and one.is_floating_point()
    ]
    adds = f"; it adds {named[0]}, which assert_sinusoid judges if it is one of sinusoids" if named else ""
    return (
        f"{type(model).__name__}: expected a model with rotary modules, or with functions named apply_rotary… in the "
        f"modules that define its layers; found nothing to judge: nothing was judged{adds}"
    )


def _run(run: Any, whole: Watched, options: dict[str, Any], rotates: dict[int, bool]) -> list[Part]:
    """The judgements of what another run shows."""
    found: list[Part] = []
    for where, own, rows, complete in run:
        if complete and (missing := sorted(whole.layers() - own.layers())):
            raise InvalidInput(f"{_listed(missing)}: expected a rotation {where}, as in the run of a prompt; found none")
        for seen in own.seen:
            if seen.layer is not None and "x" in seen.arrays:
                found += _rotation(seen, own, {**options, "positions": rows(seen.arrays["x"])}, rotates, f" {where}")
    return found


def _upright(options: dict[str, Any]) -> dict[str, Any]:
    """The options for cosines and sines: where a family turns its vectors clockwise, it is the function that does, not they."""
    if options.get("convention") is not None or options.get("direction") is not None:
        return options
    return {**options, "direction": "counter-clockwise"}


def _listed(layers: list[int]) -> str:
    return f"layers {', '.join(map(str, layers[:8]))}"


def _rotation(seen: Seen, run: Watched, options: dict[str, Any], rotates: dict[int, bool], where: str) -> list[Part]:
    """The judgement of vectors that were rotated in a run."""
    name = run.named(seen) + where
    if (late := _late(seen, run)) is not None:
        name = f"{name} as attention takes it"
        seen = Seen(seen.name, {"x": seen.normed["x"], "y": late}, place=seen.place)
    own = dict(options)
    does = None if seen.layer is None else rotates.get(seen.layer)
    width = seen.arrays["x"].shape[-1]
    if does is False:
        return parts("assert_rope", f"{name}, not to be rotated", seen.rotation, still(options, width))
    if where.endswith(runs.CACHED):
        return parts("assert_rope", name, seen.rotation, still(options, width))
    if does is not None:
        own["layer"] = seen.layer
    if seen.name.endswith("of the indexer") and options.get("layout") is None and options.get("convention") is None:
        # No configuration says how an indexer pairs.
        for layout in LAYOUTS:
            found = parts("assert_rope", f"{name}, {layout}", seen.rotation, narrowed({**own, "layout": layout}, width))
            if all(judged.conforms for _, judged in found):
                return found
    return parts("assert_rope", name, seen.rotation, narrowed(own, width))


def _late(seen: Seen, run: Watched) -> Any:
    """The vectors that attention takes in the place of those that were rotated, where they are others and the layer rotates once."""
    late = _taken(seen, run)
    if late is None or seen.place is None:
        return None
    query, _, scale = run.taken[seen.place]
    own, usual = late[seen.name], query.shape[-1] ** -0.5
    if own is None or seen.name == "query" and consumed.tempered(_rotated(seen, run)[seen.name], own):
        return None
    rotated = _rotated(seen, run)[seen.name]
    # One factor of all heads is none that each has learned.
    learned = own.shape[1] in run.learned.get(seen.place.owner, ()) and consumed.factor(rotated, own) is None
    if seen.name == "query" and learned and consumed.scaled_by_heads(rotated, own):
        run.scaled.add(seen.place)
        return None
    # 1/√d may stand in the vectors, in part or in whole.
    times = _times(_rotated(seen, run), late)
    if times is not None and math.isclose(times * scale, usual, rel_tol=2 * consumed.spread(query)):
        return None
    # A cache keeps vectors in the format that they came in, whatever their rotation was computed in.
    kept = own.to(seen.normed["x"].dtype)
    return kept if torch.equal(kept, rotated.to(kept.dtype)) else own


def _rotated(seen: Seen, run: Watched) -> dict[str, Any]:
    """The query and key that were rotated in a layer, as a norm leaves them that follows."""
    return {one.name: one.normed["y"] for one in run.seen if one.place == seen.place and one.name in NAMES}


def _taken(seen: Seen, run: Watched) -> dict[str, Any] | None:
    """By name, what attention takes in the place of rotated query and key, None where it takes these; where it rotates once."""
    rotated = _rotated(seen, run)
    once = len(rotated) == 2 == sum(one.place == seen.place and one.name in NAMES for one in run.seen)
    if seen.place is None or seen.place not in run.taken or seen.name not in NAMES or not once:
        return None
    return {name: consumed.changed(rotated[name], vector) for name, vector in zip(NAMES, run.taken[seen.place], strict=False)}


def _times(rotated: dict[str, Any], late: dict[str, Any]) -> float | None:
    """The factor of the logits that stands in the vectors, at the first position; none where what was done to them is no factor."""
    same = [late[name] is None or name == "query" and consumed.tempered(rotated[name], late[name]) for name in NAMES]
    factors = [1.0 if alike else consumed.factor(rotated[name], late[name]) for name, alike in zip(NAMES, same, strict=True)]
    known = [factor for factor in factors if factor is not None]
    return math.prod(known) if len(known) == len(factors) else None


def _sharpened(
    seen: Seen, run: Watched, config: Any, options: dict[str, Any], factors: dict[int, float | None]
) -> Seen | None:
    """The rotated query times the quotient of the factor of the logits and the one that the configuration states, where these
    differ; with the factors of layers besides the usual one."""
    late = _taken(seen, run) if seen.name == "query" else None
    if late is None or config is None or seen.place is None:
        return None
    query, _, scale = run.taken[seen.place]
    times, own = _times(_rotated(seen, run), late), factors.get(seen.place.layer, 1.0)
    # A factor of 1 leaves the other to the vectors before the rotation.
    if times is None or own is None or math.isnan(scale) or math.isclose(times * scale, 1, rel_tol=1e-5):
        return None
    quotient = times * scale / (own * consumed.stated(config, query.shape[-1]))
    if math.isclose(quotient, 1, rel_tol=1e-5):
        return None
    y = seen.arrays["y"].clone()
    # What a head does not rotate stays, so that the factor alone is to be named.
    _, convention = _posproof.conventions("assert_rope", False, {**options, "layer": seen.layer})[0]
    y[..., : json.loads(convention)["rotary_dim"]] *= quotient
    return Seen("query times the factor of its logits", {"x": seen.arrays["x"], "y": y}, place=seen.place)
