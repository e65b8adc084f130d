"""apache/tvm#18576

The interpolated frequencies raise the product of factor and base to a power, so that the factor depends on the pair,
and the ramp is rounded.
"""

import numpy as np

from .conventions import Cache, attention_factor, cache, frequencies, yarn, yarn_ramp

SUBJECT = "cache"
SCALING = dict(rope_type="yarn", factor=32.0, original_max_position_embeddings=4096, truncate=False)
POSITIONS = np.arange(1024)
SPEC = dict(dim=64, base=150_000, scaling=SCALING, positions=POSITIONS)
FINDING = "frequency-scaling"
INV_FREQ = frequencies(64, 150_000)


def broken() -> Cache:
    ramp = yarn_ramp(64, 150_000, 4096)
    inv_freq = INV_FREQ * (1 - ramp) + frequencies(64, 32 * 150_000) * ramp
    return cache(POSITIONS, inv_freq, attention_factor(32))


def fixed() -> Cache:
    ramp = yarn_ramp(64, 150_000, 4096, truncate=False)
    return cache(POSITIONS, yarn(INV_FREQ, 32, ramp), attention_factor(32))
