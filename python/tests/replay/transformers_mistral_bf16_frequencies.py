"""huggingface/transformers#29496

Sequences beyond the cache have one made anew, from an inv_freq that has become bf16 with the rest of the model.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
SPEC = dict(dim=128, base=10_000, positions=np.arange(4096))
FINDING = "low-precision-frequencies"


def broken() -> Cache:
    return cache(SPEC["positions"], frequencies(128).astype(bfloat16))


def fixed() -> Cache:
    return cache(SPEC["positions"], frequencies(128))
