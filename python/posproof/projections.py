"""Vectors before the rotation, where no function that rotates is known: what the modules of an attention layer made, and
attention takes in another direction."""

from __future__ import annotations

import torch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from posproof.attentions import Place

    # Results of the modules in each layer's attention, in order, by the names of the modules.
    Made = dict[Place, list[tuple[str, Any]]]
    # For each layer and each of query and key, by heads: the name of the module, and the place of the head in its results.
    Sources = dict[tuple[Place, str], list[tuple[str, int]]]


def kept(name: str, current: list[Place | None], made: Made) -> Callable[..., None]:
    """Keeps what a module in an attention layer makes."""

    def keep(_: Any, arguments: Any, returned: Any) -> None:
        if current[0] is not None and isinstance(returned, torch.Tensor) and returned.is_floating_point():
            made.setdefault(current[0], []).append((name, returned.detach()))

    return keep


def dropped(current: list[Place | None], made: Made, rotated: Callable[[Place], bool]) -> Callable[..., None]:
    """Forgets what a layer's modules made where a rotation of it was seen."""

    def drop(*_: Any) -> None:
        if current[0] is not None and rotated(current[0]):
            made.pop(current[0], None)

    return drop


def source(place: Place, name: str, taken: Any, made: Made, known: Sources) -> Any:
    """The vectors [1, heads, positions, width] of which attention takes rotated ones: of each head those that are as long at
    every position, up to one factor. None where the modules made no such vectors."""
    results = [(module, one) for module, result in made.get(place, []) for one in _heads(result.to("cpu"), taken)]
    if (place, name) in known:
        chosen = known[place, name]
        heads = [next((one[head] for module, one in results if module == own and head < len(one)), None) for own, head in chosen]
    else:
        chosen, heads = [], []
        for head in taken[0]:
            found = [(module, at, vector) for module, one in reversed(results) for at, vector in enumerate(one) if _as_long(vector, head)]
            # Vectors of a norm are all as long: those are meant that the first position turns least.
            module, at, vector = max(found, key=lambda one: _alike(one[2], head), default=("", 0, None))
            chosen.append((module, at))
            heads.append(vector)
        if all(one is not None for one in heads):
            known[place, name] = chosen
    if any(one is None or one.shape != taken[0, 0].shape for one in heads):
        return None
    return torch.stack(heads)[None]


def _heads(result: Any, taken: Any) -> list[Any]:
    """The vectors [heads, positions, width] of what a module made, as wide as those that attention takes; in either order of
    heads and positions."""
    rows, width = taken.shape[-2:]
    if len(result) != 1 or result.numel() % (rows * width):
        return []
    match result.dim():
        case 3 if result.shape[1] == rows:
            return [result[0].reshape(rows, -1, width).transpose(0, 1)]
        case 4 if result.shape[-1] == width and rows in result.shape[1:3]:
            return [result[0].transpose(0, 1) if result.shape[1] == rows else result[0]]
    return []


def _alike(vector: Any, head: Any) -> float:
    """The cosine of the angle between the first two of some vectors."""
    return float(torch.nn.functional.cosine_similarity(vector[0].double(), head[0].double(), dim=0))


def _as_long(vector: Any, head: Any) -> bool:
    """Lengths of vectors [positions, width] are those of others, up to one factor."""
    ratio = head.double().norm(dim=-1) / vector.double().norm(dim=-1)
    return bool(ratio.isfinite().all()) and float(ratio.max() - ratio.min()) <= 1e-4 * float(ratio.max())
