"""zju3dv/LoFTR#41

`-log(10000) / d_model//2` is divided first and rounded down then, to −1: the frequencies are e^(−2k).
"""

from math import log

import numpy as np

from .conventions import Array, angles, interleave

SUBJECT = "table"
D_MODEL = 256
POSITIONS = np.arange(1, 257)
SPEC = dict(dim=D_MODEL // 2, positions=POSITIONS)
FINDING = "other-base"


def axis(exponent: float) -> Array:
    div_term = np.exp(np.arange(0, D_MODEL // 2, 2) * exponent)
    theta = angles(POSITIONS, div_term)
    return interleave(np.sin(theta), np.cos(theta))


def broken() -> Array:
    return axis(-log(10000.0) / D_MODEL // 2)


def fixed() -> Array:
    return axis(-log(10000.0) / (D_MODEL // 2))
