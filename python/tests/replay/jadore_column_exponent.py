"""jadore801120/attention-is-all-you-need-pytorch#32

The exponent counts columns instead of pairs: it is doubled, and cosines have another one than the sines beside them.
"""

import numpy as np

from .conventions import Array

SUBJECT = "table"
SPEC = dict(dim=128, positions=np.arange(256))
FINDING = "frequency-spacing"
I = np.arange(128)


def table(exponents: Array) -> Array:
    theta = SPEC["positions"][:, None] / np.power(10000, exponents / 128)
    return np.where(I % 2 == 0, np.sin(theta), np.cos(theta)).astype(np.float32)


def broken() -> Array:
    return table(2 * I)


def fixed() -> Array:
    return table(I // 2 * 2)
