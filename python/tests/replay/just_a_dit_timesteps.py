"""ArchiMickey/Just-a-DiT#9

Times between 0 and 1 are embedded as they are where the frequencies are made for 0 … 1000: their embeddings hardly
differ.
"""

import numpy as np

from .conventions import Array, angles, frequencies

SUBJECT = "table"
STEPS = 64
SPEC = dict(dim=256, layout="halves", order="cos-sin", angle_scale=1000 / STEPS, positions=np.arange(STEPS))
FINDING = "position-scale"


def embedded(t: Array) -> Array:
    theta = angles(t, frequencies(256))
    return np.concatenate([np.cos(theta), np.sin(theta)], axis=-1)


def broken() -> Array:
    return embedded(np.arange(STEPS) / STEPS)


def fixed() -> Array:
    return embedded(1000 * np.arange(STEPS) / STEPS)
