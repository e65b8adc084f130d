"""vllm-project/vllm-ascend#12723

Blocks of the kernel are powers of two: in a cache [cosines | sines] of 192 columns it reads the sines from column 128
on, half of the padded dimension, and not from column 96.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves, rotation

SUBJECT = "rotation"
SPEC = dict(dim=192, base=10_000, layout="halves", positions=np.arange(256))
FINDING = "not-a-rotation"


def broken() -> Rotation:
    columns = np.arange(96)

    def rotate(x: Array, positions: Array) -> Array:
        rows = np.concatenate(cache(np.arange(4096), frequencies(192)), axis=-1)
        begin = 192 * np.asarray(positions)[..., None]
        return rotate_halves(x, rows.take(begin + columns), rows.take(begin + 128 + columns))

    return rotate


def fixed() -> Rotation:
    return rotation(frequencies(192))
