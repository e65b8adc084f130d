"""NovaSky-AI/SkyRL#1709

Rank 0 broadcasts an f32 inv_freq to ranks whose buffer is bf16; they read its bytes as bf16: 0, 1, 22675456,
0.8046875, …
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(256)
SPEC = dict(dim=128, base=1_000_000, positions=POSITIONS)
FINDING = "not-finite"


def broken() -> Cache:
    received = frequencies(128, 1_000_000).view(bfloat16)[:64]
    with np.errstate(invalid="ignore", over="ignore"):
        return cache(POSITIONS, received)


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(128, 1_000_000))
