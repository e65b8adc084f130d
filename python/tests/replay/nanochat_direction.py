"""karpathy/nanochat#489

The rotation is the transpose of the textbook's; it was kept, and documented, because models were trained with it.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves, rotation

SUBJECT = "rotation"
SPEC = dict(dim=128, base=10_000, layout="halves", positions=np.arange(256))
FINDING = "direction"


def broken() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        cos, sin = cache(positions, frequencies(128))
        return rotate_halves(x, cos, -sin)

    return rotate


def fixed() -> Rotation:
    return rotation(frequencies(128))
