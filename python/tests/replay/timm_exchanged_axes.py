"""huggingface/pytorch-image-models#2541

Coordinates indexed xy are taken for ij, so that height and width are exchanged wherever the image is not square.
"""

import numpy as np

from .conventions import Cache

SUBJECT = "cache"
H, W = 12, 20
ROWS = np.indices((H, W)).reshape(2, -1).T
AXES = [dict(name=n, pairs=p) for n, p in (("h", "0..16"), ("w", "16..32"))]
SPEC = dict(dim=64, base=10_000, layout="interleaved", axes=AXES, positions=ROWS)
FINDING = "axes-exchanged"


def table(height: np.ndarray, width: np.ndarray) -> Cache:
    bands = 10_000.0 ** -(np.arange(16) / 16)
    theta = np.concatenate([np.outer(height, bands), np.outer(width, bands)], axis=-1)
    return np.cos(theta).astype(np.float32), np.sin(theta).astype(np.float32)


def broken() -> Cache:
    return table(ROWS[:, 1], ROWS[:, 0])


def fixed() -> Cache:
    return table(ROWS[:, 0], ROWS[:, 1])
