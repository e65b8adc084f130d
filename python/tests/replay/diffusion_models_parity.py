"""gmongaras/Diffusion_models_from_scratch#10

Even and odd are taken of the rows instead of the columns: a timestep has either sines or cosines.
"""

import numpy as np

from .conventions import Array, angles, frequencies

SUBJECT = "table"
POSITIONS = np.arange(256)
SPEC = dict(dim=64, positions=POSITIONS)
FINDING = "order"


def embeddings() -> Array:
    return np.repeat(angles(POSITIONS, frequencies(64)), 2, axis=-1)


def broken() -> Array:
    table = embeddings()
    table[::2], table[1::2] = np.sin(table[::2]), np.cos(table[1::2])
    return table


def fixed() -> Array:
    table = embeddings()
    table[:, ::2], table[:, 1::2] = np.sin(table[:, ::2]), np.cos(table[:, 1::2])
    return table
