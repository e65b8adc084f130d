"""Queries and keys as attention takes them: what is done to them after the rotation counts."""

from __future__ import annotations

import contextlib
import sys

import torch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    # The first query and key of each layer, and the factor of their product.
    Taken = dict[int, tuple[Any, Any, float]]


@contextlib.contextmanager
def watched(current: list[int | None], taken: Taken) -> Iterator[None]:
    """Keeps what the attention of the current layer takes: by transformers' attention interface, or by PyTorch's function."""

    def keep(query: Any, key: Any, scale: Any) -> None:
        if current[0] is None or current[0] in taken:
            return
        if all(isinstance(one, torch.Tensor) and one.dim() == 4 for one in (query, key)):
            scale = scale if isinstance(scale, float) else query.shape[-1] ** -0.5
            taken[current[0]] = query.detach().to("cpu").clone(), key.detach().to("cpu").clone(), scale

    with contextlib.ExitStack() as stack:
        functional = torch.nn.functional
        stack.enter_context(_changed(functional, "scaled_dot_product_attention", lambda f: _kept(f, keep, 0)))
        utilities = sys.modules.get("transformers.modeling_utils")
        interface = type(getattr(utilities, "ALL_ATTENTION_FUNCTIONS", None))
        for name in ("get_interface", "__getitem__"):
            if hasattr(interface, name):
                stack.enter_context(_changed(interface, name, lambda look: _looked_up(look, keep)))
        yield


@contextlib.contextmanager
def _changed(owner: Any, name: str, change: Callable[[Any], Any]) -> Iterator[None]:
    before, own = getattr(owner, name), name in vars(owner)
    setattr(owner, name, change(before))
    try:
        yield
    finally:
        if own:
            setattr(owner, name, before)
        else:
            delattr(owner, name)


def _looked_up(look: Any, keep: Callable[[Any, Any, Any], None]) -> Callable[..., Any]:
    def looked_up(*arguments: Any, **keywords: Any) -> Any:
        return _kept(look(*arguments, **keywords), keep, 1)

    return looked_up


def _kept(function: Any, keep: Callable[[Any, Any, Any], None], first: int) -> Callable[..., Any]:
    """The function, of which query and key are kept: the arguments from this one on."""

    def attend(*arguments: Any, **keywords: Any) -> Any:
        query = arguments[first] if len(arguments) > first else keywords.get("query")
        key = arguments[first + 1] if len(arguments) > first + 1 else keywords.get("key")
        keep(query, key, keywords.get("scaling", keywords.get("scale")))
        return function(*arguments, **keywords)

    return attend


def changed(rotated: Any, taken: Any) -> Any:
    """What attention takes in the place of rotated vectors [1, heads, positions, width]; none where it takes these, or where
    the shapes do not tell which of its entries they are."""
    heads, width = rotated.shape[1], rotated.shape[-1]
    rows = [(one.shape[0], one.shape[2]) for one in (rotated, taken)]
    if rows[0] != rows[1] or taken.shape[1] % heads or taken.shape[-1] < width:
        return None
    # Keys that several queries share may have been repeated.
    taken = taken[:, :: taken.shape[1] // heads]
    # What is not rotated stands behind the others, or before them.
    parts = taken[..., :width], taken[..., -width:]
    if any(torch.equal(part, rotated.to(part.dtype)) for part in parts):
        return None
    return min(parts, key=lambda part: float((part.double() - rotated.double()).norm()))


def factor(rotated: Any, taken: Any) -> float | None:
    """The number > 0 that all entries were multiplied by after the rotation; none where there is no such number."""
    rotated, taken = rotated.double(), taken.double()
    times = float((taken * rotated).sum() / rotated.square().sum())
    # One rounding of the factor, and one of each product.
    allowed = 4 * torch.finfo(torch.float32).eps * float((times * rotated).norm())
    return times if times > 0 and float((taken - times * rotated).norm()) <= allowed else None


def tempered(rotated: Any, taken: Any) -> bool:
    """Whether the vectors of each position were multiplied by a number that is 1 at the first position and no less later: a
    temperature of the logits that grows with the position."""
    rotated, taken = rotated.double(), taken.double()
    times = (taken * rotated).sum((1, 3), keepdim=True) / rotated.square().sum((1, 3), keepdim=True)
    eps = torch.finfo(torch.float32).eps
    same = float((taken - times * rotated).norm()) <= 4 * eps * float((times * rotated).norm())
    return same and abs(float(times[0, 0, 0, 0]) - 1) <= 4 * eps and bool((times >= 1 - 4 * eps).all())
