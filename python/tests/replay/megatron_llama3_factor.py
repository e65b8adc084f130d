"""NVIDIA/Megatron-LM#6305

The command line's factor is parsed and never forwarded: models of Llama 3.2 are trained with the default, 8, instead
of 32.
"""

import numpy as np

from .conventions import Cache, cache, frequencies, llama3

SUBJECT = "cache"
SCALING = dict(
    rope_type="llama3", factor=32.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192
)
POSITIONS = np.arange(1024)
SPEC = dict(dim=64, base=500_000, scaling=SCALING, positions=POSITIONS)
FINDING = "frequency-scaling"


def trained(factor: float = 8.0) -> Cache:
    return cache(POSITIONS, llama3(frequencies(64, 500_000), factor, 1, 4, 8192))


def broken() -> Cache:
    return trained()


def fixed() -> Cache:
    return trained(factor=32.0)
