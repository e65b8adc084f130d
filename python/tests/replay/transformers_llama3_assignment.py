"""huggingface/transformers#32330

The function computes Llama 3.1's bands and returns the frequencies that it was given.
"""

import numpy as np

from .conventions import Array, Cache, cache, frequencies, llama3

SUBJECT = "cache"
SCALING = dict(
    rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192
)
CONFIG = dict(model_type="llama", hidden_size=4096, num_attention_heads=32, rope_theta=500_000.0, rope_scaling=SCALING)
POSITIONS = np.arange(1024)
SPEC = dict(config=CONFIG, positions=POSITIONS)
FINDING = "frequency-scaling"


def parameters(inv_freq: Array, assigned: bool) -> Array:
    inv_freq_llama = llama3(inv_freq, 8, 1, 4, 8192)
    return inv_freq_llama if assigned else inv_freq


def broken() -> Cache:
    return cache(POSITIONS, parameters(frequencies(128, 500_000), assigned=False))


def fixed() -> Cache:
    return cache(POSITIONS, parameters(frequencies(128, 500_000), assigned=True))
