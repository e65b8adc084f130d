"""NVIDIA/Megatron-LM#453

With --reset-position-ids the position ids start again at each document; the rotary embedding takes rows 0 … length −
1 all the same.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
POSITION_IDS = np.concatenate([np.arange(n) for n in (100, 156, 256)])
SPEC = dict(dim=128, base=10_000, positions=POSITION_IDS)
FINDING = "positions"


def broken() -> Cache:
    return cache(np.arange(len(POSITION_IDS)), frequencies(128))


def fixed() -> Cache:
    cos, sin = cache(np.arange(len(POSITION_IDS)), frequencies(128))
    return cos[POSITION_IDS], sin[POSITION_IDS]
