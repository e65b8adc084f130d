"""antonellof/ferrox#39

The base varies with the layer, the list of divisors does not: Gemma 3's sliding layers get the linear factor of the
global ones.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(512)
SPEC = dict(dim=256, base=10_000, positions=POSITIONS)
FINDING = "frequency-scaling"


def broken() -> Cache:
    return cache(POSITIONS, frequencies(256) / 8)


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(256))
