"""pytorch/pytorch#114544

A range made with dtype=bfloat16 is not what its indices are: element 1001 is 1000.
"""

import numpy as np
from ml_dtypes import bfloat16

from .conventions import PairRotation, both, frequencies, rotation

SUBJECT = "query and key"
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(0, 2048, 7))
FINDING = "low-precision-positions"


def broken() -> PairRotation:
    arange = np.arange(2048).astype(bfloat16)
    return both(rotation(frequencies(64), place=lambda positions: arange[positions]))


def fixed() -> PairRotation:
    arange = np.arange(2048)
    return both(rotation(frequencies(64), place=lambda positions: arange[positions]))
