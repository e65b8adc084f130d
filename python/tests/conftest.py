"""What the tests share."""

import numpy as np
import pytest

pytest_plugins = ["pytester"]


def angles(rows: int, dim: int, base: float = 10000.0) -> np.ndarray:
    """Position times frequency, as an honest program in binary32 computes them."""
    frequencies = (base ** -(np.arange(0, dim, 2) / dim)).astype(np.float32)
    return np.outer(np.arange(rows, dtype=np.float32), frequencies)


@pytest.fixture
def cache() -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines of 300 positions, dimension 64, base 500000."""
    theta = angles(300, 64, 500_000.0)
    return np.cos(theta), np.sin(theta)
