"""huggingface/transformers#47328

A refactoring left cosines and sines with duplicated halves beside a rotation of neighbouring channels, which is no
rotation at all.
"""

import numpy as np

from .conventions import Array, PairRotation, angles, both, frequencies, interleave

SUBJECT = "query and key"
SPEC = dict(dim=64, base=10_000, layout="interleaved", positions=np.arange(256))
FINDING = "duplication"


def rotate_half_codec(x: Array) -> Array:
    return interleave(-x[..., 1::2], x[..., 0::2])


def token2wav(theta: Array, x: Array) -> Array:
    return x * np.cos(theta) + rotate_half_codec(x) * np.sin(theta)


def broken() -> PairRotation:
    return both(lambda x, positions: token2wav(np.tile(angles(positions, frequencies(64)), 2), x))


def fixed() -> PairRotation:
    return both(lambda x, positions: token2wav(np.repeat(angles(positions, frequencies(64)), 2, axis=-1), x))
