"""ggml-org/llama.cpp#24823

The long factors are chosen by the size of the allocated context, so that short prompts are rotated by them.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
SHORT, LONG = np.linspace(1.0, 1.1, 48).round(3), np.geomspace(1.0, 64.0, 48).round(3)
SCALING = dict(
    rope_type="longrope",
    factor=32.0,
    short_factor=SHORT.tolist(),
    long_factor=LONG.tolist(),
    original_max_position_embeddings=4096,
    attention_factor=1.19,
)
POSITIONS = np.arange(512)
SPEC = dict(dim=96, base=10_000, scaling=SCALING, positions=POSITIONS)
FINDING = "frequency-scaling"


def table(length: int) -> Cache:
    factors = LONG if length > 4096 else SHORT
    return cache(POSITIONS, frequencies(96) / factors, 1.19)


def broken() -> Cache:
    return table(length=131072)


def fixed() -> Cache:
    return table(len(POSITIONS))
