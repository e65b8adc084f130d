"""huggingface/transformers#25681

A cache made after the model was cast multiplies bf16 positions by bf16 frequencies, which leaves it wrong even once it is f32 again.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
SPEC = dict(dim=128, base=10_000, positions=np.arange(2048))
FINDING = "low-precision-angles"


def broken() -> Cache:
    t = SPEC["positions"].astype(bfloat16)
    theta = np.multiply.outer(t, frequencies(128).astype(bfloat16)).astype(np.float32)
    return np.cos(theta), np.sin(theta)


def fixed() -> Cache:
    return cache(SPEC["positions"], frequencies(128))
