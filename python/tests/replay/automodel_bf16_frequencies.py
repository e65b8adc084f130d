"""NVIDIA-NeMo/Automodel#2549

Casting a Llama to bf16 rounds its buffer of frequencies, and the float() that follows cannot bring the bits back.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import Cache, cache, frequencies, llama3

SUBJECT = "cache"
SCALING = dict(
    rope_type="llama3", factor=32.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192
)
POSITIONS = np.arange(4096)
SPEC = dict(dim=64, base=500_000, scaling=SCALING, positions=POSITIONS)
FINDING = "low-precision-frequencies"
INV_FREQ = llama3(frequencies(64, 500_000), 32, 1, 4, 8192)


def broken() -> Cache:
    return cache(POSITIONS, INV_FREQ.astype(bfloat16))


def fixed() -> Cache:
    return cache(POSITIONS, INV_FREQ)
