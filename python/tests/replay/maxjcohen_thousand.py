"""maxjcohen/transformer#62

The base is 1000 for 10000, and the exponents of the cosines begin at 1 instead of 0.
"""

import numpy as np

from .conventions import Array, angles, interleave

SUBJECT = "table"
POSITIONS = np.arange(256)
SPEC = dict(dim=64, positions=POSITIONS)
FINDING = "frequency-spacing"


def table(base: float, first_of_cosines: int) -> Array:
    sines, cosines = (base ** -(np.arange(first, 64, 2) / 64) for first in (0, first_of_cosines))
    sin, cos = np.sin(angles(POSITIONS, sines)), np.cos(angles(POSITIONS, cosines))
    return interleave(sin, cos[:, :32])


def broken() -> Array:
    return table(1000, first_of_cosines=1)


def fixed() -> Array:
    return table(10000, first_of_cosines=0)
