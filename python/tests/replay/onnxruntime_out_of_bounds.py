"""microsoft/onnxruntime#28205

Where a position lies beyond the cache, the operator returns without rotating and without an error.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves

SUBJECT = "rotation"
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(512))
FINDING = "clamped-positions"


def operator(length: int) -> Rotation:
    cos, sin = cache(np.arange(length), frequencies(64))

    def rotate(x: Array, positions: Array) -> Array:
        inside = positions < length
        row = np.where(inside, positions, 0)
        return np.where(inside[:, None], rotate_halves(x, cos[row], sin[row]), x)

    return rotate


def broken() -> Rotation:
    return operator(length=256)


def fixed() -> Rotation:
    return operator(length=512)
