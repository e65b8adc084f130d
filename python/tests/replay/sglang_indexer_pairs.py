"""sgl-project/sglang#30342

The fused kernel of the indexer has interleaved pairs hard-coded; DeepSeek V3.2's indexer pairs (i, i + rope_dim/2).
"""

from collections.abc import Callable

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves, rotate_interleaved

SUBJECT = "rotation"
SPEC = dict(dim=128, base=10_000, layout="halves", rotary_dim=64, positions=np.arange(256))
FINDING = "layout"


def indexer(turn: Callable) -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        turned = turn(x[..., :64], *cache(positions, frequencies(64)))
        return np.concatenate([turned, x[..., 64:]], axis=-1)

    return rotate


def broken() -> Rotation:
    return indexer(rotate_interleaved)


def fixed() -> Rotation:
    return indexer(rotate_halves)
