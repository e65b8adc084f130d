"""sgl-project/sglang#34446

The fused kernel loads one position a token, the time, and rotates height and width by it too.
"""

import numpy as np

from .conventions import Array, Rotation, frequencies, rotate_halves

SUBJECT = "rotation"
T, H, W = range(0, 32, 3), range(1, 32, 3), range(2, 30, 3)
AXES = [dict(name=n, pairs=f"{p.start}..{p.stop}:3", index="pairs") for n, p in zip("thw", (T, H, W), strict=True)]
GRID = np.stack([np.full(240, 7), *(7 + np.indices((12, 20)).reshape(2, -1))], axis=-1)
SPEC = dict(dim=64, base=10_000_000, layout="halves", axes=AXES, positions=GRID)
FINDING = "axis-lost"


def rotary(axis_of_pair: Array) -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        theta = (positions[:, axis_of_pair] * frequencies(64, 10_000_000)).astype(np.float32)
        return rotate_halves(x, np.cos(theta), np.sin(theta))

    return rotate


def broken() -> Rotation:
    return rotary(np.zeros(32, int))


def fixed() -> Rotation:
    return rotary(np.array([1 if k in H else 2 if k in W else 0 for k in range(32)]))
