"""Which positions rows really were encoded by."""

from __future__ import annotations

import json

from posproof import _posproof
from posproof.boundary import public
from posproof.report import framed, versioned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Unpack

    from posproof.options import ArrayLike, Decoding


class Decoded:
    """The position of every row, as far as it is certified: that every other one of the domain is excluded."""

    def __init__(self, found: _posproof.Decoded) -> None:
        self._found = found
        self._axes: list[dict[str, Any]] = json.loads(found.second)["axes"]

    @property
    def positions(self) -> memoryview[int] | memoryview[float]:
        """The positions [tables, rows], one table for each batch and head, or [tables, rows, axes] of several axes: integers of 64
        bits; where a row is not certified, or positions are fractions, numbers in binary64, with NaN for such rows.
        `numpy.asarray` takes them over without a copy."""
        entries, shape = memoryview(self._found.entries), self._found.shape
        return entries.cast("q", shape) if self._found.whole else entries.cast("d", shape)

    @property
    def certified(self) -> bool:
        """Whether every row has one position."""
        return self._found.certified

    @property
    def conforms(self) -> bool:
        """Whether honest rounding explains every row, by the expected position where one was stated. Rows of zeros, and those
        for which several positions remain, are no objection."""
        return not self._found.falls_short

    @property
    def counts(self) -> dict[str, int]:
        """How many rows there are of each kind: 'certified', 'ambiguous', 'unexplained', 'null', 'not_finite'; of several axes,
        how many rows of all of them."""
        return {kind: sum(axis["counts"][kind] for axis in self.axes) for kind in self.axes[0]["counts"]}

    @property
    def axes(self) -> list[dict[str, Any]]:
        """What was found along each axis: its name, counts, patterns, open rows and comparison."""
        return list(self._axes)

    @property
    def patterns(self) -> list[dict[str, Any]]:
        """What the positions of the tables are: an offset, restarts, chunks exchanged, …"""
        return self._along("patterns")

    @property
    def open(self) -> list[dict[str, Any]]:
        """The first rows without a certified position, and what is known of them."""
        return self._along("open")

    def _along(self, name: str) -> list[dict[str, Any]]:
        """What is listed of the axis; of several axes, each with its name."""
        if len(self.axes) == 1:
            return list(self.axes[0][name])
        return [{"axis": axis["name"], **one} for axis in self.axes for one in axis[name]]

    def to_dict(self, version: Literal[1, 2] = 1) -> dict[str, Any]:
        """The document of `posproof positions --json` (schema posproof.positions/1), or of `--json=2`."""
        return versioned((self._found.json, self._found.second), version)

    def __str__(self) -> str:
        return self._found.text

    def __repr__(self) -> str:
        shape = "×".join(map(str, self._found.shape))
        return f"<posproof.Decoded {shape} {'certified' if self.certified else 'open'}>"

    def _repr_html_(self) -> str:
        return framed(str(self), self.certified and self.conforms, self.conforms)


@public
def positions(
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    *,
    cos: ArrayLike | None = None,
    sin: ArrayLike | None = None,
    freqs_cis: ArrayLike | None = None,
    cos_sin_cache: ArrayLike | None = None,
    table: ArrayLike | None = None,
    **options: Unpack[Decoding],
) -> Decoded:
    """Finds the position by which each row was rotated: of vectors `x` that became `y`, of a cache, or of a table.

    `domain` says which positions are possible (`range(1048576)`, or a dictionary of those of some axes), `expected` which the
    rows should have, `step` what fractional positions are multiples of (`"1/2"`).
    """
    arrays = {"x": x, "y": y, "cos": cos, "sin": sin, "freqs_cis": freqs_cis, "cos_sin_cache": cos_sin_cache}
    return Decoded(_posproof.positions(table is not None, arrays | {"table": table}, dict(options)))
