"""The program of `rust/`, which has libraries in Rust compute."""

from __future__ import annotations

import functools
import os
import subprocess
import tomllib
from pathlib import Path

from cases import DIM, numbers

PROJECT = Path(__file__).parent / "rust"


def version(library: str) -> str | None:
    """The version of a library that the program was compiled with; None where it has not been compiled."""
    if not program().exists():
        return None
    locked = tomllib.loads((PROJECT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    return next((package["version"] for package in locked if package["name"] == library), None)


@functools.cache
def program() -> Path:
    """Where `sh scripts/scores/run` compiles it."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or PROJECT.parents[2] / "target")
    return target / "scores-rust" / "debug" / "posproof-rust-libraries"


def computed(name: str, rows: int, dtype: str):
    """The vectors that the library was given, and what became of them, in the dtype."""
    import ml_dtypes
    import numpy

    given = numbers(rows).astype("<f4").tobytes()
    ended = subprocess.run([program(), name, str(rows), dtype], input=given, capture_output=True)
    if ended.returncode != 0:
        raise RuntimeError(ended.stderr.decode(errors="replace"))
    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else numpy.dtype(dtype)
    return numpy.frombuffer(ended.stdout, "<f4").astype(kind).reshape(-1, rows, DIM)
