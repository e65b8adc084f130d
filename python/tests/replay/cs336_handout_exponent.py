"""stanford-cs336/assignment1-basics#22

The handout has the exponent (2k − 1)/d where the paper, and the test, have 2(k − 1)/d for k = 1, 2, …
"""

import numpy as np

from .conventions import Rotation, rotate_interleaved, rotation

SUBJECT = "rotation"
SPEC = dict(dim=64, base=10_000, layout="interleaved", positions=np.arange(256))
FINDING = "position-scale"
K = np.arange(1, 33)


def broken() -> Rotation:
    return rotation(1 / 10000.0 ** ((2 * K - 1) / 64), rotate_interleaved)


def fixed() -> Rotation:
    return rotation(1 / 10000.0 ** (2 * (K - 1) / 64), rotate_interleaved)
