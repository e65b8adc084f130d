"""nkalyanv99/UNI-D2#6

Positions inherit the type of inv_freq; in bf16 they skip and repeat numbers above 256.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(1024)
SPEC = dict(dim=64, base=10_000, positions=POSITIONS)
FINDING = "low-precision-angles"


def broken() -> Cache:
    inv_freq = frequencies(64).astype(bfloat16)
    theta = np.multiply.outer(POSITIONS.astype(inv_freq.dtype), inv_freq)
    return np.cos(theta.astype(np.float32)), np.sin(theta.astype(np.float32))


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(64))
