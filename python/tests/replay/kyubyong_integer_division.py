"""Kyubyong/transformer#81

The exponent is a quotient of integers, which is 0: all frequencies are 1.
"""

import numpy as np

from .conventions import Array, angles, interleave

SUBJECT = "table"
POSITIONS = np.arange(256)
SPEC = dict(dim=64, positions=POSITIONS)
FINDING = "frequency-spacing"
COLUMN = np.arange(0, 64, 2)


def table(exponents: Array) -> Array:
    theta = angles(POSITIONS, 1 / 10000.0**exponents)
    return interleave(np.sin(theta), np.cos(theta))


def broken() -> Array:
    return table(COLUMN // 64)


def fixed() -> Array:
    return table(COLUMN / 64)
