"""flagos-ai/FlagGems#5142

In place, one warp may store its half of a pair before the other has loaded it: the second entry is computed from the
first one's result.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotation

SUBJECT = "rotation"
SPEC = dict(dim=128, base=10_000, layout="halves", positions=np.arange(256))
FINDING = "not-a-rotation"


def broken() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        cos, sin = cache(positions, frequencies(128))
        x[..., :64] = x[..., :64] * cos - x[..., 64:] * sin
        x[..., 64:] = x[..., 64:] * cos + x[..., :64] * sin
        return x

    return rotate


def fixed() -> Rotation:
    return rotation(frequencies(128))
