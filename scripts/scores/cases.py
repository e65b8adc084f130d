"""Cases of the score sheet: what a library is asked for, and the convention that its documentation states.

A case is a function of the number of rows and of the dtype, by its name, of what it is asked to compute in; it returns
what the library made as a `Made`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

DIM = 64
LENGTHS = (4096, 131072)


@dataclass
class Made:
    """What a library made: the function of posproof that judges it, its arrays, what states the convention."""

    judge: str
    arrays: dict[str, Any]
    options: dict[str, Any]


@dataclass
class Case:
    """One thing that a library is asked for."""

    library: str
    name: str
    make: Callable[[int, str], Made]
    dtypes: tuple[str, ...] = ("float32",)
    lengths: tuple[int, ...] = field(default=LENGTHS)


CASES: list[Case] = []


def case(library: str, name: str, dtypes: tuple[str, ...] = ("float32",), lengths: tuple[int, ...] = LENGTHS) -> Any:
    """Registers a case. `library` is the name by which its package is installed."""

    def register(make: Callable[[int, str], Made]) -> Callable[[int, str], Made]:
        CASES.append(Case(library, name, make, dtypes, lengths))
        return make

    return register


def rope(cos: Any, sin: Any, **options: Any) -> Made:
    """A cache of cosines and sines."""
    return Made("check_rope", {"cos": cos, "sin": sin}, {"dim": DIM, **options})


def phasors(freqs_cis: Any, **options: Any) -> Made:
    """Both as complex numbers."""
    return Made("check_rope", {"freqs_cis": freqs_cis}, {"dim": DIM, **options})


def rotation(x: Any, y: Any, **options: Any) -> Made:
    """Vectors, and what became of them."""
    return Made("check_rotation", {"x": x, "y": y}, {"dim": DIM, **options})


def sinusoid(table: Any, **options: Any) -> Made:
    """A table that is added."""
    return Made("check_sinusoid", {"table": table}, {"dim": DIM, **options})


def configured(cos: Any, sin: Any, config: Any, **options: Any) -> Made:
    """A cache that is judged against a model's configuration."""
    return Made("check_rope", {"cos": cos, "sin": sin}, {"config": config, **options})


@functools.cache
def alone(package: str, path: str, beside: tuple[str, ...] = ()) -> Any:
    """One module of a package whose others cannot be imported here. Those that it imports, and that have no part in the encoding, are
    `beside` it as placeholders."""
    import importlib.util
    import sys
    from unittest.mock import MagicMock, patch

    found = importlib.util.find_spec(package)
    assert found is not None and found.submodule_search_locations is not None
    name = f"{package}.{path.removesuffix('.py').replace('/', '.')}"
    spec = importlib.util.spec_from_file_location(name, f"{found.submodule_search_locations[0]}/{path}")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with patch.dict(sys.modules, {name: module, **{other: MagicMock() for other in beside}}):
        spec.loader.exec_module(module)
    return module


@functools.cache
def numbers(rows: int) -> Any:
    """Vectors [rows, DIM] to be rotated, the same in every run: no pair is short."""
    import numpy

    state = numpy.arange(rows * DIM, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> numpy.uint64(31))) * numpy.uint64(0xBF58476D1CE4E5B9)
    magnitude = 0.5 + ((state >> numpy.uint64(40)).astype(numpy.float64) / 2.0**24)
    sign = 1.0 - 2.0 * ((state >> numpy.uint64(39)) & numpy.uint64(1)).astype(numpy.float64)
    return (magnitude * sign).astype(numpy.float32).reshape(rows, DIM)


def tensor(rows: int, dtype: str, shape: tuple[int, ...] | None = None) -> Any:
    """The vectors as a tensor of PyTorch."""
    import torch

    x = torch.from_numpy(numbers(rows)).to(getattr(torch, dtype))
    return x if shape is None else x.reshape(shape)
