"""ml-explore/mlx-lm#1545

Positions are multiplied by a hard-coded 2 wherever the scaling is not linear, although dynamic NTK never scales
positions.
"""

import numpy as np

from .conventions import Rotation, frequencies, rotation

SUBJECT = "rotation"
SCALING = dict(rope_type="dynamic", factor=6.0, original_max_position_embeddings=32768)
SPEC = dict(dim=128, base=50_000_000, layout="halves", scaling=SCALING, positions=np.arange(256))
FINDING = "position-scale"


def broken() -> Rotation:
    return rotation(frequencies(128, 50_000_000), place=lambda positions: 2.0 * positions)


def fixed() -> Rotation:
    return rotation(frequencies(128, 50_000_000))
