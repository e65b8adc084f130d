"""apple/coreai-models#66

Proportional rotation is folded into a contiguous block: entry i turns with i + 64 where the model pairs it with i +
256.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves, rotation

SUBJECT = "rotation"
SCALING = dict(rope_type="proportional", partial_rotary_factor=0.25)
SPEC = dict(dim=512, base=1_000_000, layout="halves", scaling=SCALING, positions=np.arange(256))
FINDING = "partial-rotary"
INV_FREQ = frequencies(512, 1_000_000)


def broken() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        block = rotate_halves(x[..., :128], *cache(positions, INV_FREQ[:64]))
        return np.concatenate([block, x[..., 128:]], axis=-1)

    return rotate


def fixed() -> Rotation:
    return rotation(np.where(np.arange(256) < 64, INV_FREQ, 0))
