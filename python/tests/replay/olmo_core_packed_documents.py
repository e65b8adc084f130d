"""allenai/OLMo-core#591

Documents packed into one sequence are rotated by their places in it, not by those in the document.
"""

import numpy as np

from .conventions import Array, Rotation, frequencies, rotation

SUBJECT = "rotation"
CU_DOC_LENS = np.array([0, 200, 456])
SPEC = dict(dim=64, base=500_000, layout="halves", positions=np.concatenate([np.arange(200), np.arange(256)]))
FINDING = "positions"


def within_documents(rows: Array) -> Array:
    document = np.searchsorted(CU_DOC_LENS, rows, side="right") - 1
    return rows - CU_DOC_LENS[document]


def broken() -> Rotation:
    return rotation(frequencies(64, 500_000), place=lambda positions: np.arange(len(positions)))


def fixed() -> Rotation:
    return rotation(frequencies(64, 500_000), place=lambda positions: within_documents(np.arange(len(positions))))
