"""pie-project/pie#603

A partial rotation takes its frequencies and its pairs from the head's width, not from the rotary width.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves

SUBJECT = "rotation"
SPEC = dict(dim=128, base=10_000_000, layout="halves", rotary_dim=32, positions=np.arange(512))
FINDING = "partial-rotary"


def broken() -> Rotation:
    turning = np.where(np.arange(64) < 16, frequencies(128, 10_000_000), 0)
    return lambda x, positions: rotate_halves(x, *cache(positions, turning))


def fixed() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        turned = rotate_halves(x[..., :32], *cache(positions, frequencies(32, 10_000_000)))
        return np.concatenate([turned, x[..., 32:]], axis=-1)

    return rotate
