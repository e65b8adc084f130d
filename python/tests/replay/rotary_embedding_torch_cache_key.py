"""lucidrains/rotary-embedding-torch#11

The key of the cache is the length alone: a call with another offset gets the rows of the first one.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
OFFSET, LENGTH = 512, 256
SPEC = dict(dim=64, base=10_000, positions=np.arange(OFFSET, OFFSET + LENGTH))
FINDING = "position-offset"


def second_call(keyed_by_offset: bool) -> Cache:
    cached: dict[tuple[int, ...], Cache] = {}
    for offset in (0, OFFSET):
        key = (LENGTH, offset) if keyed_by_offset else (LENGTH,)
        if key not in cached:
            cached[key] = cache(np.arange(offset, offset + LENGTH), frequencies(64))
    return cached[key]


def broken() -> Cache:
    return second_call(keyed_by_offset=False)


def fixed() -> Cache:
    return second_call(keyed_by_offset=True)
