"""kekzl/imp#1316

Built with fast math, sine and cosine of unreduced angles are off by 1e-2 at position 131071; the fix reduces the
angle in f64.
"""

import numpy as np

from .conventions import Array, Cache, angles, frequencies

SUBJECT = "cache"
POSITIONS = np.arange(0, 131072, 64)
SPEC = dict(dim=128, base=10_000, positions=POSITIONS)
FINDING = "low-precision-trigonometry"


def reduced(theta: Array, turn: np.floating) -> Cache:
    theta = (theta - np.rint(theta / turn) * turn).astype(np.float32)
    return np.cos(theta), np.sin(theta)


def broken() -> Cache:
    return reduced(angles(POSITIONS, frequencies(128)), np.float32(2 * np.pi))


def fixed() -> Cache:
    theta = np.outer(POSITIONS.astype(np.float64), frequencies(128))
    return reduced(theta, np.float64(2 * np.pi))
