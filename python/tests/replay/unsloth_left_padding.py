"""unslothai/unsloth#3837

One cache_position serves the whole batch, so that a prompt padded on the left is rotated as if its padding were text.
"""

import numpy as np

from .conventions import Rotation, frequencies, rotation

SUBJECT = "rotation"
MASK = np.repeat([0, 1], [37, 256])
TEXT = MASK == 1
SPEC = dict(dim=64, base=1_000_000, layout="halves", positions=np.arange(256))
FINDING = "position-offset"


def broken() -> Rotation:
    cache_position = np.arange(len(MASK))
    return rotation(frequencies(64, 1_000_000), place=lambda positions: cache_position[TEXT])


def fixed() -> Rotation:
    position_ids = np.cumsum(MASK) - 1
    return rotation(frequencies(64, 1_000_000), place=lambda positions: position_ids[TEXT])
