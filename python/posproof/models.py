"""Modules and models of PyTorch: what rotates in them is found, and judged layer by layer.

A module that returns (cos, sin) when called with `(x, position_ids)` is called. A model of transformers is run once, on
tokens at the stated positions; meanwhile each of its rotary modules is watched, and the functions that rotate queries and
keys (`apply_rotary_pos_emb` and its like, in the modules that define the attention layers): the cosines and sines, and the
vectors that went in and came out, are what is judged, each against the convention of its own layer or type of layer. Where attention
takes other vectors than came out, those are judged.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import math
import re
import sys

import torch

from posproof import _posproof, consumed
from posproof._posproof import InvalidInput
from posproof.judging import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from posproof.report import Part

# Positions of a model's run where none are stated: as many as tell faults apart, up to the longest context.
LAST = 131_071

ROTATES = re.compile(r"^_?apply_(rot|multimodal_rot|rope)")


def judged(module: Any, options: dict[str, Any]) -> list[Part]:
    """The judgements of a module that makes cosines and sines, or of a model."""
    __tracebackhide__ = True
    if _makes_cache(module):
        return _cache(module, options)
    return _model(module, options)


def _makes_cache(module: Any) -> bool:
    """Whether it is called with (x, position_ids), and holds frequencies."""
    names = list(inspect.signature(module.forward).parameters)
    return names[:2] == ["x", "position_ids"] and any("inv_freq" in name for name, _ in module.named_buffers())


def _positions(options: dict[str, Any], longest: int) -> list[int]:
    stated = options.get("positions")
    return _posproof.probe_positions(longest - 1) if stated is None else _posproof.positions_list(stated)


def _longest(config: Any) -> int:
    length = getattr(config, "max_position_embeddings", None)
    return min(length, LAST + 1) if isinstance(length, int) and length > 1 else LAST + 1


def _place(module: Any) -> tuple[Any, Any]:
    """The device and the format of a module's numbers."""
    for tensor in (*module.parameters(), *module.buffers()):
        if tensor.is_floating_point():
            return tensor.device, tensor.dtype
    return torch.device("cpu"), torch.float32


def _host(tensor: Any) -> Any:
    return tensor.detach().to("cpu")


def _cache(module: Any, options: dict[str, Any]) -> list[Part]:
    """The judgement of a module's cosines and sines, of each type of layer that it tells apart."""
    config = options.get("config") or getattr(module, "config", None)
    options = {**options, "positions": _positions(options, _longest(config))}
    if options.get("dim") is None and options.get("config") is None and options.get("convention") is None:
        if config is None:
            raise InvalidInput("config: expected one, or dim and other options: the module has none; found neither")
        options["config"] = config
    device, _ = _place(module)
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
        own = options if layer_type is None else {**options, "layer_type": layer_type}
        name = layer_type if layer_type is not None and len(types) > 1 else ""
        found += parts("assert_rope", name, {"cos": _host(cos), "sin": _host(sin)}, own)
    return found


class Seen:
    """What a run of a model showed: arrays, and the layer, or the type of layer, that they are of."""

    def __init__(self, name: str, arrays: dict[str, Any], *, layer: int | None = None, kind: str | None = None) -> None:
        self.name, self.arrays, self.layer, self.kind = name, arrays, layer, kind


def _model(model: Any, options: dict[str, Any]) -> list[Part]:
    config = options.get("config")
    # Options that state the encoding take the place of the model's own configuration.
    if config is None and options.get("dim") is None and options.get("convention") is None:
        config = getattr(model, "config", None)
        if config is None:
            raise InvalidInput(
                f"config: expected one, or dim and other options: {type(model).__name__} has none; found neither"
            )
        options = {**options, "config": config}
    positions = _positions(options, _longest(getattr(model, "config", config)))
    options = {**options, "positions": positions}
    run, entered, taken = _watched(model, positions)
    if not run:
        raise InvalidInput(
            f"{type(model).__name__}: expected a model with rotary modules, or with functions named apply_rotary… in the "
            "modules that define its layers; found nothing to judge: nothing was judged"
        )
    kinds = [] if config is None else _posproof.layer_kinds(config, options.get("part"))
    rotates = {layer: rotates for _, layers, rotates in kinds for layer in layers}
    found: list[Part] = []
    for seen in run:
        own = dict(options)
        if "cos" in seen.arrays:
            if seen.kind is not None and config is not None:
                own["layer_type"] = seen.kind
            found += parts("assert_rope", seen.name, seen.arrays, own)
            continue
        if seen.layer is not None and rotates.get(seen.layer) is not None:
            own["layer"] = seen.layer
        name = seen.name if seen.layer is None else f"layer {seen.layer}, {seen.name}"
        if (late := _late(seen, run, taken)) is not None:
            name = f"{name} as attention takes it"
            seen = Seen(seen.name, {"x": seen.arrays["x"], "y": late}, layer=seen.layer)
        if seen.layer is not None and rotates.get(seen.layer) is False:
            name = f"{name}, not to be rotated"
            found += parts("assert_rope", name, seen.arrays, _still(options, seen.arrays["x"].shape[-1]))
            continue
        found += parts("assert_rope", name, seen.arrays, _narrowed(own, seen.arrays["x"].shape[-1]))
    unseen = [layer for layer, does in rotates.items() if does and layer not in {seen.layer for seen in run}]
    # A rotation under a name that is not known is none that was judged.
    if unseen and (entered or any(seen.layer is not None for seen in run)):
        listed = ", ".join(map(str, unseen[:8]))
        raise InvalidInput(f"layers {listed}: expected a rotation, by the configuration; found none in the model's run")
    return found


def _late(seen: Seen, run: list[Seen], taken: consumed.Taken) -> Any:
    """The vectors that attention takes in the place of those that were rotated, where they are others and the layer rotates once."""
    names = ("query", "key")
    rotated = {one.name: one.arrays["y"] for one in run if one.layer == seen.layer and one.name in names}
    once = len(rotated) == 2 == sum(one.layer == seen.layer and one.name in names for one in run)
    if seen.layer not in taken or seen.name not in names or not once:
        return None
    *vectors, scale = taken[seen.layer]
    late = {name: consumed.changed(rotated[name], vector) for name, vector in zip(names, vectors, strict=True)}
    own = late[seen.name]
    if own is None or seen.name == "query" and consumed.tempered(rotated[seen.name], own):
        return None
    # 1/√d may stand in the vectors, in part or in whole.
    factors = [1.0 if late[name] is None else consumed.factor(rotated[name], late[name]) for name in names]
    known = [factor for factor in factors if factor is not None]
    usual = vectors[0].shape[-1] ** -0.5
    if len(known) == len(names) and math.isclose(math.prod(known) * scale, usual, rel_tol=torch.finfo(torch.float32).eps * 8):
        return None
    return own


def _still(options: dict[str, Any], width: int) -> dict[str, Any]:
    """The options for vectors that are to stay as they are: no pair turns."""
    _, rotated = _posproof.conventions("assert_rope", False, options)[0]
    still = json.loads(rotated) | {"dim": width, "rotary_dim": None, "scaling": {"rope_type": "proportional", "partial_rotary_factor": 0}}
    judging: dict[str, Any] = {key: options[key] for key in ("positions", "dtype", "compute") if key in options}
    return {"convention": still, **judging}


def _narrowed(options: dict[str, Any], width: int) -> dict[str, Any]:
    """The options for the rotated part of a head alone, where a layer cuts that out before it rotates."""
    whole = _posproof.conventions("assert_rope", False, options)
    cut = [convention | {"dim": width, "rotary_dim": None} for convention in (json.loads(one) for _, one in whole)]
    if len(cut) != 1 or json.loads(whole[0][1])["dim"] == width:
        return options
    judging: dict[str, Any] = {key: options[key] for key in ("positions", "dtype", "compute", "path") if key in options}
    return {"convention": cut[0], **judging}


def _watched(model: Any, positions: list[int]) -> tuple[list[Seen], set[int], consumed.Taken]:
    """Runs the model at some positions, and returns the caches and the rotations that were seen, the layers whose attention ran,
    and what it took there."""
    run: list[Seen] = []
    taken: consumed.Taken = {}
    normed: set[int] = set()
    entered: set[int] = set()
    current: list[int | None] = [None]
    device, _ = _place(model)
    ids = torch.tensor([positions], device=device)
    with contextlib.ExitStack() as stack:
        for name, module in model.named_modules():
            layer = getattr(module, "layer_idx", None)
            number = layer if isinstance(layer, int) else _numbered(name)
            if number is not None and "attention" in type(module).__name__.lower():
                stack.callback(module.register_forward_pre_hook(_entered(current, number, entered)).remove)
            within = type(model.get_submodule(name.rpartition(".")[0])).__name__.lower()
            if "norm" in type(module).__name__.lower() and "attention" in within:
                stack.callback(module.register_forward_pre_hook(_normed(current, run, normed)).remove)
            if module is not model and _makes_cache(module):
                kept = _kept(name, len(positions), run)
                stack.callback(module.register_forward_hook(kept, with_kwargs=True).remove)
        for namespace in {type(module).__module__ for module in model.modules()}:
            for name, function in list(vars(sys.modules.get(namespace)).items()):
                if ROTATES.match(name) and callable(function) and not inspect.isclass(function):
                    stack.enter_context(_replaced(namespace, name, _recorded(function, len(positions), current, run)))
        stack.enter_context(consumed.watched(current, taken))
        stack.callback(model.train, model.training)
        model.eval()
        tokens = _tokens(model, ids)
        with torch.no_grad():
            try:
                model(input_ids=tokens, position_ids=ids, use_cache=False)
            except Exception as error:
                raise InvalidInput(_not_run(model, f"{type(error).__name__}: {error}")) from error
    return run, entered, {layer: pair for layer, pair in taken.items() if layer not in normed}


def _normed(current: list[int | None], run: list[Seen], normed: set[int]) -> Callable[..., None]:
    """Notes the layers in which a norm, whose weights are the model's own, follows the rotation."""

    def enter(*_: Any) -> None:
        if current[0] is not None and any(seen.layer == current[0] for seen in run):
            normed.add(current[0])

    return enter


def _not_run(model: Any, found: str) -> str:
    """The sentence about a model that text alone does not run."""
    return (
        f"{type(model).__name__}: expected a model that runs on input_ids and position_ids alone; found {found}; "
        "give its rotary module, the function that rotates, or a pair (cos, sin)"
    )


def _tokens(model: Any, ids: Any) -> Any:
    """A token for each position; not that of padding, whose vectors are zero and turn into themselves."""
    try:
        table = model.get_input_embeddings()
    except (AttributeError, NotImplementedError) as error:
        raise InvalidInput(_not_run(model, "one without embeddings of tokens")) from error
    count = getattr(table, "num_embeddings", None)
    if not isinstance(count, int) or count < 1:
        raise InvalidInput(_not_run(model, f"one whose embeddings of tokens are {type(table).__name__}"))
    known = [token for token in range(min(count, 4096)) if token != getattr(table, "padding_idx", None)]
    return torch.tensor(known, device=ids.device)[torch.arange(ids.shape[1]) % len(known)][None]


def _numbered(name: str) -> int | None:
    found = re.findall(r"(?:^|\.)(\d+)(?=\.|$)", name)
    return int(found[-1]) if found else None


def _entered(current: list[int | None], layer: int, entered: set[int]) -> Callable[..., None]:
    def enter(*_: Any) -> None:
        current[0] = layer
        entered.add(layer)

    return enter


def _kept(name: str, rows: int, run: list[Seen]) -> Callable[..., None]:
    """Keeps the cosines and sines [1, positions, width] of a rotary module, once for each type of layer."""

    def keep(_: Any, arguments: Any, keywords: dict[str, Any], returned: Any) -> None:
        if not isinstance(returned, tuple | list) or len(returned) != 2:
            return
        if not all(isinstance(one, torch.Tensor) and tuple(one.shape[:-1]) == (1, rows) for one in returned):
            return
        kind = keywords.get("layer_type", arguments[2] if len(arguments) > 2 else None)
        kind = kind if isinstance(kind, str) else None
        label = name if kind is None else f"{name}, {kind}"
        if all(seen.name != label for seen in run):
            cos, sin = (_host(one).clone() for one in returned)
            run.append(Seen(label, {"cos": cos, "sin": sin}, kind=kind))

    return keep


@contextlib.contextmanager
def _replaced(namespace: str, name: str, function: Any) -> Iterator[None]:
    module = sys.modules[namespace]
    before = getattr(module, name)
    setattr(module, name, function)
    try:
        yield
    finally:
        setattr(module, name, before)


def _recorded(function: Any, rows: int, current: list[int | None], run: list[Seen]) -> Callable[..., Any]:
    """The function, whose vectors are kept: arguments of four axes that come out in the same shape."""

    def rotate(*arguments: Any, **keywords: Any) -> Any:
        given = [one for one in (*arguments, *keywords.values()) if isinstance(one, torch.Tensor) and one.dim() == 4]
        before = [_host(one).clone() for one in given]
        returned = function(*arguments, **keywords)
        after = returned if isinstance(returned, tuple | list) else (returned,)
        names = ["query", "key"] if len(after) == 2 else ["vectors"]
        for name, x, y in zip(names, before, after, strict=False):
            if isinstance(y, torch.Tensor) and x.shape == y.shape:
                # Heads and positions stand in either order.
                across = x.shape[-2] != rows and x.shape[1] == rows
                x, y = (x.transpose(1, 2), y.transpose(1, 2)) if across else (x, y)
                run.append(Seen(name, {"x": x, "y": _host(y).clone()}, layer=current[0]))
        return returned

    return rotate
