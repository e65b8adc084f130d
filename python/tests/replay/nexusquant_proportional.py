"""jagmarques/nexusquant#12

Gemma 4's proportional rotation turns a quarter of the pairs; the program turns them all.
"""

import numpy as np

from .conventions import PairRotation, both, frequencies, rotation

SUBJECT = "query and key"
SCALING = dict(rope_type="proportional", partial_rotary_factor=0.25)
SPEC = dict(dim=256, base=1_000_000, layout="halves", scaling=SCALING, positions=np.arange(256))
FINDING = "frequency-scaling"
INV_FREQ = frequencies(256, 1_000_000)


def broken() -> PairRotation:
    return both(rotation(INV_FREQ))


def fixed() -> PairRotation:
    rope_angles = int(0.25 * 256 // 2)
    return both(rotation(np.where(np.arange(128) < rope_angles, INV_FREQ, 0)))
