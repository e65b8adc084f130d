"""EleutherAI/gpt-neox#1003

Frequencies, positions and their products are all in the model's fp16: position 1857 times the second frequency is
1045 instead of 1044.27.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(2048)
SPEC = dict(dim=32, base=10_000, positions=POSITIONS)
FINDING = "low-precision-angles"


def broken() -> Cache:
    inv_freq = frequencies(32).astype(np.float16)
    theta = np.outer(POSITIONS.astype(np.float16), inv_freq).astype(np.float32)
    return np.cos(theta), np.sin(theta)


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(32))
