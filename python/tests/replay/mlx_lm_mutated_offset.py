"""ml-explore/mlx-lm#1699

The update of a batch's cache advances its offset in place between the rotation of the keys and that of the queries.
"""

import numpy as np

from .conventions import Array, PairRotation, frequencies, rotation

SUBJECT = "query and key"
SPEC = dict(dim=128, base=1_000_000, layout="halves", positions=np.arange(64, 192))
FINDING = "position-offset"
ROPE = rotation(frequencies(128, 1_000_000))


def decode(copies: bool) -> PairRotation:
    def rotate(q: Array, k: Array, positions: Array) -> tuple[Array, Array]:
        cache_offset, queries, keys = positions[:1].copy(), [], []
        for row in range(len(positions)):
            offset = cache_offset.copy() if copies else cache_offset
            keys.append(ROPE(k[:, row], offset))
            cache_offset += 1
            queries.append(ROPE(q[:, row], offset))
        return np.stack(queries, axis=1), np.stack(keys, axis=1)

    return rotate


def broken() -> PairRotation:
    return decode(copies=False)


def fixed() -> PairRotation:
    return decode(copies=True)
