"""ml-explore/mlx-lm#1507

YarnRoPE multiplies queries and keys by the formula's factor even where the checkpoint states its own.
"""

import numpy as np

from .conventions import Array, Rotation, attention_factor, cache, frequencies, rotate_halves, yarn, yarn_ramp

SUBJECT = "rotation"
SCALING = dict(rope_type="yarn", factor=8.0, original_max_position_embeddings=8192, attention_factor=1.0)
SPEC = dict(dim=128, base=500_000, layout="halves", scaling=SCALING, positions=np.arange(256))
FINDING = "amplitude"


def yarn_rope(amplitude: float) -> Rotation:
    inv_freq = yarn(frequencies(128, 500_000), 8, yarn_ramp(128, 500_000, 8192))

    def rotate(x: Array, positions: Array) -> Array:
        return rotate_halves(np.float32(amplitude) * x, *cache(positions, inv_freq))

    return rotate


def broken() -> Rotation:
    return yarn_rope(attention_factor(8))


def fixed() -> Rotation:
    return yarn_rope(1.0)
