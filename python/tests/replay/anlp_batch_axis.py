"""cmu-l3/anlp-fall2025-code#1

Positions are counted along the batch, so that all tokens of a sequence have the same encoding.
"""

import numpy as np

from .conventions import Array, angles, frequencies, interleave

SUBJECT = "table"
BATCH, LENGTH = 3, 128
SPEC = dict(dim=64, positions=np.arange(LENGTH))
FINDING = "stale-positions"


def encoding(positions: Array) -> Array:
    theta = angles(positions.reshape(-1), frequencies(64)).reshape(*positions.shape, 32)
    return interleave(np.sin(theta), np.cos(theta))


def broken() -> Array:
    pos = np.broadcast_to(np.arange(BATCH)[:, None], (BATCH, LENGTH))
    return encoding(pos)


def fixed() -> Array:
    pos = np.broadcast_to(np.arange(LENGTH)[None], (BATCH, LENGTH))
    return encoding(pos)
