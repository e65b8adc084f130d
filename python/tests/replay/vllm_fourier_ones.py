"""vllm-project/vllm#55204

Pairs without a frequency are padded: their cosines with 1, as they should be, and their sines with 1 too.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves, rotation

SUBJECT = "rotation"
SCALING = dict(rope_type="proportional", partial_rotary_factor=0.75)
SPEC = dict(dim=128, base=10_000, layout="halves", scaling=SCALING, positions=np.arange(256))
FINDING = "not-a-rotation"


def broken() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        padding = [(0, 0), (0, 16)]
        cos, sin = (np.pad(part, padding, constant_values=1) for part in cache(positions, frequencies(128)[:48]))
        return rotate_halves(x, cos, sin)

    return rotate


def fixed() -> Rotation:
    return rotation(np.where(np.arange(64) < 48, frequencies(128), 0))
