"""rajveer43/VeloxQuant-MLX#389

A cache that drops rows calls its offset what it retains, so that positions stop advancing once its budget is full.
"""

import numpy as np

from .conventions import PairRotation, both, frequencies, rotation

SUBJECT = "query and key"
BUDGET = 128
SPEC = dict(dim=128, base=10_000, layout="halves", positions=np.arange(512))
FINDING = "clamped-positions"


def broken() -> PairRotation:
    return both(rotation(frequencies(128), place=lambda seen: np.minimum(seen, BUDGET)))


def fixed() -> PairRotation:
    return both(rotation(frequencies(128), place=lambda seen: seen))
