"""Tencent/ncnn#6833

The operator reads the first half of cosines and sines and uses it for both halves, which for images are height and
width.
"""

import numpy as np

from .conventions import Array, Rotation, angles, frequencies

SUBJECT = "rotation"
GRID = np.indices((12, 20)).reshape(2, -1).T
AXES = [dict(name="h", pairs="0..32", index="0..32"), dict(name="w", pairs="32..64", index="0..32")]
SPEC = dict(dim=64, base=10_000, layout="halves", slots="entries", axes=AXES, positions=GRID)
FINDING = "axis-lost"


def operator(reads_whole_cache: bool) -> Rotation:
    def rotate(x: Array, positions: Array) -> Array:
        height, width = (angles(column, frequencies(64)) for column in positions.T)
        theta = np.concatenate([height, width if reads_whole_cache else height], axis=-1)
        first, second = np.split(x, 2, axis=-1)
        return x * np.cos(theta) + np.concatenate([-second, first], axis=-1) * np.sin(theta)

    return rotate


def broken() -> Rotation:
    return operator(reads_whole_cache=False)


def fixed() -> Rotation:
    return operator(reads_whole_cache=True)
