"""stepfun-ai/Step1X-Edit#91

Timesteps that already count to 1000 are multiplied by 1000 within the connector.
"""

import numpy as np

from .conventions import Array, angles, frequencies

SUBJECT = "table"
POSITIONS = np.arange(0, 1001, 4)
SPEC = dict(dim=256, layout="halves", order="cos-sin", positions=POSITIONS)
FINDING = "position-scale"


def connector(t: Array, factor: float) -> Array:
    theta = angles(factor * t, frequencies(256))
    return np.concatenate([np.cos(theta), np.sin(theta)], axis=-1)


def broken() -> Array:
    return connector(POSITIONS, factor=1000)


def fixed() -> Array:
    return connector(POSITIONS, factor=1)
