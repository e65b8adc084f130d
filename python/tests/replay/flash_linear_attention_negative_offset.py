"""fla-org/flash-linear-attention#902

Left padding is subtracted from the positions of a prefill whose padding has already been removed: they are −100, −99,
… instead of 0, 1, …
"""

import numpy as np

from .conventions import Array, PairRotation, both, frequencies, rotation

SUBJECT = "query and key"
PADDING = 100
SPEC = dict(dim=64, base=10_000, layout="halves", positions=np.arange(256))
FINDING = "position-offset"


def raven(cached: int, gated: bool) -> PairRotation:
    def place(positions: Array) -> Array:
        return positions + cached - (PADDING if cached > 0 or not gated else 0)

    return both(rotation(frequencies(64), place=place))


def broken() -> PairRotation:
    return raven(cached=0, gated=False)


def fixed() -> PairRotation:
    return raven(cached=0, gated=True)
