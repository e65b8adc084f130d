"""Queries and keys as attention takes them: what is done to them after the rotation counts."""

from __future__ import annotations

import contextlib
import math
import sys

import torch
from torch.overrides import TorchFunctionMode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from posproof.attentions import Place

    # The first query and key of each attention, and the factor of their product, NaN where it is not known.
    Taken = dict[Place, tuple[Any, Any, float]]


# Keys that state the factor of the logits, and families whose code has one of its own.
MULTIPLIERS = ("attention_multiplier", "attention_scale")
FACTORS = dict.fromkeys(("embedding_gemma2_text", "gemma4_text", "gemma4_unified_text", "diffusion_gemma_text", "gemma3n_text"), 1.0)

# Products of tensors, with the place of the first factor.
PRODUCTS = {torch.matmul: 0, torch.Tensor.matmul: 0, torch.Tensor.__matmul__: 0, torch.bmm: 0, torch.Tensor.bmm: 0}
PRODUCTS |= {torch.baddbmm: 1, torch.Tensor.baddbmm: 1}


@contextlib.contextmanager
def watched(
    current: list[Place | None], taken: Taken, indexing: list[bool], *, batch: int = 1, lean: bool = False
) -> Iterator[None]:
    """Keeps what the attention of the current layer takes: by transformers' attention interface, or by PyTorch's function, or in
    a product that a model writes out. In a lean run attention gives zeros."""

    def keep(query: Any, key: Any, scale: Any) -> None:
        if current[0] is None or current[0] in taken or indexing[0]:
            return
        if all(isinstance(one, torch.Tensor) and one.dim() == 4 for one in (query, key)):
            scale = scale if isinstance(scale, float) else query.shape[-1] ** -0.5
            taken[current[0]] = query.detach().to("cpu").clone(), key.detach().to("cpu").clone(), scale

    with contextlib.ExitStack() as stack:
        functional = torch.nn.functional
        stack.enter_context(changed_attribute(functional, "scaled_dot_product_attention", lambda f: _kept(f, keep, 0, lean)))
        stack.enter_context(_Products(keep, batch))
        utilities = sys.modules.get("transformers.modeling_utils")
        interface = type(getattr(utilities, "ALL_ATTENTION_FUNCTIONS", None))
        for name in ("get_interface", "__getitem__"):
            if hasattr(interface, name):
                stack.enter_context(changed_attribute(interface, name, lambda look: _looked_up(look, keep, lean)))
        yield


class _Products(TorchFunctionMode):  # type: ignore[misc]
    """Keeps the factors of a layer's first product of queries and keys, where a model writes attention out."""

    def __init__(self, keep: Callable[[Any, Any, Any], None], batch: int) -> None:
        super().__init__()
        self._keep, self._batch = keep, batch

    def _by_rows(self, factor: Any) -> Any:
        """The heads of all rows of a batch, one behind the other, by rows."""
        stacked = isinstance(factor, torch.Tensor) and factor.dim() == 3 and factor.shape[0] % self._batch == 0
        return factor.unflatten(0, (self._batch, -1)) if stacked else factor

    def __torch_function__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        place = PRODUCTS.get(function)
        if place is not None and len(arguments) == place + 2:
            first, second = (self._by_rows(one) for one in arguments[place:])
            if isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor) and first.dim() == second.dim() == 4:
                # Queries [1, heads, positions, width] and keys across: not weights and values, nor what is as wide as long.
                if first.shape[-1] == second.shape[-2] != first.shape[-2] and first.shape[-2] in (1, second.shape[-1]):
                    self._keep(first, second.transpose(-1, -2), math.nan)
        return function(*arguments, **(keywords or {}))


@contextlib.contextmanager
def changed_attribute(owner: Any, name: str, change: Callable[[Any], Any]) -> Iterator[None]:
    before, own = getattr(owner, name), name in vars(owner)
    setattr(owner, name, change(before))
    try:
        yield
    finally:
        if own:
            setattr(owner, name, before)
        else:
            delattr(owner, name)


def _looked_up(look: Any, keep: Callable[[Any, Any, Any], None], lean: bool) -> Callable[..., Any]:
    def looked_up(*arguments: Any, **keywords: Any) -> Any:
        return _kept(look(*arguments, **keywords), keep, 1, lean)

    return looked_up


def _kept(function: Any, keep: Callable[[Any, Any, Any], None], first: int, lean: bool) -> Callable[..., Any]:
    """The function, of which query and key are kept: the arguments from this one on, the value behind them."""

    def attend(*arguments: Any, **keywords: Any) -> Any:
        query = arguments[first] if len(arguments) > first else keywords.get("query")
        key = arguments[first + 1] if len(arguments) > first + 1 else keywords.get("key")
        keep(query, key, keywords.get("scaling", keywords.get("scale")))
        value = arguments[first + 2] if len(arguments) > first + 2 else keywords.get("value")
        if lean and isinstance(query, torch.Tensor) and query.dim() == 4 and isinstance(value, torch.Tensor):
            rows, heads, positions = query.shape[:-1]
            # The interface gives positions before heads, and weights.
            none = query.new_zeros(rows, *((positions, heads) if first else (heads, positions)), value.shape[-1])
            return (none, None) if first else none
        return function(*arguments, **keywords)

    return attend


def changed(rotated: Any, taken: Any) -> Any:
    """What attention takes in the place of rotated vectors [1, heads, positions, width]; none where it takes these, or where
    the shapes do not tell which of its entries they are."""
    found = parts(rotated, taken)
    if not found or taken_as_it_is(rotated, taken):
        return None
    return min(found, key=lambda part: float((part.double() - rotated.double()).norm()))


def stated(config: Any, width: int) -> float:
    """The factor of the logits by a configuration, without that of a scaling rule."""
    config = config.get_text_config() if hasattr(config, "get_text_config") else config
    values: dict[str, Any] = config if isinstance(config, dict) else config.to_dict()
    if values.get("model_type") in FACTORS:
        return FACTORS[values["model_type"]]
    for key in MULTIPLIERS:
        if isinstance(values.get(key), float | int):
            return float(values[key])
    scalar = values.get("query_pre_attn_scalar")
    return math.pow(width if scalar is None else scalar, -0.5)


def taken_as_it_is(rotated: Any, taken: Any) -> bool:
    """Attention takes the rotated vectors themselves."""
    return any(torch.equal(part, rotated.to(part.dtype)) for part in parts(rotated, taken))


def distance(vectors: dict[str, Any], taken: Any) -> float:
    """Distance of what attention takes from some vectors, after their rotation or before it; infinite where it is no such vectors."""
    each = [(part.double(), vectors[name].double()) for name in ("y", "x") for part in parts(vectors[name], taken)]
    return min((float((part - own).norm()) for part, own in each), default=math.inf)


def parts(rotated: Any, taken: Any) -> list[Any]:
    """The entries that attention takes which may be rotated vectors [1, heads, positions, width]."""
    (batch, heads, rows, width), longer = rotated.shape, taken.shape[2]
    if taken.shape[0] != batch or longer < rows or taken.shape[1] % heads or taken.shape[-1] < width:
        return []
    if longer > rows:
        # Those of an encoder may stand behind them, in one attention, or others before them.
        return [part for own in (taken[:, :, :rows], taken[:, :, longer - rows :]) for part in parts(rotated, own)]
    # Keys that several queries share may have been repeated, one by one or all together. What is not rotated stands behind the
    # others, or before them.
    return [part for own in (taken[:, :: taken.shape[1] // heads], taken[:, :heads]) for part in (own[..., :width], own[..., -width:])]


def spread(taken: Any) -> float:
    """The relative distance that roundings leave between vectors and the products of a number with them: one of the factor, and one
    of each product, in the format of the products."""
    return float(max(4 * torch.finfo(torch.float32).eps, torch.finfo(taken.dtype).eps))


def factor(rotated: Any, taken: Any) -> float | None:
    """The number > 0 that all entries were multiplied by after the rotation; none where there is no such number."""
    allowed, rotated, taken = spread(taken), rotated.double(), taken.double()
    times = float((taken * rotated).sum() / rotated.square().sum())
    return times if times > 0 and float((taken - times * rotated).norm()) <= allowed * float((times * rotated).norm()) else None


def learned(attention: Any) -> set[int]:
    """The lengths of vectors that an attention has learned beside biases and norms."""
    own = [one for one in attention.modules() if not hasattr(one, "weight") and "norm" not in type(one).__name__.lower()]
    return {parameter.numel() for one in own for parameter in one.parameters(recurse=False) if parameter.dim() == 1}


def scaled_by_heads(rotated: Any, taken: Any) -> bool:
    """True if the vectors of each head and position were multiplied by a number > 0."""
    eps, rotated, taken = spread(taken), rotated.double(), taken.double()
    times = (taken * rotated).sum(3, keepdim=True) / rotated.square().sum(3, keepdim=True)
    allowed = eps * float((times * rotated).norm())
    return bool((times > 0).all()) and float((taken - times * rotated).norm()) <= allowed


def tempered(rotated: Any, taken: Any) -> bool:
    """Whether the vectors of each position were multiplied by a number that is 1 at the first position and no less later: a
    temperature of the logits that grows with the position."""
    eps, rotated, taken = spread(taken), rotated.double(), taken.double()
    times = (taken * rotated).sum((1, 3), keepdim=True) / rotated.square().sum((1, 3), keepdim=True)
    same = float((taken - times * rotated).norm()) <= eps * float((times * rotated).norm())
    return same and abs(float(times[0, 0, 0, 0]) - 1) <= eps and bool((times >= 1 - eps).all())
