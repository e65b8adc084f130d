"""pytorch/torchtitan#2849

Positions are taken modulo the length of a chunk, so that a sample that is longer begins again in its midst.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
SEQ_LEN = 256
POSITIONS = np.arange(640)
SPEC = dict(dim=64, base=500_000, positions=POSITIONS)
FINDING = "clamped-positions"


def broken() -> Cache:
    return cache(POSITIONS % SEQ_LEN, frequencies(64, 500_000))


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(64, 500_000))
