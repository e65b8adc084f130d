"""Blaizzy/mlx-vlm#1619

Decoding forgets what the images took from the count of positions, and goes on at the length of the cache, 5588 too
far.
"""

import numpy as np

from .conventions import Rotation, frequencies, rotation

SUBJECT = "rotation"
ROPE_DELTA = -5588
POSITIONS = np.arange(145, 401)
SPEC = dict(dim=128, base=1_000_000, layout="halves", positions=POSITIONS)
FINDING = "position-offset"
INV_FREQ = frequencies(128, 1_000_000)


def broken() -> Rotation:
    return rotation(INV_FREQ, place=lambda positions: positions - ROPE_DELTA)


def fixed() -> Rotation:
    cached = POSITIONS - ROPE_DELTA
    return rotation(INV_FREQ, place=lambda positions: cached + ROPE_DELTA)
