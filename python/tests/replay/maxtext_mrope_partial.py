"""AI-Hypercomputer/maxtext#4616

The multimodal branch drops partial_rotary_factor: text is rotated in all 256 dimensions of a head instead of 64.
"""

import numpy as np

from .conventions import Array, PairRotation, both, cache, frequencies, rotate_halves

SUBJECT = "query and key"
SPEC = dict(dim=256, base=10_000_000, layout="halves", rotary_dim=64, positions=np.arange(256))
FINDING = "partial-rotary"


def embedding(dims: int) -> PairRotation:
    def rotate(x: Array, positions: Array) -> Array:
        y = x.copy()
        y[..., :dims] = rotate_halves(x[..., :dims], *cache(positions, frequencies(dims, 10_000_000)))
        return y

    return both(rotate)


def broken() -> PairRotation:
    return embedding(256)


def fixed() -> PairRotation:
    return embedding(64)
