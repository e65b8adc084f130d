"""jmaczan/tiny-vllm#1

The kernels know no scaling of Llama 3.2: the slow pairs turn 32 times too fast, and text is garbled.
"""

import numpy as np

from .conventions import PairRotation, both, frequencies, llama3, rotation

SUBJECT = "query and key"
SCALING = dict(
    rope_type="llama3", factor=32.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192
)
SPEC = dict(dim=64, base=500_000, layout="halves", scaling=SCALING, positions=np.arange(256))
FINDING = "frequency-scaling"
INV_FREQ = frequencies(64, 500_000)


def broken() -> PairRotation:
    return both(rotation(INV_FREQ))


def fixed() -> PairRotation:
    return both(rotation(llama3(INV_FREQ, 32, 1, 4, 8192)))
