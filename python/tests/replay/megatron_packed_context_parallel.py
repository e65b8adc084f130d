"""NVIDIA/Megatron-LM#5243

A rank's slices of the second packed sequence take their rows from the start of the table: 0, 3, 0, 3 instead of 0, 3,
4, 7.
"""

import numpy as np

from .conventions import Array, Rotation, frequencies, rotation

SUBJECT = "rotation"
QUARTER = 64
OF_FIRST = np.concatenate([np.arange(QUARTER), np.arange(3 * QUARTER, 4 * QUARTER)])
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.concatenate([OF_FIRST, OF_FIRST + 4 * QUARTER]))
FINDING = "clamped-positions"


def rank_0(starts: Array) -> Rotation:
    rows = np.concatenate([OF_FIRST + start for start in starts])
    return rotation(frequencies(64), place=lambda positions: rows)


def broken() -> Rotation:
    return rank_0(starts=np.array([0, 0]))


def fixed() -> Rotation:
    return rank_0(starts=np.array([0, 4 * QUARTER]))
