"""sgl-project/sglang-jax#1472

Inverse frequencies kept in f32 are converted to bf16 just before the phase is computed, and back to f32 by its
multiplication.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import PairRotation, both, frequencies, rotation

SUBJECT = "query and key"
SPEC = dict(dim=128, base=1_000_000, layout="halves", positions=np.arange(0, 4096, 8))
FINDING = "low-precision-frequencies"
INV_FREQ = frequencies(128, 1_000_000)


def broken() -> PairRotation:
    return both(rotation(INV_FREQ.astype(bfloat16).astype(np.float32)))


def fixed() -> PairRotation:
    return both(rotation(INV_FREQ))
