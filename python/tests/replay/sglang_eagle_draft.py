"""sgl-project/sglang#25015

The draft's positions are advanced before its forward pass instead of after it: the token after position 6 is rotated
as 8.
"""

import numpy as np

from .conventions import Array, Rotation, frequencies, rotation

SUBJECT = "rotation"
SPEC = dict(dim=128, base=500_000, layout="halves", positions=np.arange(7, 263))
FINDING = "position-offset"


def draft(advance_first: bool) -> Rotation:
    def place(positions: Array) -> Array:
        current, taken = positions[0], []
        for _ in positions:
            current += advance_first
            taken.append(current)
            current += not advance_first
        return np.array(taken)

    return rotation(frequencies(128, 500_000), place=place)


def broken() -> Rotation:
    return draft(advance_first=True)


def fixed() -> Rotation:
    return draft(advance_first=False)
