"""tensorflow/tensor2tensor#1423

The code divides the exponent by the number of pairs less one, so that 1/10000 is among the frequencies; the paper
does not.
"""

import numpy as np

from .conventions import Array, angles

SUBJECT = "table"
POSITIONS = np.arange(256)
SPEC = dict(dim=512, layout="halves", positions=POSITIONS)
FINDING = "frequency-spacing"
NUM_TIMESCALES = 256


def timing_signal(steps: int) -> Array:
    increment = np.log(10000) / steps
    theta = angles(POSITIONS, np.exp(np.arange(NUM_TIMESCALES) * -increment))
    return np.concatenate([np.sin(theta), np.cos(theta)], axis=-1)


def broken() -> Array:
    return timing_signal(NUM_TIMESCALES - 1)


def fixed() -> Array:
    return timing_signal(NUM_TIMESCALES)
