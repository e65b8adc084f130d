"""vllm-project/vllm#48623

Generic YaRN ignores `mscale` and `mscale_all_dim`, whose quotient is 1 for Ministral 3: cosines and sines are 1.277
times too large.
"""

import numpy as np

from .conventions import Cache, attention_factor, cache, frequencies, yarn, yarn_ramp

SUBJECT = "cache"
SCALING = dict(rope_type="yarn", factor=16.0, original_max_position_embeddings=16384, mscale=1.0, mscale_all_dim=1.0)
POSITIONS = np.arange(512)
SPEC = dict(dim=128, base=1_000_000, scaling=SCALING, positions=POSITIONS)
FINDING = "amplitude"
INV_FREQ = yarn(frequencies(128, 1_000_000), 16, yarn_ramp(128, 1_000_000, 16384))


def broken() -> Cache:
    return cache(POSITIONS, INV_FREQ, attention_factor(16))


def fixed() -> Cache:
    return cache(POSITIONS, INV_FREQ, attention_factor(16, 1.0) / attention_factor(16, 1.0))
