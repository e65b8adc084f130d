"""SamLynnEvans/Transformer#25

The cosine of a pair has an exponent of its own, 2(i + 1)/d beside 2i/d, where i steps by 2 already; the fix has i/d
in both.
"""

from math import cos, sin

import numpy as np

from .conventions import Array

SUBJECT = "table"
D = 64
SPEC = dict(dim=D, positions=np.arange(128))
FINDING = "frequency-spacing"


def broken() -> Array:
    pe = np.zeros((128, D), np.float32)
    for pos in range(128):
        for i in range(0, D, 2):
            pe[pos, i] = sin(pos / 10000 ** ((2 * i) / D))
            pe[pos, i + 1] = cos(pos / 10000 ** ((2 * (i + 1)) / D))
    return pe


def fixed() -> Array:
    pe = np.zeros((128, D), np.float32)
    for pos in range(128):
        for i in range(0, D, 2):
            pe[pos, i], pe[pos, i + 1] = sin(pos / 10000 ** (i / D)), cos(pos / 10000 ** (i / D))
    return pe
