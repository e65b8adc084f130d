"""elixir-nx/emlx#121

On tensors with heads last but one, the kernel counts heads as rows: head h is turned as position + h, and only head 0
is right.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_halves, rotation

SUBJECT = "rotation"
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(1, 257))
FINDING = "position-offset"


def broken() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        heads = [rotate_halves(row, *cache(positions + head, frequencies(64))) for head, row in enumerate(x)]
        return np.stack(heads)

    return rotate


def fixed() -> Rotation:
    return rotation(frequencies(64))
