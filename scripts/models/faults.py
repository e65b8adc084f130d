"""Faults of models: for each the change that makes it, and the codes of findings that name it."""

import functools

import torch

from changes import LONGEST, cached, cosines, decoded, elsewhere, frequencies, late, one_layer, positions, repaired, rotated, scaled, sections


def beyond(cos, sin):
    """The rows from the 600th on are the first."""
    return tuple(torch.cat([one[..., :600, :], one[..., :1, :].expand_as(one[..., 600:, :])], -2) if one.shape[-2] > 600 else one for one in (cos, sin))


def by_place(ids):
    """Positions of a batch of two whose first row is padded on the left, counted as if nothing were."""
    padded = ids.dim() > 1 and ids.shape[-2] == 2 and ids.shape[-1] > 1 and bool((ids[..., 0, 0] == ids[..., 0, 1]).all())
    return torch.arange(ids.shape[-1], dtype=ids.dtype, device=ids.device).expand_as(ids) if padded else ids


def single(x):
    other, turning = x.clone(), x.nonzero().flatten()
    other[turning[len(turning) // 2]] *= 1.5
    return other


def conjugated(x):
    half = x.shape[-1] // 2
    return torch.cat([x[..., :half], -x[..., half:]], -1)


FAULTS = {
    "another base": (frequencies(lambda f: f**1.2), {"other-base", "frequency-scaling"}),
    "half the frequencies": (frequencies(lambda f: f / 2), {"frequency-scaling", "position-scale"}),
    "one frequency": (frequencies(single), {"frequency-scaling", "other-base", "local"}),
    "frequencies in bf16": (frequencies(lambda f: f.bfloat16().to(f.dtype)), {"low-precision-frequencies"}),
    "positions in bf16": (positions(lambda ids: ids.bfloat16().to(ids.dtype).clamp(max=LONGEST - 1)), {"low-precision-positions"}),
    "positions + 1": (positions(lambda ids: torch.where(ids < LONGEST - 1, ids + 1, ids)), {"position-offset", "row-shift"}),
    "cosines in bf16": (cosines(lambda c, s: (c.bfloat16().to(c.dtype), s.bfloat16().to(s.dtype))), {"low-precision-storage"}),
    "sines negated": (cosines(lambda c, s: (c, -s)), {"direction"}),
    "cosines for sines": (cosines(lambda c, s: (s, c)), {"order"}),
    "× 1.1": (cosines(lambda c, s: (1.1 * c, 1.1 * s)), {"amplitude"}),
    "another pairing": (repaired, {"layout"}),
    "keys left": (rotated(lambda x, y, key: x if key and x.shape == y.shape else y), {"no-rotation", "stale-positions"}),
    "one layer of another row": (one_layer(lambda c, s: (c.roll(1, -2), s.roll(1, -2))), {"position-offset", "row-shift", "stale-positions"}),
    "renamed, does nothing": (elsewhere(None), {"no-rotation", "stale-positions"}),
    "partial, does nothing": (elsewhere(functools.partial(functools.partial)), {"no-rotation", "stale-positions"}),
    "does nothing": (elsewhere(lambda function: function), {"no-rotation", "stale-positions"}),
    "keys shifted": (late(lambda key: key.roll(1, 2)), {"row-shift", "position-offset", "not-a-rotation"}),
    "keys conjugated": (late(conjugated), {"not-a-rotation", "direction"}),
    "keys of the cache conjugated": (cached(conjugated), {"not-a-rotation", "direction", "layout"}),
    "logits × 4": (scaled(4.0), {"softmax-scale", "amplitude"}),
    "decoded at 0": (decoded(lambda ids: ids * 0), {"stale-positions", "position-offset", "no-rotation", "position-scale"}),
    "decoded one later": (decoded(lambda ids: ids + 1), {"position-offset", "row-shift"}),
    "rows share positions": (positions(lambda ids: ids[..., :1, :].expand_as(ids)), {"position-offset", "row-shift"}),
    "padded row by place": (positions(by_place), {"position-offset", "row-shift"}),
    "sections reversed": (sections, {"axis-arrangement", "axes-exchanged"}),
    "rows from the 600th on": (cosines(beyond), {"stale-positions", "local", "clamped-positions", "no-rotation"}),
}
