"""The examples that are Python run as they stand."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_the_example_of_pytorch_passes() -> None:
    pytest.importorskip("torch", reason="NOT TESTED: examples/test_rope.py needs PyTorch, which is not installed")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", str(EXAMPLES / "test_rope.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout + done.stderr
