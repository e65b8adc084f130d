"""vukrosic/leo-optimizer#2

Queries and keys come with heads before rows, and the rotation counts along the wrong axis: every row of a head has
the head's number.
"""

import numpy as np

from .conventions import Array, PairRotation, both, cache, frequencies, rotate_halves, rotation

SUBJECT = "query and key"
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(256))
FINDING = "stale-positions"


def broken() -> PairRotation:
    def rotate(x: Array, positions: Array) -> Array:
        cos, sin = cache(positions[: x.shape[0]], frequencies(64))
        return rotate_halves(x, cos[:, None], sin[:, None])

    return both(rotate)


def fixed() -> PairRotation:
    return both(rotation(frequencies(64)))
