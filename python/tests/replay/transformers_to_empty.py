"""huggingface/transformers#45902

A model made on the meta device and given memory by to_empty() never computes inv_freq, which holds whatever was there
before.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(256)
SPEC = dict(dim=64, base=10_000_000, positions=POSITIONS)
FINDING = "not-finite"


def broken() -> Cache:
    memory = np.random.default_rng(3).integers(0, 2**32, 32, dtype=np.uint32)
    memory[7] = 0x7FC00000
    with np.errstate(invalid="ignore", over="ignore"):
        return cache(POSITIONS, memory.view(np.float32))


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(64, 10_000_000))
