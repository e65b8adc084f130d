"""huggingface/candle#3520

Positions and frequencies are bf16 before they are multiplied, so that position 15962 is turned as 15936 or 15968
would be.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(0, 16384, 7)
SPEC = dict(dim=128, base=1_000_000, positions=POSITIONS, dtype="bf16")
FINDING = "low-precision-angles"


def broken() -> Cache:
    t = POSITIONS.astype(bfloat16)
    theta = np.multiply.outer(t, frequencies(128, 1_000_000).astype(bfloat16)).astype(np.float32)
    return np.cos(theta).astype(bfloat16), np.sin(theta).astype(bfloat16)


def fixed() -> Cache:
    cos, sin = cache(POSITIONS, frequencies(128, 1_000_000))
    return cos.astype(bfloat16), sin.astype(bfloat16)
