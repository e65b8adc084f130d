"""rasbt/LLMs-from-scratch#750

Weights in Meta's interleaved order are rotated as halves; the fix brings them into that order when they are loaded.
"""

import numpy as np

from .conventions import Array, Rotation, frequencies, interleave, rotation

SUBJECT = "rotation"
SPEC = dict(dim=128, base=10_000, layout="interleaved", positions=np.arange(256))
FINDING = "layout"
ROTATE = rotation(frequencies(128))


def broken() -> Rotation:
    return ROTATE


def fixed() -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        reordered = np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)
        return interleave(*np.split(ROTATE(reordered, positions), 2, axis=-1))

    return rotate
