"""vllm-project/vllm-omni#3828

A wrong name on the left of an assignment: the rotated query is stored as the key, and rotated again, while the query
stays as it was.
"""

import numpy as np

from .conventions import Array, PairRotation, both, frequencies, rotate_interleaved, rotation

SUBJECT = "query and key"
SPEC = dict(dim=128, base=10_000, layout="interleaved", positions=np.arange(256))
FINDING = "no-rotation"
ROPE = rotation(frequencies(128), rotate_interleaved)


def broken() -> PairRotation:
    def rotate(query: Array, key: Array, positions: Array) -> tuple[Array, Array]:
        key = ROPE(query, positions)
        key = ROPE(key, positions)
        return query, key

    return rotate


def fixed() -> PairRotation:
    return both(ROPE)
