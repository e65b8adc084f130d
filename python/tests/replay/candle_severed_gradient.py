"""huggingface/candle#3568

The fused rotation has no backward pass, so that gradients end there without a word; the fix rotates them back.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves

SUBJECT = "rotation"
SPEC = dict(dim=64, base=10_000, layout="halves", direction="clockwise", positions=np.arange(256))
FINDING = "not-a-rotation"


def broken() -> Rotation:
    return lambda gradient, positions: np.zeros_like(gradient)


def fixed() -> Rotation:
    def backward(gradient: Array, positions: Array) -> Array:
        cos, sin = cache(positions, frequencies(64))
        return rotate_halves(gradient, cos, -sin)

    return backward
