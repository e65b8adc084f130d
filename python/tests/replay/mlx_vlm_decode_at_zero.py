"""Blaizzy/mlx-vlm#1983

A decoding step numbers its one token without regard to the cache: every generated token is rotated as position 0.
"""

import numpy as np

from .conventions import Array, Rotation, frequencies, rotation

SUBJECT = "rotation"
PROMPT = 64
SPEC = dict(dim=128, base=1_000_000, layout="halves", positions=np.arange(PROMPT, 320))
FINDING = "stale-positions"


def rope_index(cached: Array, reads_cache: bool) -> Array:
    return cached + 0 if reads_cache else np.zeros_like(cached)


def broken() -> Rotation:
    return rotation(frequencies(128, 1_000_000), place=lambda cached: rope_index(cached, reads_cache=False))


def fixed() -> Rotation:
    return rotation(frequencies(128, 1_000_000), place=lambda cached: rope_index(cached, reads_cache=True))
