"""huggingface/transformers#27226

After one long input, short ones keep its stretched base, because the cache is made anew only when it has to grow.
"""

import numpy as np

from .conventions import Array, Cache, cache, frequencies

SUBJECT = "cache"
SCALING = dict(rope_type="dynamic", factor=2.0, original_max_position_embeddings=2048)
POSITIONS = np.arange(512)
SPEC = dict(dim=128, base=10_000, scaling=SCALING, positions=POSITIONS)
FINDING = "frequency-scaling"


class Dynamic:
    def __init__(self, shrinks: bool) -> None:
        self.shrinks, self.cached = shrinks, 0

    def __call__(self, positions: Array) -> Cache:
        length = len(positions)
        if length > self.cached or self.shrinks:
            ratio = max(2.0 * length / 2048 - 1.0, 1.0)
            self.inv_freq, self.cached = frequencies(128, 10_000 * ratio ** (128 / 126)), length
        return cache(positions, self.inv_freq)


def answer(module: Dynamic) -> Cache:
    module(np.arange(8192))
    return module(POSITIONS)


def broken() -> Cache:
    return answer(Dynamic(shrinks=False))


def fixed() -> Cache:
    return answer(Dynamic(shrinks=True))
