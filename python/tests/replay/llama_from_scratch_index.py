"""bkitano/llama-from-scratch#8

The paper's index, which begins at 1, is used in a loop that begins at 0: the first frequency is base^(2/dim) instead
of 1.
"""

import numpy as np

from .conventions import Rotation, rotate_interleaved, rotation

SUBJECT = "rotation"
SPEC = dict(dim=128, base=10_000, layout="interleaved", positions=np.arange(256))
FINDING = "frequency-origin"
INDEX = np.arange(64)


def broken() -> Rotation:
    return rotation(10000.0 ** (-2.0 * (INDEX - 1) / 128), rotate_interleaved)


def fixed() -> Rotation:
    return rotation(10000.0 ** (-2.0 * INDEX / 128), rotate_interleaved)
