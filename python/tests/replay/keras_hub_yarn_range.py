"""keras-team/keras-hub#2981

YaRN's range was not rounded where `truncate` is left out, and its end was clamped to half the dimensions less one.
"""

import numpy as np

from .conventions import Cache, attention_factor, cache, frequencies, yarn, yarn_ramp

SUBJECT = "cache"
SCALING = dict(rope_type="yarn", factor=8.0, original_max_position_embeddings=131072)
POSITIONS = np.arange(2048)
SPEC = dict(dim=64, base=10_000, scaling=SCALING, positions=POSITIONS)
FINDING = "frequency-scaling"
INV_FREQ = frequencies(64)


def broken() -> Cache:
    ramp = yarn_ramp(64, 10_000, 131072, truncate=False, last=64 // 2 - 1)
    return cache(POSITIONS, yarn(INV_FREQ, 8, ramp), attention_factor(8))


def fixed() -> Cache:
    return cache(POSITIONS, yarn(INV_FREQ, 8, yarn_ramp(64, 10_000, 131072)), attention_factor(8))
