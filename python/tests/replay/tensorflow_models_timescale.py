"""tensorflow/models#10945

Inverse timescales are multiplied by the shortest timescale where they should be divided by it.
"""

import numpy as np

from .conventions import Array, angles

SUBJECT = "table"
SHORTEST, LONGEST, DIM = 4.0, 40_000.0, 64
POSITIONS = np.arange(256)

SPEC = dict(dim=DIM, base=10_000, layout="halves", frequency_spacing="endpoints", angle_scale=0.25, positions=POSITIONS)
FINDING = "position-scale"


def table(first: float) -> Array:
    increment = np.log(LONGEST / SHORTEST) / (DIM // 2 - 1)
    theta = angles(POSITIONS, first * np.exp(np.arange(DIM // 2) * -increment))
    return np.concatenate([np.sin(theta), np.cos(theta)], axis=-1)


def broken() -> Array:
    return table(SHORTEST)


def fixed() -> Array:
    return table(1 / SHORTEST)
