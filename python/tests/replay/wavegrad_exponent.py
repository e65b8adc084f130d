"""ivanvovk/WaveGrad#12

Base and exponent are exchanged: k^(1e-4) instead of (1e-4)^k, which makes nearly all frequencies 1.
"""

import numpy as np

from .conventions import Array, angles

SUBJECT = "table"
POSITIONS = np.arange(256)
SPEC = dict(dim=128, layout="halves", positions=POSITIONS)
FINDING = "frequency-spacing"
EXPONENTS = np.arange(64) / 64


def table(inv_freq: Array) -> Array:
    theta = angles(POSITIONS, inv_freq)
    return np.concatenate([np.sin(theta), np.cos(theta)], axis=-1)


def broken() -> Array:
    return table(EXPONENTS**1e-4)


def fixed() -> Array:
    return table(1e-4**EXPONENTS)
