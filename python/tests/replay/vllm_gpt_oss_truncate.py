"""vllm-project/vllm#28244

GPT-OSS states `truncate: false`, which the program does not know: the ends of YaRN's range are rounded.
"""

import numpy as np

from .conventions import PairRotation, attention_factor, both, cache, frequencies, rotate_halves, yarn, yarn_ramp

SUBJECT = "query and key"
SCALING = dict(rope_type="yarn", factor=32.0, original_max_position_embeddings=4096, truncate=False)
SPEC = dict(dim=64, base=150_000, layout="halves", scaling=SCALING, positions=np.arange(256))
FINDING = "frequency-scaling"


def rotary(truncate: bool) -> PairRotation:
    inv_freq = yarn(frequencies(64, 150_000), 32, yarn_ramp(64, 150_000, 4096, truncate))
    return both(lambda x, positions: rotate_halves(x, *cache(positions, inv_freq, attention_factor(32))))


def broken() -> PairRotation:
    return rotary(truncate=True)


def fixed() -> PairRotation:
    return rotary(truncate=False)
