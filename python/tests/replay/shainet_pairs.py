"""NeuraLegion/shainet#111

Llama as converted for transformers is rotated in pairs (2i, 2i + 1) instead of (i, i + dim/2): after two tokens the
text is garbage.
"""

import numpy as np

from .conventions import PairRotation, both, frequencies, rotate_halves, rotate_interleaved, rotation

SUBJECT = "query and key"
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(256))
FINDING = "layout"


def broken() -> PairRotation:
    return both(rotation(frequencies(64), rotate_interleaved))


def fixed() -> PairRotation:
    return both(rotation(frequencies(64), rotate_halves))
