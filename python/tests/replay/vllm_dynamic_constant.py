"""vllm-project/vllm#41236

The factor is multiplied by the longest length instead of the current one, which leaves a constant: dynamic NTK that
is not dynamic.
"""

import numpy as np

from .conventions import Cache, cache, frequencies

SUBJECT = "cache"
FACTOR, TRAINED, LENGTH, DIM = 2.0, 2048, 3072, 64
SCALING = dict(rope_type="dynamic", factor=FACTOR, original_max_position_embeddings=TRAINED)
POSITIONS = np.arange(LENGTH)
SPEC = dict(dim=DIM, base=1000, scaling=SCALING, sequence_length=LENGTH, positions=POSITIONS)
FINDING = "frequency-scaling"


def stretched(length: float) -> Cache:
    base = 1000 * (FACTOR * length / TRAINED - (FACTOR - 1)) ** (DIM / (DIM - 2))
    return cache(POSITIONS, frequencies(DIM, base))


def broken() -> Cache:
    return stretched(FACTOR * TRAINED)


def fixed() -> Cache:
    return stretched(LENGTH)
