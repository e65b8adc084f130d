"""lablup/mlxcel#1055

The fused kernel calls __cosf and __sinf, whose reduction of the range is made for angles between −π and π, on whole
angles.
"""

import numpy as np

from .conventions import Array, Rotation, angles, frequencies, rotate_halves, rotation

SUBJECT = "rotation"
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(0, 65536, 128))
FINDING = "low-precision-trigonometry"


def broken() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        turns = angles(positions, frequencies(64)) * np.float32(1 / (2 * np.pi))
        fraction = (turns - np.floor(turns)).astype(np.float64) * 2 * np.pi
        return rotate_halves(x, np.cos(fraction).astype(np.float32), np.sin(fraction).astype(np.float32))

    return rotate


def fixed() -> Rotation:
    return rotation(frequencies(64))
