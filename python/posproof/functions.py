"""Functions that compute cosines and sines, or rotate: called with arrays that tell faults apart, and judged."""

from __future__ import annotations

import json
import sys
from math import prod

from posproof import _posproof
from posproof._posproof import InvalidInput
from posproof.judging import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from posproof.report import Part

# Positions that tell faults apart reach so far where none are stated.
LAST = 131_071

# Heads of the vectors that functions are given: as few as tell them from positions.
HEADS = 3

EXPECTED = "expected a function of (positions), (x, positions) or (q, k, positions)"


class Library:
    """Makes arrays of the library that some positions are of: PyTorch, JAX, MLX, or else NumPy."""

    def __init__(self, positions: Any) -> None:
        torch, jax, mlx = (sys.modules.get(name) for name in ("torch", "jax", "mlx.core"))
        self._torch = torch if torch is not None and isinstance(positions, torch.Tensor) else None
        self._jax = jax if self._torch is None and jax is not None and isinstance(positions, jax.Array) else None
        self._mlx = mlx if mlx is not None and isinstance(positions, mlx.array) else None

    def numbers(self, positions: list[int] | list[float]) -> Any:
        """A vector of integers or of floats, of 64 bits where the library has them."""
        whole = isinstance(positions[0], int)
        if self._torch is not None:
            return self._torch.tensor(positions, dtype=self._torch.int64 if whole else self._torch.float64)
        if self._mlx is not None:
            return self._mlx.array(positions, dtype=self._mlx.int64 if whole else self._mlx.float32)
        return self._own(_numpy().asarray(positions, dtype="int64" if whole else "float64"))

    def vectors(self, entries: _posproof.Array, shape: tuple[int, ...]) -> Any:
        """The entries in a shape."""
        if self._torch is not None:
            return self._torch.from_dlpack(entries).reshape(shape)
        if self._mlx is not None:
            # NumPy's bf16 is one that MLX does not know; the entries are exact in f32.
            array = self._mlx.array(_numpy().asarray(entries).astype("float32").reshape(shape))
            return array.astype(getattr(self._mlx, entries.dtype))
        return self._own(_numpy().asarray(entries).reshape(shape))

    @property
    def differentiates(self) -> bool:
        """Whether it has gradients."""
        return any(library is not None for library in (self._torch, self._jax, self._mlx))

    def pulled_back(self, function: Callable[[Any], Any], at: Any, incoming: Any) -> Any:
        """The gradient that reaches the argument of a function when one comes in at its result."""
        if self._torch is not None:
            at = at.clone().requires_grad_()
            returned = function(at)
            if returned.requires_grad:
                returned.backward(incoming)
            return self._torch.zeros_like(at) if at.grad is None else at.grad
        if self._mlx is not None:
            _, [outgoing] = self._mlx.vjp(function, [at], [incoming])
            return outgoing
        assert self._jax is not None
        [outgoing] = self._jax.vjp(function, at)[1](incoming)
        return outgoing

    def _own(self, array: Any) -> Any:
        return array if self._jax is None else self._jax.numpy.asarray(array)


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        message = "numpy is not installed: expected it, or positions as an array of the function's library"
        raise InvalidInput(message) from error
    return numpy


def judged(function: Callable[..., Any], options: dict[str, Any]) -> list[Part]:
    """The judgements of what a function returns."""
    __tracebackhide__ = True
    library = Library(options.get("positions"))
    options, given, sizes = _called_with(options, library)
    match _arity(function):
        case 1:
            cos, sin = _pair(function(given), "(cos, sin)")
            return parts("assert_rope", "", {"cos": cos, "sin": sin}, options)
        case 2:
            [x], [kept] = _vectors(1, sizes, options, library), _vectors(1, sizes, options, library)
            returned = function(x, given)
            if returned is None:
                raise InvalidInput("what the function returns: expected y, or (cos, sin); found NoneType")
            if isinstance(returned, tuple):
                cos, sin = _pair(returned, "y, or (cos, sin)")
                return parts("assert_rope", "", {"cos": cos, "sin": sin}, options)
            return parts("assert_rope", "", {"x": kept, "y": returned}, options)
        case 3:
            # What is rotated in place must not take what it is compared with along.
            (q, k), (kept_q, kept_k) = (_vectors(2, sizes, options, library) for _ in range(2))
            rotated_q, rotated_k = _pair(function(q, k, given), "(q, k)")
            query = parts("assert_rope", "query", {"x": kept_q, "y": rotated_q}, options)
            return query + parts("assert_rope", "key", {"x": kept_k, "y": rotated_k}, options)
        case arity:
            raise InvalidInput(f"{EXPECTED}; found one of {arity} arguments")


def sinusoids(function: Callable[..., Any], options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The table that a function of (positions) returns, and the options at which it is judged."""
    __tracebackhide__ = True
    if _arity(function) != 1:
        raise InvalidInput(f"expected a function of (positions); found one of {_arity(function)} arguments")
    options, given, _ = _called_with(options, Library(options.get("positions")))
    returned = function(given)
    if returned is None:
        raise InvalidInput("what the function returns: expected a table [positions, dim]; found NoneType")
    return returned, options


def gradient(function: Callable[..., Any], options: dict[str, Any]) -> list[Part]:
    """The judgement of a rotation's backward pass: the incoming gradient, rotated back. What no gradient arrives at has
    one of zeros."""
    library = Library(options.get("positions"))
    if not library.differentiates or not callable(function) or _arity(function) != 2:
        raise InvalidInput(
            "gradient: expected a function of (x, positions), with positions of PyTorch, JAX or MLX; found another"
        )
    options, given, sizes = _called_with(options, library)
    first, second = _vectors(2, sizes, options, library)
    outgoing = library.pulled_back(lambda x: function(x, given), first, second)
    [convention] = [json.loads(one) for _, one in _posproof.conventions("assert_rope", False, options)]
    _, incoming = _vectors(2, sizes, options, library)
    arrays = {"x": incoming, "y": outgoing}
    if not _has_axes(options):
        return parts("assert_rope", "gradient", arrays, {**options, "direction": _back(convention)})
    # Axes that state a direction of their own turn back from that.
    axes = [axis if "direction" not in axis else {**axis, "direction": _back(axis)} for axis in convention["axes"]]
    stated = {name: value for name, value in options.items() if name in JUDGING}
    transpose = {**convention, "direction": _back(convention), "axes": axes}
    return parts("assert_rope", "gradient", arrays, {**stated, "convention": transpose})


# What says how entries are judged, in place of what they should be.
JUDGING = ("dtype", "compute", "ulp", "path", "duplication", "sequence_axis", "positions", "positions_axes")


def _back(convention: dict[str, Any]) -> str:
    """The direction that gradients turn in."""
    return "counter-clockwise" if convention.get("direction") == "clockwise" else "clockwise"


# What states several axes, and the key of a convention that does.
AXES = ("axes", "sections", "slots", "span")


def _has_axes(options: dict[str, Any]) -> bool:
    """Whether the options state several axes, so that positions are rows of coordinates."""
    convention = options.get("convention") or {}
    return any(options.get(name) is not None or name in convention for name in AXES)


def _called_with(options: dict[str, Any], library: Library) -> tuple[dict[str, Any], Any, tuple[int, ...]]:
    """The options by which a function is judged, the positions that it is called with, and the sizes of its vectors but for the
    last, with the sequences before the heads where positions state several."""
    stated: Any = options.get("positions")
    axes = _has_axes(options)
    if axes and stated is None:
        raise InvalidInput("positions: expected an array [rows, axes] beside several axes; found none")
    listed = isinstance(stated, list | tuple) and any(isinstance(row, list | tuple | range) for row in stated)
    one = not listed and len(getattr(stated, "shape", ())) < 2
    if one and (not axes or isinstance(stated, str | range)):
        positions = _posproof.probe_positions(LAST) if stated is None else _posproof.numbers_list(stated)
        given = library.numbers(positions)
        # Where a library holds fewer bits, they are the positions that it is given.
        held = given if isinstance(positions[0], float) else positions
        return {**options, "positions": held}, given, (HEADS, len(positions))
    counts = [len(row) if isinstance(row, list | tuple | range) else None for row in stated] if listed else []
    if other := [entry for entry, count in enumerate(counts) if count != counts[0]]:
        expected = f"{'one number' if counts[0] is None else f'{counts[0]} numbers'}, as in entry 0"
        found = "one number" if counts[other[0]] is None else counts[other[0]]
        raise InvalidInput(f"positions, entry {other[0]}: expected {expected}; found {found}")
    rows = stated if hasattr(stated, "shape") else _numpy().asarray(stated)
    shape = list(rows.shape)
    if axes and len(shape) > 1:
        shape.pop(0 if options.get("positions_axes") == "first" else -1)
    if len(shape) not in (1, 2):
        expected = f"[rows{', axes' if axes else ''}], or as many rows of each of several sequences"
        raise InvalidInput(f"positions: expected {expected}; found an array of shape {list(rows.shape)}")
    *sequences, length = shape
    # A step of decoding has one row of each sequence: the sequences are its rows.
    stepped = {"sequence_axis": 0} if sequences and length == 1 and options.get("sequence_axis") is None else {}
    given = rows if library.differentiates else _numpy().asarray(rows)
    return {**options, "positions": rows, **stepped}, given, (*sequences, HEADS, length)


def _arity(function: Callable[..., Any]) -> int:
    """How many arguments it needs."""
    # Nothing else of this module takes it, and it is half of the time that the package needs to be imported.
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        message = f"{EXPECTED}; found one without a signature: wrap it, lambda x, positions: f(x, positions)"
        raise InvalidInput(message) from error
    placed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in placed and one.default is inspect.Parameter.empty for one in parameters)


def _pair(returned: Any, expected: str) -> tuple[Any, Any]:
    if not isinstance(returned, tuple | list) or len(returned) != 2:
        found = f"{len(returned)} of them" if isinstance(returned, tuple | list) else type(returned).__name__
        raise InvalidInput(f"what the function returns: expected {expected}; found {found}")
    first, second = returned
    return first, second


def _vectors(count: int, sizes: tuple[int, ...], options: dict[str, Any], library: Library) -> list[Any]:
    """Vectors [heads, positions, dim], as many as asked for, of different entries."""
    conventions = _posproof.conventions("assert_rope", False, options)
    dims = {json.loads(convention)["dim"] for _, convention in conventions}
    if len(dims) != 1:
        raise InvalidInput(f"layer: expected a choice among layers of the widths {sorted(dims)}; found none")
    [dim] = dims
    dtype = options.get("dtype") or "float32"
    entries = library.vectors(_posproof.probe_vectors(count * prod(sizes), dim, dtype), (count, *sizes, dim))
    return [entries[index] for index in range(count)]
