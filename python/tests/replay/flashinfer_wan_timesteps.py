"""flashinfer-ai/flashinfer#3819

The halves are concatenated cosines first and then flipped, which puts the sines first; the model's weights expect
cosines.
"""

import numpy as np

from .conventions import Array, angles, frequencies

SUBJECT = "table"
POSITIONS = np.arange(0, 1000, 4)
SPEC = dict(dim=256, layout="halves", order="cos-sin", positions=POSITIONS)
FINDING = "order"
THETA = angles(POSITIONS, frequencies(256))


def flipped(emb: Array) -> Array:
    return np.concatenate([emb[:, 128:], emb[:, :128]], axis=-1)


def broken() -> Array:
    return flipped(np.concatenate([np.cos(THETA), np.sin(THETA)], axis=-1))


def fixed() -> Array:
    return flipped(np.concatenate([np.sin(THETA), np.cos(THETA)], axis=-1))
