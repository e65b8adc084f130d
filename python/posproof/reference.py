"""Correctly rounded tables, tolerances and bounds."""

from __future__ import annotations

import json

from posproof import _posproof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, Unpack

    from posproof._posproof import Array
    from posproof.options import Program, Table, Tolerated


def rope_table(**options: Unpack[Table]) -> tuple[Array, Array]:
    """Cosines and sines [positions, pairs], every entry the correct rounding of the exact real number; of several axes [rows,
    slots], at the coordinates of each row.

    `numpy.asarray`, `torch.from_dlpack` and `jax.numpy.from_dlpack` take the arrays over without a copy.
    """
    cos, sin = _posproof.table("rope_table", False, dict(options))
    return cos, sin


def sinusoid_table(**options: Unpack[Table]) -> Array:
    """A sinusoidal table [positions, dim], every entry the correct rounding of the exact real number."""
    [table] = _posproof.table("sinusoid_table", True, dict(options))
    return table


class Tolerance:
    """How far entries may be from those of the correctly rounded table of the same format, by position and pair."""

    def __init__(self, atol: Array, document: str, positions: list[int]) -> None:
        self.atol = atol
        """[positions, pairs] in binary64: |entry − table| ≤ atol for every implementation that computes as stated."""
        self._document: dict[str, Any] = json.loads(document)
        self._positions = positions

    @property
    def origin(self) -> str:
        """Where the bound comes from."""
        return str(self._document["origin"])

    def to_dict(self) -> dict[str, Any]:
        """For a test in another language: the document of `posproof tolerance --json` (schema posproof.tolerance/1), the
        tolerances as hexadecimal text, which every language reads exactly."""
        return self._document | {"positions": self._listed(), "atol": _posproof.hexadecimal(self.atol)}

    def c_header(self, name: str = "atol") -> str:
        """The tolerances as a C array `name[POSITIONS][PAIRS]`."""
        return _posproof.c_header(name, self.origin, self._listed(), self.atol)

    def _listed(self) -> list[int]:
        if not self._positions:
            raise _posproof.InvalidInput("positions: expected at most 65536 to write as text; found more; use atol")
        return self._positions


def tolerance(encoding: Literal["rope", "sinusoid"] = "rope", **options: Unpack[Tolerated]) -> Tolerance:
    """Certified absolute tolerances for a test of one's own: for implementations that compute their angles in `compute`
    (float32) along `path` (any) and store entries as `dtype` (float32). Two such implementations differ by at most twice as
    much."""
    return Tolerance(*_posproof.tolerance(_sinusoid(encoding), dict(options)))


def bound(
    subject: Literal["rope", "sinusoid", "rotation", "score"] | None = None,
    *,
    module: Callable[..., Any] | str | None = None,
    **options: Unpack[Program],
) -> dict[str, Any]:
    """Rigorous bounds on the errors of a program: the document of `posproof bound --json` (schema posproof.bound/1).

    Of the entries of a cache or a table, of rotated unit pairs, or of scores of unit vectors. 'a_priori' holds for all
    libraries that are accurate to `ulp`, 'instance' for the frequencies as really computed. `worst=True` finds the exact
    worst case too; `error=1e-3` up to which position the error is guaranteed below that.

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
