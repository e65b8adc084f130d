"""huggingface/transformers#25681

A cache made after the model was cast multiplies bf16 positions by bf16 frequencies, which leaves it wrong even once
it is f32 again.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(2048)
SPEC = dict(dim=128, base=10_000, positions=POSITIONS)
FINDING = "low-precision-angles"


def broken() -> Cache:
    t = POSITIONS.astype(bfloat16)
    theta = np.multiply.outer(t, frequencies(128).astype(bfloat16)).astype(np.float32)
    return np.cos(theta), np.sin(theta)


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(128))
