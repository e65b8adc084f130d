"""huggingface/transformers#29496

Sequences beyond the cache have one made anew, from an inv_freq that has become bf16 with the rest of the model.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(4096)
SPEC = dict(dim=128, base=10_000, positions=POSITIONS)
FINDING = "low-precision-frequencies"


def broken() -> Cache:
    return cache(POSITIONS, frequencies(128).astype(bfloat16))


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(128))
