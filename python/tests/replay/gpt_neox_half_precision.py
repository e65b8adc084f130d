"""EleutherAI/gpt-neox#1003

Frequencies, positions and their products are all in the model's fp16: position 1857 times the second frequency is 1045 instead of 1044.27.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
SPEC = dict(dim=32, base=10_000, positions=np.arange(2048))
FINDING = "low-precision-angles"


def broken() -> Cache:
    inv_freq = frequencies(32).astype(np.float16)
    theta = np.outer(SPEC["positions"].astype(np.float16), inv_freq).astype(np.float32)
    return np.cos(theta), np.sin(theta)


def fixed() -> Cache:
    return cache(SPEC["positions"], frequencies(32))
