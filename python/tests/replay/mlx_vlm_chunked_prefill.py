"""Blaizzy/mlx-vlm#1741

Every chunk of a long prompt is given the positions of the whole prompt and uses the first of them.
"""

import numpy as np

from .conventions import Array, Rotation, frequencies, rotation

SUBJECT = "rotation"
STEP = 128
SPEC = dict(dim=128, base=1_000_000, layout="halves", positions=np.arange(512))
FINDING = "clamped-positions"


def prefill(slices: bool) -> Rotation:
    def place(position_ids: Array) -> Array:
        starts = range(0, len(position_ids), STEP)
        return np.concatenate([position_ids[start if slices else 0 :][:STEP] for start in starts])

    return rotation(frequencies(128, 1_000_000), place=place)


def broken() -> Rotation:
    return prefill(slices=False)


def fixed() -> Rotation:
    return prefill(slices=True)
