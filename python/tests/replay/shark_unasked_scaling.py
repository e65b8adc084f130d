"""nod-ai/amd-shark-ai#1527

Llama 3's scaling is applied to every model, whether its configuration asks for it or not.
"""

import numpy as np

from .conventions import Cache, cache, frequencies, llama3

SUBJECT = "cache"
POSITIONS = np.arange(1024)
SPEC = dict(dim=128, base=500_000, positions=POSITIONS)
FINDING = "frequency-scaling"
INV_FREQ = frequencies(128, 500_000)


def broken() -> Cache:
    return cache(POSITIONS, llama3(INV_FREQ, 8, 1, 4, 8192))


def fixed() -> Cache:
    return cache(POSITIONS, INV_FREQ)
