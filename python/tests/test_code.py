"""Right and broken code in NumPy, PyTorch and JAX, put to every claim of its roles."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import posproof
import pytest

DIM = 32
BASE = 10000.0
LAST = 2047
EXPONENTS = np.arange(0, DIM, 2) / DIM


class NumPy:
    """The operations that the code below needs, in NumPy."""

    name = "NumPy"
    types = ("float32", "float64")
    module: Any = np

    def array(self, x: Any, dtype: str) -> Any:
        return self.module.asarray(np.asarray(x), dtype=getattr(self.module, dtype))

    def cast(self, x: Any, dtype: str) -> Any:
        return x.astype(getattr(self.module, dtype))

    def join(self, parts: list[Any], axis: int = -1) -> Any:
        return self.module.concatenate(parts, axis=axis)

    def stack(self, parts: list[Any]) -> Any:
        return self.module.stack(parts, -1)

    def largest(self, x: Any, axis: int) -> Any:
        return x.max(axis, keepdims=True)

    def total(self, x: Any, axis: int) -> Any:
        return x.sum(axis, keepdims=True)


class JAX(NumPy):
    """The operations in JAX."""

    name = "JAX"
    types = ("float32", "bfloat16")

    def __init__(self) -> None:
        import jax.numpy

        self.module = jax.numpy


class PyTorch(NumPy):
    """The operations in PyTorch."""

    name = "PyTorch"
    types = ("float32", "float64", "bfloat16")

    def __init__(self) -> None:
        import torch

        self.module = torch

    def array(self, x: Any, dtype: str) -> Any:
        return self.module.as_tensor(np.asarray(x)).to(getattr(self.module, dtype))

    def cast(self, x: Any, dtype: str) -> Any:
        return x.to(getattr(self.module, dtype))

    def join(self, parts: list[Any], axis: int = -1) -> Any:
        return self.module.cat(parts, axis)

    def largest(self, x: Any, axis: int) -> Any:
        return x.amax(axis, keepdim=True)

    def total(self, x: Any, axis: int) -> Any:
        return x.sum(axis, keepdim=True)


def libraries() -> list[Any]:
    """Those that are installed."""
    known = [("numpy", NumPy), ("torch", PyTorch), ("jax", JAX)]
    return [library() for name, library in known if find_spec(name) is not None]


Options = dict[str, Any]
Code = tuple[dict[str, Callable[..., Any]], Options]


def angles(lib: Any, compute: str, positions: Any, sign: float = 1.0, late: int = 0, wrap: int = 0) -> Any:
    frequencies = lib.array(BASE**-EXPONENTS, compute)
    numbers = np.asarray(positions).astype(np.float64) + late
    numbers = numbers % wrap if wrap else numbers
    return sign * lib.array(numbers, compute)[:, None] * frequencies


def encode(lib: Any, dtype: str, **mistake: Any) -> Code:
    """Sines and cosines, computed in binary32 or wider."""
    compute = "float64" if dtype == "float64" else "float32"
    kind, gain = mistake.pop("kind", ""), mistake.pop("gain", 1.0)

    def function(positions: Any) -> Any:
        angle = angles(lib, compute, positions, **mistake)
        if kind == "angles in bf16":
            angle = lib.cast(lib.cast(angle, "bfloat16" if hasattr(lib.module, "bfloat16") else "float16"), compute)
        sin, cos = lib.module.sin(angle), lib.module.cos(angle)
        if kind == "sines alone":
            cos = sin
        if kind == "halves":
            return lib.cast(gain * lib.join([sin, cos]), dtype)
        return lib.cast(gain * lib.stack([sin, cos]).reshape(len(sin), DIM), dtype)

    return {"encode": function}, {"compute": compute, "dtype": dtype}


def rotate(lib: Any, dtype: str, **mistake: Any) -> Code:
    """Neighbours, or halves, turned counter-clockwise."""
    compute = "float64" if dtype == "float64" else "float32"
    kind, gain = mistake.pop("kind", ""), mistake.pop("gain", 1.0)

    def function(x: Any, positions: Any) -> Any:
        angle = angles(lib, compute, positions, **mistake)
        cos, sin = (lib.cast(part, dtype) for part in (lib.module.cos(angle), lib.module.sin(angle)))
        half = DIM // 2
        if kind in ("halves", "halves, not stated"):
            a, b = x[:, :half], x[:, half:]
            return lib.join([a * cos - b * sin, a * sin + b * cos])
        a, b = x[:, 0::2], x[:, 1::2]
        if kind == "mixed layouts":
            return lib.join([a * cos - b * sin, a * sin + b * cos])
        if kind == "no minus":
            return lib.stack([a * cos + b * sin, a * sin + b * cos]).reshape(x.shape)
        if kind == "not rotated":
            return x
        return gain * lib.stack([a * cos - b * sin, a * sin + b * cos]).reshape(x.shape)

    options: Options = {"compute": compute, "dtype": dtype}
    return {"rotate": function}, options | ({"layout": "halves"} if kind == "halves" else {})


def both(lib: Any, dtype: str, **mistake: Any) -> Code:
    """Beside the real code that of complex numbers, in parts."""
    real, options = rotate(lib, dtype)
    conjugated = {"sign": -1.0} if mistake.get("kind") == "conjugated" else {}
    other = mistake.get("kind") == "other pairs"

    def function(x: Any, positions: Any) -> Any:
        angle = angles(lib, options["compute"], positions, late=mistake.get("late", 0), **conjugated)
        cos, sin = (lib.cast(part, dtype) for part in (lib.module.cos(angle), lib.module.sin(angle)))
        half = DIM // 2
        a, b = (x[:, :half], x[:, half:]) if other else (x[:, 0::2], x[:, 1::2])
        parts = [a * cos - b * sin, b * cos + a * sin]
        return lib.join(parts) if other else lib.stack(parts).reshape(x.shape)

    return real | {"rotate_complex": function}, options


def attention(lib: Any, dtype: str, **mistake: Any) -> Code:
    """One head of attention, the scores in binary32 or wider."""
    compute = "float64" if dtype == "float64" else "float32"
    kind = mistake.get("kind", "")

    def function(q: Any, k: Any, v: Any) -> Any:
        q, k, v = (lib.cast(x, compute) for x in (q, k, v))
        if kind == "sums in f16":
            q, k, v = (lib.cast(x, "float16") for x in (q, k, v))
        scores = q @ k.T
        scores = scores / {"not scaled": 1.0, "divided by d": float(DIM)}.get(kind, DIM**0.5)
        if kind in ("causal mask", "leaking mask"):
            hidden = np.triu(np.ones(tuple(scores.shape)), 1 if kind == "causal mask" else 2)
            scores = scores - lib.array(1e4 * hidden, compute)
        axis = 0 if kind == "wrong axis" else 1
        if kind == "wrong sign":
            scores = -scores
        weights = lib.module.exp(scores - lib.largest(scores, axis))
        if kind != "not normalised":
            weights = weights / lib.total(weights, axis)
        if kind == "dropout":
            kept = np.random.default_rng(1).random(tuple(scores.shape)) > 0.1
            weights = weights * lib.array(kept / 0.9, compute)
        return lib.cast(weights @ v, dtype)

    return {"attention": function}, {"compute": compute, "dtype": dtype}


MAKERS = {"encode": encode, "rotate": rotate, "both": both, "attention": attention}

#: Role, mistake, and the claims that must refuse it; those that must not, because they say nothing of it.
BROKEN: list[tuple[str, str, dict[str, Any], set[str], set[str]]] = [
    ("encode", "positions from 1", {"late": 1}, {"shift.linearity", "toeplitz.dot-product", "shift.group"}, {"sinusoid.bounded", "toeplitz.structure"}),
    ("encode", "wrapped at 1024", {"wrap": 1024}, {"shift.linearity", "toeplitz.structure"}, {"sinusoid.bounded", "toeplitz.symmetric"}),
    ("encode", "halves, not stated", {"kind": "halves"}, {"shift.linearity", "toeplitz.dot-product"}, {"toeplitz.structure", "toeplitz.symmetric"}),
    ("encode", "sines alone", {"kind": "sines alone"}, {"sinusoid.bounded", "shift.linearity", "toeplitz.symmetric"}, set()),
    ("encode", "amplitude 1.01", {"gain": 1.01}, {"sinusoid.bounded", "shift.linearity", "toeplitz.symmetric"}, {"toeplitz.structure"}),
    ("encode", "angles in a narrow format", {"kind": "angles in bf16"}, {"shift.linearity", "toeplitz.dot-product"}, {"sinusoid.bounded"}),
    ("rotate", "clockwise", {"sign": -1.0}, {"rope.rotation"}, {"rope.isometry", "rope.relative-position", "rope.composition"}),
    ("rotate", "positions from 1", {"late": 1}, {"rope.rotation", "rope.composition", "rope.relative-position"}, {"rope.isometry", "rope.linear"}),
    ("rotate", "halves, not stated", {"kind": "halves, not stated"}, {"rope.rotation", "rope.pair-layout"}, {"rope.isometry", "rope.linear"}),
    ("rotate", "mixed layouts", {"kind": "mixed layouts"}, {"rope.rotation", "rope.pair-layout"}, {"rope.isometry", "rope.linear"}),
    ("rotate", "no minus", {"kind": "no minus"}, {"rope.rotation", "rope.isometry", "rope.inverse"}, {"rope.linear"}),
    ("rotate", "scaled by 1.1", {"gain": 1.1}, {"rope.rotation", "rope.isometry"}, {"rope.linear", "rope.pair-layout"}),
    ("rotate", "not rotated", {"kind": "not rotated"}, {"rope.rotation"}, set()),
    ("both", "conjugated", {"kind": "conjugated"}, {"phasor.rotation-matrix"}, set()),
    ("both", "other pairs", {"kind": "other pairs"}, {"phasor.rotation-matrix", "phasor.dot-product"}, set()),
    ("both", "one position late", {"late": 1}, {"phasor.rotation-matrix"}, {"phasor.dot-product"}),
    ("attention", "wrong axis", {"kind": "wrong axis"}, {"attention.softmax"}, {"attention.equivariance"}),
    ("attention", "causal mask", {"kind": "causal mask"}, {"attention.equivariance", "attention.single-query"}, set()),
    ("attention", "leaking mask", {"kind": "leaking mask"}, {"attention.equivariance"}, set()),
    ("attention", "not scaled", {"kind": "not scaled"}, {"attention.scores"}, {"attention.equivariance"}),
    ("attention", "divided by d", {"kind": "divided by d"}, {"attention.scores"}, {"attention.equivariance"}),
    ("attention", "dropout", {"kind": "dropout"}, {"attention.softmax", "attention.equivariance"}, set()),
    ("attention", "not normalised", {"kind": "not normalised"}, {"attention.softmax"}, {"attention.equivariance"}),
    ("attention", "wrong sign", {"kind": "wrong sign"}, {"attention.scores"}, {"attention.equivariance"}),
    ("attention", "sums in f16", {"kind": "sums in f16"}, {"attention.scores"}, set()),
]


def claims_of(functions: dict[str, Any]) -> list[str]:
    return [claim.id for claim in posproof.claims() if set(claim.roles) == set(functions)]


def verdicts(lib: Any, code: Code) -> dict[str, str]:
    functions, options = code
    found = {}
    for claim in claims_of(functions):
        try:
            report = posproof.assert_claim(claim, **functions, dim=DIM, positions=lib.module.arange(LAST + 1), **options)
        except posproof.ClaimRefuted as error:
            [report] = error.reports
        found[claim] = report.grade
    return found


RIGHT = [
    pytest.param(lib, role, dtype, mistake, id=f"{lib.name}-{role}-{dtype}{'-halves' if mistake else ''}")
    for lib in libraries()
    for dtype in lib.types
    for role, mistake in [("encode", {}), ("rotate", {}), ("rotate", {"kind": "halves"}), ("both", {}), ("attention", {})]
]


@pytest.mark.parametrize(("lib", "role", "dtype", "mistake"), RIGHT)
def test_right_code_is_accepted_under_every_claim_of_its_roles(lib: Any, role: str, dtype: str, mistake: Any) -> None:
    found = verdicts(lib, MAKERS[role](lib, dtype, **mistake))
    assert found and set(found.values()) == {"holds"}, found


WRONG = [
    pytest.param(lib, role, mistake, refusing, silent, id=f"{lib.name}-{role}-{name}")
    for lib in libraries()
    for role, name, mistake, refusing, silent in BROKEN
]


@pytest.mark.parametrize(("lib", "role", "mistake", "refusing", "silent"), WRONG)
def test_broken_code_is_refused_by_the_claims_that_say_so(
    lib: Any, role: str, mistake: Any, refusing: set[str], silent: set[str]
) -> None:
    found = verdicts(lib, MAKERS[role](lib, "float32", **mistake))
    assert refusing <= {claim for claim, grade in found.items() if grade == "refuted"}, found
    assert silent <= {claim for claim, grade in found.items() if grade == "holds"}, found
