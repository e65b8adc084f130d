"""vllm-project/vllm#41185

The factor of the linear-attention layers is applied to the 64 rotary dimensions that the others are left with: 32 are
rotated.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_interleaved

SUBJECT = "rotation"
SPEC = dict(dim=64, base=6_000_000, layout="interleaved", positions=np.arange(512))
FINDING = "partial-rotary"


def get_rope(head_size: int, partial_rotary_factor: float = 1.0) -> Rotation:
    rotary_dim = int(head_size * partial_rotary_factor)

    def rotate(x: Array, positions: Array) -> Array:
        turned = rotate_interleaved(x[..., :rotary_dim], *cache(positions, frequencies(rotary_dim, 6_000_000)))
        return np.concatenate([turned, x[..., rotary_dim:]], axis=-1)

    return rotate


def broken() -> Rotation:
    return get_rope(64, partial_rotary_factor=0.5)


def fixed() -> Rotation:
    return get_rope(64)
