"""Modalities/modalities#462

The inverse frequencies are cast to the activations' bf16 before positions multiply them; the tables are meant to be
bf16, the phase is not.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Array, Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(2048)
SPEC = dict(dim=128, base=10_000, positions=POSITIONS, dtype="bf16")
FINDING = "low-precision-frequencies"


def table(inv_freq: Array) -> Cache:
    cos, sin = cache(POSITIONS, inv_freq)
    return cos.astype(bfloat16), sin.astype(bfloat16)


def broken() -> Cache:
    return table(frequencies(128).astype(bfloat16))


def fixed() -> Cache:
    return table(frequencies(128))
