"""vllm-project/vllm#58094

YaRN given on the command line reaches the target model and not its draft, which keeps the native encoding.
"""

import numpy as np

from .conventions import Cache, attention_factor, cache, frequencies, yarn, yarn_ramp

SUBJECT = "cache"
SCALING = dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=32768)
POSITIONS = np.arange(1024)
SPEC = dict(dim=128, base=1_000_000, scaling=SCALING, positions=POSITIONS)
FINDING = "frequency-scaling"
INV_FREQ = frequencies(128, 1_000_000)


def broken() -> Cache:
    return cache(POSITIONS, INV_FREQ)


def fixed() -> Cache:
    return cache(POSITIONS, yarn(INV_FREQ, 4, yarn_ramp(128, 1_000_000, 32768)), attention_factor(4))
