"""ml-explore/mlx-lm#1698

GLM's partial_rotary_factor of one half is not read: all 128 dimensions of a head are rotated.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_interleaved

SUBJECT = "rotation"
SPEC = dict(dim=128, base=10_000, layout="interleaved", rotary_dim=64, positions=np.arange(512))
FINDING = "partial-rotary"


def attention(dims: int) -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        turned = rotate_interleaved(x[..., :dims], *cache(positions, frequencies(dims)))
        return np.concatenate([turned, x[..., dims:]], axis=-1)

    return rotate


def broken() -> Rotation:
    return attention(dims=128)


def fixed() -> Rotation:
    return attention(dims=64)
