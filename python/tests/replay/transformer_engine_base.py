"""NVIDIA/TransformerEngine#849

RotaryPositionEmbedding has no argument for the base: 10 000 is hard-coded.
"""

from collections.abc import Callable

import numpy as np

from .conventions import Array, Cache, angles, frequencies

SUBJECT = "function"
SPEC = dict(dim=128, base=500_000, positions=np.arange(512))
FINDING = "other-base"


def module(base: float) -> Callable[[Array], Cache]:
    def forward(positions: Array) -> Cache:
        theta = np.tile(angles(positions, frequencies(128, base)), 2)
        return np.cos(theta), np.sin(theta)

    return forward


def broken() -> Callable[[Array], Cache]:
    return module(10_000)


def fixed() -> Callable[[Array], Cache]:
    return module(500_000)
