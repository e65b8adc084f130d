"""alibaba/MNN#4133

Qwen3-VL interleaves the sections of its axes; the program lays them out in blocks, as Qwen2.5-VL does.
"""

import numpy as np

from .conventions import Array, Rotation, frequencies, rotate_halves

SUBJECT = "rotation"
AXES = [dict(name="t", pairs=["0..60:3", "60..64"], index="pairs")]
AXES += [dict(name=n, pairs=f"{first}..60:3", index="pairs") for n, first in (("h", 1), ("w", 2))]
GRID = np.stack([np.full(240, 7), *(7 + np.indices((12, 20)).reshape(2, -1))], axis=-1)
SPEC = dict(dim=128, base=5_000_000, layout="halves", axes=AXES, positions=GRID)
FINDING = "axis-arrangement"


def rotary(axis_of_pair: Array) -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        theta = (positions[:, axis_of_pair] * frequencies(128, 5_000_000)).astype(np.float32)
        return rotate_halves(x, np.cos(theta), np.sin(theta))

    return rotate


def broken() -> Rotation:
    return rotary(np.repeat([0, 1, 2], [24, 20, 20]))


def fixed() -> Rotation:
    return rotary(np.where(np.arange(64) < 60, np.arange(64) % 3, 0))
