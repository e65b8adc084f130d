"""TransformerLensOrg/TransformerLens#1455

Once the cache of a local-attention layer has to grow, it is made anew with the base of the global layers.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
LOCAL, GLOBAL = 10_000, 1_000_000
POSITIONS = np.arange(512)
SPEC = dict(dim=256, base=LOCAL, positions=POSITIONS)
FINDING = "other-base"


def grown(base: float) -> Cache:
    cos, sin = cache(np.arange(256), frequencies(256, LOCAL))
    if len(cos) < len(POSITIONS):
        cos, sin = cache(POSITIONS, frequencies(256, base))
    return cos, sin


def broken() -> Cache:
    return grown(GLOBAL)


def fixed() -> Cache:
    return grown(LOCAL)
