"""pytorch/executorch#2010

The table is not sliced at start_pos: with a cache of keys and values, every decoded token gets its first row.
"""

import numpy as np

from .conventions import Array, Rotation, cache, frequencies, rotate_interleaved

SUBJECT = "rotation"
SPEC = dict(dim=64, base=10_000, layout="interleaved", positions=np.arange(32, 288))
FINDING = "stale-positions"


def decode(slices: bool) -> Rotation:
    freqs_cos, freqs_sin = cache(np.arange(512), frequencies(64))

    def step(x: Array, start_pos: int) -> Array:
        rows = slice(start_pos, start_pos + 1) if slices else slice(0, 1)
        return rotate_interleaved(x, freqs_cos[rows], freqs_sin[rows])

    return lambda x, positions: np.stack([step(x[:, i], p) for i, p in enumerate(positions)], axis=1)


def broken() -> Rotation:
    return decode(slices=False)


def fixed() -> Rotation:
    return decode(slices=True)
