"""sgl-project/sglang#33558

The final `attention_factor` is copied into a parameter that multiplies the formula's: the scale is squared.
"""

import numpy as np

from .conventions import Cache, attention_factor, cache, frequencies, yarn, yarn_ramp

SUBJECT = "cache"
FINAL = attention_factor(128)
SCALING = dict(rope_type="yarn", factor=128.0, original_max_position_embeddings=4096, attention_factor=FINAL)
POSITIONS = np.arange(512)
SPEC = dict(dim=128, base=500_000, scaling=SCALING, positions=POSITIONS)
FINDING = "amplitude"
INV_FREQ = yarn(frequencies(128, 500_000), 128, yarn_ramp(128, 500_000, 4096))


def broken() -> Cache:
    return cache(POSITIONS, INV_FREQ, attention_factor(128) * FINAL)


def fixed() -> Cache:
    return cache(POSITIONS, INV_FREQ, FINAL)
