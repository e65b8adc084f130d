"""lablup/mlxcel#1358

One table is made of `long_factor` and used at every length; `short_factor` is parsed and never read.
"""

import numpy as np

from .conventions import Rotation, frequencies, rotation

SUBJECT = "rotation"
SHORT, LONG = np.linspace(1.0, 1.03, 48).round(3), np.geomspace(1.03, 64.8, 48).round(3)
SCALING = dict(
    rope_type="longrope",
    factor=32.0,
    short_factor=SHORT.tolist(),
    long_factor=LONG.tolist(),
    original_max_position_embeddings=4096,
    attention_factor=1.0,
)
SPEC = dict(dim=96, base=10_000, layout="halves", scaling=SCALING, positions=np.arange(512))
FINDING = "frequency-scaling"


def broken() -> Rotation:
    return rotation(frequencies(96) / LONG)


def fixed() -> Rotation:
    return rotation(frequencies(96) / SHORT)
