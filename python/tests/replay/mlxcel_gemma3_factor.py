"""lablup/mlxcel#1340

The linear factor 8 of Gemma 3's global layers is parsed and never read, so that their positions are 8 times too
large.
"""

import numpy as np

from .conventions import Rotation, frequencies, rotation

SUBJECT = "rotation"
SPEC = dict(
    dim=256, base=1_000_000, layout="halves", scaling=dict(rope_type="linear", factor=8.0), positions=np.arange(256)
)
FINDING = "frequency-scaling"


def broken() -> Rotation:
    return rotation(frequencies(256, 1_000_000))


def fixed() -> Rotation:
    return rotation(frequencies(256, 1_000_000), place=lambda positions: positions / 8)
