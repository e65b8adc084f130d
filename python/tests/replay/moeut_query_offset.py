"""RobertCsordas/moeut#6

The query's offset is taken before the cached keys are put in front of the new one, so that each decoded query counts
as the first.
"""

import numpy as np

from .conventions import Array, PairRotation, frequencies, rotation

SUBJECT = "query and key"
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(256))
FINDING = "stale-positions"
ROPE = rotation(frequencies(64))


def decode(concatenates_first: bool) -> PairRotation:
    def rotate(q: Array, k: Array, positions: Array) -> tuple[Array, Array]:
        lengths = positions + 1 if concatenates_first else np.ones_like(positions)
        return ROPE(q, lengths - 1), ROPE(k, positions)

    return rotate


def broken() -> PairRotation:
    return decode(concatenates_first=False)


def fixed() -> PairRotation:
    return decode(concatenates_first=True)
