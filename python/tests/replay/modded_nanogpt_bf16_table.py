"""KellerJordan/modded-nanogpt#39

Cosines and sines are stored in bf16, which costs relative positions their precision; the fix keeps them in f32.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(1024)
SPEC = dict(dim=128, base=10_000, positions=POSITIONS, dtype="f32")
FINDING = "low-precision-storage"


def broken() -> Cache:
    cos, sin = fixed()
    return cos.astype(bfloat16).astype(np.float32), sin.astype(bfloat16).astype(np.float32)


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(128))
