"""Correctly rounded tables, tolerances and bounds."""

from __future__ import annotations

import json

from posproof import _posproof
from posproof.boundary import public
from posproof.report import framed, version_of, versioned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Literal, Unpack, overload

    from posproof._posproof import Array
    from posproof.options import ArrayLike, Judged, Kernel, Program, Table, Tolerated
else:

    def overload(_: object) -> None:
        return None


@public
def rope_table(**options: Unpack[Table]) -> tuple[Array, Array]:
    """Cosines and sines [positions, pairs], every entry the correct rounding of the exact real number; of several axes [rows,
    slots], at the coordinates of each row; of the positions [sequences, rows] of a batch [sequences, rows, pairs].

    `numpy.asarray`, `torch.from_dlpack` and `jax.numpy.from_dlpack` take the arrays over without a copy.
    """
    cos, sin = _posproof.table("rope_table", False, dict(options))
    return cos, sin


@public
def sinusoid_table(**options: Unpack[Table]) -> Array:
    """A sinusoidal table [positions, dim], every entry the correct rounding of the exact real number."""
    [table] = _posproof.table("sinusoid_table", True, dict(options))
    return table


class Tolerance:
    """How far entries may be from those of the correctly rounded table of the same format, by position and pair.

    It is an array [positions, pairs], of the sequences of a batch [sequences, positions, pairs]: `numpy.asarray` and `torch.from_dlpack` take it over, and it compares, multiplies and adds as
    one, with arrays of PyTorch as theirs and with all others as NumPy's: `(abs(mine - cos) <= tolerance).all()`.
    """

    def __init__(self, atol: Array, documents: Sequence[str], positions: Sequence[str] | None) -> None:
        self.atol = atol
        """[positions, pairs] in binary64: |entry − table| ≤ atol for every implementation that computes as stated."""
        self._documents = documents
        self._document: dict[str, Any] = json.loads(documents[0])
        self._positions = positions

    @property
    def shape(self) -> tuple[int, ...]:
        """(positions, pairs), or (sequences, positions, pairs)."""
        return self.atol.shape

    @property
    def specification(self) -> dict[str, Any]:
        """What it is a tolerance of: convention, dtype, compute, path, origin."""
        return dict(self._document)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.atol.__array__(dtype, copy)

    def __dlpack__(self, **options: Any) -> Any:
        return self.atol.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.atol.__dlpack_device__()

    def __len__(self) -> int:
        return len(self.atol)

    def __getitem__(self, at: Any) -> Any:
        return self.__array__()[at]

    def _beside(self, other: Any) -> Any:
        """The array as one of the other's library."""
        if type(other).__module__.partition(".")[0] == "torch":
            import torch

            return torch.from_dlpack(self.atol).to(getattr(other, "device", "cpu"))
        return self.__array__()

    def __lt__(self, other: Any) -> Any:
        return self._beside(other) < other

    def __le__(self, other: Any) -> Any:
        return self._beside(other) <= other

    def __gt__(self, other: Any) -> Any:
        return self._beside(other) > other

    def __ge__(self, other: Any) -> Any:
        return self._beside(other) >= other

    def __add__(self, other: Any) -> Any:
        return self._beside(other) + other

    def __mul__(self, other: Any) -> Any:
        return self._beside(other) * other

    __radd__, __rmul__ = __add__, __mul__

    def __repr__(self) -> str:
        return f"<posproof.Tolerance {'×'.join(map(str, self.shape))}>"

    def _repr_html_(self) -> str:
        stated = f"{self._document['dtype']}, computed in {self._document['compute']} along {self._document['path']}"
        *rows, pairs = self.shape
        return framed(f"tolerances of {' × '.join(map(str, rows))} positions × {pairs} pairs in {stated}\norigin: {self.origin}", True, False)

    @property
    def origin(self) -> str:
        """Where the bound comes from."""
        return str(self._document["origin"])

    def to_dict(self, version: Literal[1, 2] = 1) -> dict[str, Any]:
        """For a test in another language: the document of `posproof tolerance --json` (schema posproof.tolerance/1, or
        posproof.tolerance/2 of several axes and of positions that are not whole), or of `--json=2`. Tolerances are hexadecimal text,
        which every language reads exactly."""
        positions = json.loads(self._listed()[version_of(version) - 1])
        return versioned(self._documents, version) | {"positions": positions, "atol": _posproof.hexadecimal(self.atol)}

    def c_header(self, name: str = "atol") -> str:
        """The tolerances as a C array `name[POSITIONS][PAIRS]`."""
        return _posproof.c_header(name, self.origin, self._listed()[0], self.atol)

    def _listed(self) -> Sequence[str]:
        if self._positions is None:
            raise _posproof.InvalidInput("positions: expected at most 65536 to write as text; found more; use atol")
        return self._positions


@public
def tolerance(encoding: Literal["rope", "sinusoid"] = "rope", **options: Unpack[Tolerated]) -> Tolerance:
    """Certified absolute tolerances for a test of one's own: for implementations that compute their angles in `compute`
    (float32) along `path` (any) and store entries as `dtype` (float32). Two such implementations differ by at most twice as
    much. Of one axis or of several, at positions of any kind."""
    return Tolerance(*_posproof.tolerance(_sinusoid(encoding), dict(options)))


@overload
def bound(
    subject: Literal["rope", "sinusoid", "rotation", "score"] | None = None,
    *,
    module: Callable[..., Any] | str | None = None,
    **options: Unpack[Program],
) -> dict[str, Any]: ...
@overload
def bound(subject: Literal["attention", "logits"], **options: Unpack[Kernel]) -> dict[str, Any]: ...
@public
def bound(
    subject: str | None = None, *, module: Callable[..., Any] | str | None = None, **options: Any
) -> dict[str, Any]:
    """Rigorous bounds on the errors of a program: the document of `posproof bound --json` (schema posproof.bound/1; of several axes, and
    of positions that are no range, posproof.bound-axes/1).

    Of the entries of a cache or a table, of rotated unit pairs, or of scores of unit vectors. 'a_priori' holds for all
    libraries that are accurate to `ulp`, 'instance' for the frequencies as really computed. `worst=True` finds the exact
    worst case too; `error=1e-3` up to which position the error is guaranteed below that.

    Of `"attention"` and `"logits"` with an `accumulator`: attention as kernels compute it, of stored inputs (schema
    posproof.bound-kernel/1). An accumulator is a name, a file, or its figures in a dictionary.

    The program is stated by options, or read: `module` is a function of (), (positions) or (x, positions), a module of
    PyTorch, or the text 'FILE:FUNCTION'. It is traced, and path, formats and frequencies are those of its graph; `dtype`
    is then that of x.
    """
    if module is not None:
        options = _read(module, options)
    elif subject is None:
        raise _posproof.InvalidInput("subject: expected rope, sinusoid, rotation or score, or a module; found neither")
    document: dict[str, Any] = json.loads(_posproof.bound(subject, dict(options)))
    return document


# The arrays that are outputs of one convention.
OUTPUTS = ("table", "cos", "sin", "freqs_cis", "cos_sin_cache", "inv_freq", "x", "y")


@overload
def compare(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    inputs: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    outputs: tuple[ArrayLike, ArrayLike] | None = None,
    mask: Literal["causal", "none"] = "none",
) -> dict[str, Any]: ...
@overload
def compare(a: Mapping[str, ArrayLike], b: Mapping[str, ArrayLike], **options: Unpack[Judged]) -> dict[str, Any]: ...
@public
def compare(a: Mapping[str, Any], b: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """Two outputs, or two kernels of attention: by how much they may differ, and do.

    Of two outputs, `a` and `b` are their arrays by name: `{"cos": …, "sin": …}`, `{"table": …}`, `{"x": …, "y": …}`, and
    options are those of `check_rope`. Each is judged, and the largest difference stands beside the sum of both bounds: the
    document of `posproof compare rope --json` (schema posproof.compare-outputs/1).

    Of two kernels, `a` and `b` are documents of `bound("attention", …)`. The answer has inputs on which they differ: the document
    of `posproof compare --json` (schema posproof.compare/1). With `inputs=(q, k, v)` and `outputs=(of_a, of_b)`, arrays of two
    dimensions, `document["dumps"]["verdict"]` says whose fault a difference is: `honest`, `first`, `second` or `both`.
    """
    document: dict[str, Any]
    for name, one in (("a", a), ("b", b)):
        if not hasattr(one, "keys"):
            expected = 'arrays by name, such as {"cos": …, "sin": …}, or a document of bound("attention", …)'
            raise _posproof.InvalidInput(f"{name}: expected {expected}; found {type(one).__name__}")
    if any(name in one for one in (a, b) for name in OUTPUTS):
        sinusoid = "table" in a
        document = json.loads(_posproof.compare_outputs(sinusoid, (dict(a), dict(b)), options))
        return document
    document = json.loads(_kernels(a, b, **options))
    return document


def _kernels(
    a: Mapping[str, Any],
    b: Mapping[str, Any],
    *,
    inputs: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    outputs: tuple[ArrayLike, ArrayLike] | None = None,
    mask: str = "none",
) -> str:
    if mask not in ("causal", "none"):
        raise _posproof.InvalidInput(f"mask: expected 'causal' or 'none'; found {mask!r}")
    return _posproof.compare((a, b), inputs, outputs, mask == "causal")


def _read(module: Callable[..., Any] | str, options: Any) -> Any:
    # PyTorch's tracer is loaded by whoever asks for it.
    from posproof import tracing

    stated = dict(options)
    function, source = (tracing.load(module), module) if isinstance(module, str) else (module, None)
    try:
        return stated | {"graph": tracing.graph(function, source, stated.pop("dtype", None)), "dtype": None}
    except tracing.Untraceable as error:
        raise _posproof.InvalidInput(f"module: {error}") from error


def _sinusoid(encoding: str) -> bool:
    if encoding not in ("rope", "sinusoid"):
        raise _posproof.InvalidInput(f"encoding: expected 'rope' or 'sinusoid'; found {encoding!r}")
    return encoding == "sinusoid"
