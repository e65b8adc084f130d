"""What rotates in a run of a model, and what its attention takes: recorded by functions and hooks that are removed afterwards."""

from __future__ import annotations

import contextlib
import inspect
import math
import re
import sys

import torch

from posproof import consumed, projections
from posproof.attentions import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

# Classes of attention: of multi-head latent attention too, which some libraries call so alone.
ATTENDS = re.compile(r"(?i:attention|attn)|MLA")

# Layers of a network that have no part in a rotation.
SKIPPED = re.compile(r"(MLP|Mlp|FeedForward|FFN)$")
ROTATES = re.compile(r"^_?apply_(rot|multimodal_rot|rope)")


def makes_cache(module: Any) -> bool:
    """Whether it is called with (x, position_ids), and holds frequencies."""
    names = list(inspect.signature(module.forward).parameters)
    return names[:2] == ["x", "position_ids"] and any("inv_freq" in name for name, _ in module.named_buffers())


def compiled(model: Any) -> bool:
    """True if a part of it was given to `torch.compile`."""
    return any(hasattr(one, "_orig_mod") or getattr(one, "_compiled_call_impl", None) is not None for one in model.modules())


def host(tensor: Any) -> Any:
    return tensor.detach().to("cpu")


def place(module: Any) -> tuple[Any, Any]:
    """The device and the format of a module's numbers."""
    for tensor in (*module.parameters(), *module.buffers()):
        if tensor.is_floating_point():
            return tensor.device, tensor.dtype
    return torch.device("cpu"), torch.float32


class Seen:
    """Arrays that a run of a model showed, and the attention, or the type of layer, that they are of."""

    def __init__(self, name: str, arrays: dict[str, Any], *, place: Place | None = None, kind: str | None = None) -> None:
        self.name, self.arrays, self.place, self.kind = name, arrays, place, kind

    @property
    def rotation(self) -> dict[str, Any]:
        """The vectors before the rotation and after it."""
        return {name: self.arrays[name] for name in ("x", "y")}

    @property
    def normed(self) -> dict[str, Any]:
        """Both vectors as a norm leaves them that follows the rotation, where one does."""
        return {name: self.arrays.get(f"normed {name}", self.arrays[name]) for name in ("x", "y")}

    @property
    def layer(self) -> int | None:
        """The number of the layer."""
        return None if self.place is None else self.place.layer


class Watched:
    """What the runs of a model show while it is watched: the caches and the rotations, the layers whose attention ran, and
    what it took there."""

    def __init__(self, rows: int) -> None:
        """The positions of a run, by whose number their axis is known."""
        self.rows = rows
        self.seen: list[Seen] = []
        self.entered: list[int] = []
        self.taken: consumed.Taken = {}
        self.made: projections.Made = {}
        # Attentions of which it is not known what they take, because a norm follows the rotation in a way that is not followed.
        self.unknown: set[Place] = set()
        # Numbers that an attention has learned beside matrices, biases and norms: how many there are of each. Attentions whose query
        # takes a factor from them.
        self.learned: dict[str, set[int]] = {}
        self.scaled: set[Place] = set()

    def layers(self) -> set[int]:
        """The layers that were seen to rotate."""
        return {seen.layer for seen in self.seen if seen.layer is not None}

    def named(self, seen: Seen) -> str:
        """The vectors by their layer, and by their attention where the layer has several that rotate."""
        if seen.place is None:
            return seen.name
        several = len({one.place.owner for one in self.seen if one.place is not None and one.layer == seen.layer}) > 1
        name = f"layer {seen.layer}, {seen.name}" + (f" of {seen.place.owner}" if several else "")
        return name + (f" when it runs again ({seen.place.turn})" if seen.place.turn > 1 else "")


@contextlib.contextmanager
def watched(model: Any, rows: int, *, batch: int = 1, lean: bool = False) -> Iterator[Watched]:
    """Watches a model, in the mode of evaluation; afterwards it is as it was. In a lean run no attention and no feed-forward
    layer is computed: what is rotated are other vectors, in the same way."""
    found = Watched(rows)
    current: list[Place | None] = [None]
    indexing: list[bool] = [False]
    attentions = [name for name, module in model.named_modules() if ATTENDS.search(type(module).__name__)]
    with contextlib.ExitStack() as stack:
        for name, module in model.named_modules():
            if "indexer" in type(module).__name__.lower():
                stack.callback(module.register_forward_pre_hook(_indexed(indexing, True)).remove)
                stack.callback(module.register_forward_hook(_indexed(indexing, False), always_call=True).remove)
            layer = getattr(module, "layer_idx", None)
            number = layer if isinstance(layer, int) else _numbered(name)
            if number is not None and name in attentions:
                # An attention within another is a part of it.
                owner = min((one for one in attentions if f"{name}.".startswith(f"{one}.")), key=len)
                own = Place(number, owner)
                if name == owner:
                    found.learned[owner] = consumed.learned(module)
                stack.callback(module.register_forward_pre_hook(_entered(current, own, found.entered, name == owner)).remove)
                for inner, part in module.named_modules():
                    stack.callback(part.register_forward_hook(projections.kept(inner, current, found.made)).remove)
                rotated = lambda place: any(seen.place == place for seen in found.seen)  # noqa: E731
                stack.callback(module.register_forward_hook(projections.dropped(current, found.made, rotated)).remove)
            within = type(model.get_submodule(name.rpartition(".")[0])).__name__.lower()
            if "norm" in type(module).__name__.lower() and "attention" in within:
                stack.callback(module.register_forward_hook(_normed(current, found)).remove)
            if module is not model and makes_cache(module):
                kept = _kept(name, rows, found.seen)
                stack.callback(module.register_forward_hook(kept, with_kwargs=True).remove)
        for namespace in {type(module).__module__ for module in model.modules()}:
            for name, function in list(vars(sys.modules.get(namespace)).items()):
                if ROTATES.match(name) and callable(function) and not inspect.isclass(function):
                    stack.enter_context(_replaced(namespace, name, _recorded(function, rows, current, indexing, found.seen)))
        stack.enter_context(consumed.watched(current, found.taken, indexing, batch=batch, lean=lean))
        for module in model.modules() if lean else ():
            if SKIPPED.search(type(module).__name__):
                stack.enter_context(consumed.changed_attribute(module, "forward", lambda _: lambda x, *_, **__: x))
        # A compiled program runs without what watches it.
        if hasattr(torch.compiler, "set_stance"):
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        stack.callback(model.train, model.training)
        model.eval()
        yield found
    for hidden in found.unknown:
        found.taken.pop(hidden, None)
    _told_apart(found)


def _told_apart(run: Watched) -> None:
    """Says which vectors are of the query and which of the key, where a function rotates one at a time: those that attention takes,
    or what is nearest to them, rotated or not."""
    for place, (query, key, _) in run.taken.items():
        # Those of a step stand behind the cached ones.
        key = key[..., -query.shape[-2] :, :]
        own = [seen for seen in run.seen if seen.place == place and seen.name == "vectors"]
        if len(own) != 2 or query.shape == key.shape and torch.equal(query, key):
            continue
        off = [consumed.distance(first.arrays, query) + consumed.distance(second.arrays, key) for first, second in (own, own[::-1])]
        if min(off) < math.inf:
            first, second = own if off[0] <= off[1] else own[::-1]
            first.name, second.name = "query", "key"


def _normed(current: list[Place | None], run: Watched) -> Callable[..., None]:
    """Keeps what a norm that follows the rotation makes of rotated vectors, and of them before: a rotation leaves lengths as
    they are. The norm is given as many entries as a rotation made, of the length of these."""

    def left(norm: Any, arguments: Any, _: Any) -> None:
        if current[0] in run.taken or not arguments or not isinstance(arguments[0], torch.Tensor):
            return
        given = host(arguments[0])
        for seen in run.seen:
            if seen.place is None or seen.place != current[0] or given.numel() != seen.arrays["y"].numel():
                continue
            length = float(seen.arrays["y"].double().norm())
            if not math.isclose(float(given.double().norm()), length, rel_tol=1e-6):
                continue
            # It acts on heads one by one, in whatever order they stand.
            if given.dim() == 4 and given.shape[-1] == seen.arrays["y"].shape[-1]:
                made = {name: host(norm.forward(array.to(arguments[0].device))) for name, array in seen.rotation.items()}
                seen.arrays |= {f"normed {name}": array.clone() for name, array in made.items()}
            else:
                run.unknown.add(seen.place)

    return left


def _numbered(name: str) -> int | None:
    found = re.findall(r"(?:^|\.)(\d+)(?=\.|$)", name)
    return int(found[-1]) if found else None


def _entered(current: list[Place | None], place: Place, entered: list[int], whole: bool) -> Callable[..., None]:
    """Notes that an attention runs, whole or a part of it."""
    turns = 0

    def enter(*_: Any) -> None:
        nonlocal turns
        turns += whole
        within = current[0].turn if current[0] is not None and current[0].owner == place.owner else 1
        current[0] = place._replace(turn=turns if whole else within)
        entered.append(place.layer)

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
            cos, sin = (host(one).clone() for one in returned)
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


def _indexed(indexing: list[bool], within: bool) -> Callable[..., None]:
    """Notes that an indexer runs: it chooses which keys a layer attends to, by vectors that it rotates in its own way."""

    def note(*_: Any) -> None:
        indexing[0] = within

    return note


def _recorded(
    function: Any, rows: int, current: list[Place | None], indexing: list[bool], run: list[Seen]
) -> Callable[..., Any]:
    """The function, whose vectors are kept: arguments of four axes that come out in the same shape. Where it calls another one that
    is known, those of the outer one count."""

    def rotate(*arguments: Any, **keywords: Any) -> Any:
        first = len(run)
        given = [one for one in (*arguments, *keywords.values()) if isinstance(one, torch.Tensor) and one.dim() == 4]
        before = [host(one).clone() for one in given]
        returned = function(*arguments, **keywords)
        after = returned if isinstance(returned, tuple | list) else (returned,)
        names = ["query", "key"] if len(after) == 2 else ["vectors"]
        names = [f"{name} of the indexer" for name in names] if indexing[0] else names
        inner = len(run)
        for name, x, y in zip(names, before, after, strict=False):
            if isinstance(y, torch.Tensor) and x.shape == y.shape:
                # Heads and positions stand in either order.
                across = x.shape[-2] != rows and x.shape[1] == rows
                x, y = (x.transpose(1, 2), y.transpose(1, 2)) if across else (x, y)
                run.append(Seen(name, {"x": x, "y": host(y).clone()}, place=current[0]))
        if len(run) > inner:
            del run[first:inner]
        return returned

    return rotate
