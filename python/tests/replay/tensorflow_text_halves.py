"""tensorflow/text#1122

The tutorial states sines in even columns and cosines in odd ones, and concatenates all sines with all cosines.
"""

import numpy as np

from .conventions import Array, angles, frequencies, interleave

SUBJECT = "table"
POSITIONS = np.arange(256)
SPEC = dict(dim=512, positions=POSITIONS)
FINDING = "layout"
THETA = angles(POSITIONS, frequencies(512))


def broken() -> Array:
    return np.concatenate([np.sin(THETA), np.cos(THETA)], axis=-1)


def fixed() -> Array:
    return interleave(np.sin(THETA), np.cos(THETA))
