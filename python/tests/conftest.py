"""What the tests share."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest_plugins = ["pytester"]


def angles(rows: int, dim: int, base: float = 10000.0) -> np.ndarray:
    """Position times frequency, as an honest program in binary32 computes them."""
    frequencies = (base ** -(np.arange(0, dim, 2) / dim)).astype(np.float32)
    return np.outer(np.arange(rows, dtype=np.float32), frequencies)


def grown(work: Callable[[], object]) -> int:
    """By how many bytes the memory of this process was larger, at its largest while something was done, than before it."""

    def status(name: str) -> int:
        [kilobytes] = re.findall(rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
        return int(kilobytes) << 10

    try:
        # Forgets the peak of what was before.
        Path("/proc/self/clear_refs").write_text("5")
    except OSError as error:
        pytest.skip(f"NOT TESTED: the memory of a judgement; {error}")
    before = status("VmRSS")
    work()
    return status("VmHWM") - before


@pytest.fixture
def cache() -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines of 300 positions, dimension 64, base 500000."""
    theta = angles(300, 64, 500_000.0)
    return np.cos(theta), np.sin(theta)
