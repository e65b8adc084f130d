"""NVIDIA/TensorRT-LLM#16379

The final `attention_factor` is passed as `mscale`, so that the logarithm is applied to it a second time.
"""

import numpy as np

from .conventions import Cache, attention_factor, cache, frequencies, yarn, yarn_ramp

SUBJECT = "cache"
FINAL = attention_factor(64)
SCALING = dict(rope_type="yarn", factor=64.0, original_max_position_embeddings=8192, attention_factor=FINAL)
POSITIONS = np.arange(512)
SPEC = dict(dim=128, base=500_000, scaling=SCALING, positions=POSITIONS)
FINDING = "amplitude"
INV_FREQ = yarn(frequencies(128, 500_000), 64, yarn_ramp(128, 500_000, 8192))


def broken() -> Cache:
    return cache(POSITIONS, INV_FREQ, attention_factor(64, mscale=FINAL))


def fixed() -> Cache:
    return cache(POSITIONS, INV_FREQ, FINAL)
