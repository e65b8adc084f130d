"""vllm-project/vllm#46280

A configured `attention_factor` is dropped on the way to YaRN, which computes its own: 1.4159 where 1 is stated.
"""

import numpy as np

from .conventions import Cache, attention_factor, cache, frequencies, yarn, yarn_ramp

SUBJECT = "cache"
SCALING = dict(rope_type="yarn", factor=64.0, original_max_position_embeddings=4096, attention_factor=1.0)
POSITIONS = np.arange(512)
SPEC = dict(dim=128, base=500_000, scaling=SCALING, positions=POSITIONS)
FINDING = "amplitude"
INV_FREQ = yarn(frequencies(128, 500_000), 64, yarn_ramp(128, 500_000, 4096))


def broken() -> Cache:
    return cache(POSITIONS, INV_FREQ, attention_factor(64))


def fixed() -> Cache:
    return cache(POSITIONS, INV_FREQ, 1.0)
