"""jadore801120/attention-is-all-you-need-pytorch#32

The exponent counts columns instead of pairs: it is doubled, and cosines have another one than the sines beside them.
"""

import numpy as np

from .conventions import Array

SUBJECT = "table"
POSITIONS = np.arange(256)
SPEC = dict(dim=128, positions=POSITIONS)
FINDING = "frequency-spacing"
COLUMN = np.arange(128)


def table(exponents: Array) -> Array:
    theta = POSITIONS[:, None] / np.power(10000, exponents / 128)
    return np.where(COLUMN % 2 == 0, np.sin(theta), np.cos(theta)).astype(np.float32)


def broken() -> Array:
    return table(2 * COLUMN)


def fixed() -> Array:
    return table(COLUMN // 2 * 2)
