"""Blaizzy/mlx-vlm#1619

Decoding forgets what the images took from the count of positions: it goes on at 5734, the length of the cache, instead of 145.
"""

import numpy as np

from .conventions import Rotation, frequencies, rotation

SUBJECT = "rotation"
ROPE_DELTA = 145 - 5734
SPEC = dict(dim=128, base=1_000_000, layout="halves", positions=np.arange(145, 401))
FINDING = "position-offset"
INV_FREQ = frequencies(128, 1_000_000)


def broken() -> Rotation:
    return rotation(INV_FREQ, place=lambda positions: positions - ROPE_DELTA)


def fixed() -> Rotation:
    cached = SPEC["positions"] - ROPE_DELTA
    return rotation(INV_FREQ, place=lambda positions: cached + ROPE_DELTA)
