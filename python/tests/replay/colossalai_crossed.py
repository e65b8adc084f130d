"""hpcaitech/ColossalAI#6428

The second half of the rotated query is computed from the key, and the first half of the rotated key from the query.
"""

import numpy as np

from .conventions import Array, PairRotation, both, cache, frequencies, rotation

SUBJECT = "query and key"
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(256))
FINDING = "not-a-rotation"


def broken() -> PairRotation:
    def rotate(q: Array, k: Array, positions: Array) -> tuple[Array, Array]:
        cos, sin = cache(positions, frequencies(64))
        (q0, q1), (k0, k1) = np.split(q, 2, axis=-1), np.split(k, 2, axis=-1)
        first, second = q0 * cos - q1 * sin, k0 * sin + k1 * cos
        crossed = np.concatenate([first, second], axis=-1)
        return crossed, crossed

    return rotate


def fixed() -> PairRotation:
    return both(rotation(frequencies(64)))
