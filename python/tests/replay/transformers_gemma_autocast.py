"""huggingface/transformers#29285

Under autocast the product of positions and frequencies, which is written as a matrix product, is computed in bf16 in
spite of float().
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Array, Rotation, frequencies, rotate_halves, rotation

SUBJECT = "rotation"
SPEC = dict(dim=256, base=10_000, layout="halves", positions=np.arange(0, 8192, 16))
FINDING = "low-precision-angles"


def autocast(positions: Array, inv_freq: Array) -> Array:
    return np.multiply.outer(positions.astype(bfloat16), inv_freq.astype(bfloat16)).astype(np.float32)


def broken() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        theta = autocast(positions, frequencies(256))
        return rotate_halves(x, np.cos(theta), np.sin(theta))

    return rotate


def fixed() -> Rotation:
    return rotation(frequencies(256))
