"""AI-Hypercomputer/maxtext#5279

The compressed attention of DeepSeek V4 rotates by plain powers of the base: no range, no ramp, no factor.
"""

import numpy as np

from .conventions import Rotation, frequencies, rotate_interleaved, rotation, yarn, yarn_ramp

SUBJECT = "rotation"
SCALING = dict(rope_type="yarn", factor=16.0, original_max_position_embeddings=65536, attention_factor=1.0)
SPEC = dict(dim=64, base=160_000, layout="interleaved", scaling=SCALING, positions=np.arange(512))
FINDING = "frequency-scaling"
INV_FREQ = frequencies(64, 160_000)


def broken() -> Rotation:
    return rotation(INV_FREQ, rotate_interleaved)


def fixed() -> Rotation:
    return rotation(yarn(INV_FREQ, 16, yarn_ramp(64, 160_000, 65536)), rotate_interleaved)
