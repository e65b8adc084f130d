"""huggingface/candle#3746

The configuration of Yi holds a rope_theta of 5 000 000, which nothing reads: 10 000 is hard-coded.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(512)
SPEC = dict(dim=128, base=5_000_000, positions=POSITIONS)
FINDING = "other-base"


def broken() -> Cache:
    return cache(POSITIONS, frequencies(128))


def fixed() -> Cache:
    return cache(POSITIONS, frequencies(128, 5_000_000))
