"""NVIDIA/Megatron-LM#535

Interpolated positions take the type of inv_freq, fp16, and lose their fraction, so that late tokens share a position.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(0, 32768, 37)
SPEC = dict(dim=128, base=10_000, scaling=dict(rope_type="linear", factor=8.0), positions=POSITIONS)
FINDING = "low-precision-positions"


def broken() -> Cache:
    seq = POSITIONS.astype(np.float16) / np.float16(8)
    return cache(seq, frequencies(128))


def fixed() -> Cache:
    return cache(POSITIONS / 8, frequencies(128))
