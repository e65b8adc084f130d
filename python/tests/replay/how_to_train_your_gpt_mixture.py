"""raiyanyahya/how-to-train-your-gpt#6

Angles are repeated for neighbouring entries while rotate_half pairs the halves, so that the two entries of a pair
turn by different angles.
"""

import numpy as np

from .conventions import Array, Rotation, angles, frequencies, rotate_interleaved, rotation

SUBJECT = "rotation"
SPEC = dict(dim=64, base=10_000, layout="interleaved", positions=np.arange(256))
FINDING = "duplication"


def rotate_half(x: Array) -> Array:
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([-second, first], axis=-1)


def broken() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        theta = np.repeat(angles(positions, frequencies(64)), 2, axis=-1)
        return x * np.cos(theta) + rotate_half(x) * np.sin(theta)

    return rotate


def fixed() -> Rotation:
    return rotation(frequencies(64), rotate_interleaved)
