"""DiffPoseTalk/DiffPoseTalk#20

A colon is missing: the one row whose number is the length is added to every row, not the rows up to it.
"""

import numpy as np

from .conventions import Array, angles, frequencies, interleave

SUBJECT = "table"
LENGTH = 100
SPEC = dict(dim=64, positions=np.arange(LENGTH))
FINDING = "stale-positions"
THETA = angles(np.arange(600), frequencies(64))
PE = interleave(np.sin(THETA), np.cos(THETA))


def added(rows: Array) -> Array:
    x = np.zeros((LENGTH, 64), np.float32)
    return x + rows


def broken() -> Array:
    return added(PE[LENGTH])


def fixed() -> Array:
    return added(PE[:LENGTH])
