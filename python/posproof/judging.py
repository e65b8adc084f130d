"""Judging arrays."""

from __future__ import annotations

import json

from posproof import _posproof
from posproof.boundary import public
from posproof.report import Identification, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal, Unpack

    from posproof.options import ArrayLike, Judged, Positions

# Who is told of every report: the pytest plugin keeps them.
listeners: list[Callable[[Any], None]] = []


def parts(
    function: str, name: str, arrays: dict[str, Any], options: dict[str, Any], *, sinusoid: bool = False
) -> list[tuple[str, _posproof.Judgement]]:
    """The judgement of some arrays, with its name."""
    return [(name, _posproof.check(function, sinusoid, arrays, options))]


def still(options: dict[str, Any], width: int) -> dict[str, Any]:
    """The options for vectors that are to stay as they are: no pair turns."""
    _, rotated = _posproof.conventions("assert_rope", False, options)[0]
    still = json.loads(rotated) | {"dim": width, "rotary_dim": None, "scaling": {"rope_type": "proportional", "partial_rotary_factor": 0}}
    judging: dict[str, Any] = {key: options[key] for key in ("positions", "dtype", "compute") if key in options}
    return {"convention": still, **judging}


def narrowed(options: dict[str, Any], width: int) -> dict[str, Any]:
    """The options for the rotated part of a head alone, where a layer cuts that out before it rotates."""
    whole = _posproof.conventions("assert_rope", False, options)
    cut = [convention | {"dim": width, "rotary_dim": None} for convention in (json.loads(one) for _, one in whole)]
    if len(cut) != 1 or json.loads(whole[0][1])["dim"] == width:
        return options
    judging: dict[str, Any] = {key: options[key] for key in ("positions", "dtype", "compute", "path") if key in options}
    return {"convention": cut[0], **judging}


def told(report: Report) -> Report:
    """The report, of which the listeners were told."""
    for listener in listeners:
        listener(report)
    return report


@public
def check_rope(
    cos: ArrayLike | None = None,
    sin: ArrayLike | None = None,
    *,
    freqs_cis: ArrayLike | None = None,
    cos_sin_cache: ArrayLike | None = None,
    inv_freq: ArrayLike | None = None,
    **options: Unpack[Judged],
) -> Report:
    """Judges a cache of cosines and sines [..., positions, pairs], or of full width; or the frequencies.

    In place of `cos` and `sin`: `freqs_cis`, complex or with a last axis of 2; `cos_sin_cache`, both side by side as vLLM
    keeps them; `inv_freq`, the vector of frequencies.
    """
    arrays = {"cos": cos, "sin": sin, "freqs_cis": freqs_cis, "cos_sin_cache": cos_sin_cache, "inv_freq": inv_freq}
    return told(Report(parts("check_rope", "", arrays, dict(options))))


@public
def check_sinusoid(table: ArrayLike, **options: Unpack[Judged]) -> Report:
    """Judges a table of sinusoidal encodings [..., positions, dim]."""
    return told(Report(parts("check_sinusoid", "", {"table": table}, dict(options), sinusoid=True)))


@public
def check_rotation(x: ArrayLike, y: ArrayLike, **options: Unpack[Judged]) -> Report:
    """Judges whether the vectors `y` are the vectors `x` rotated, [..., positions, dim].

    The gradient of a rotation is the rotation back: pass the incoming and the outgoing gradient with
    `direction="clockwise"`.
    """
    return told(Report(parts("check_rotation", "", {"x": x, "y": y}, dict(options))))


@public
def identify(
    *,
    table: ArrayLike | None = None,
    cos: ArrayLike | None = None,
    sin: ArrayLike | None = None,
    freqs_cis: ArrayLike | None = None,
    cos_sin_cache: ArrayLike | None = None,
    inv_freq: ArrayLike | None = None,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    positions: Positions = None,
    axes: Sequence[str] | None = None,
    positions_axes: Literal["first", "last"] | None = None,
    sequence_axis: int | None = None,
    step: float | None = None,
    zero_point: float | None = None,
) -> Identification:
    """Says which convention a table, a cache, frequencies or a rotation follows, with no expectation given.

    `axes` names the columns of the positions [rows, axes] of an encoding of several axes. Without positions it is said which
    slots turn together.
    """
    arrays = {"table": table, "cos": cos, "sin": sin, "freqs_cis": freqs_cis, "cos_sin_cache": cos_sin_cache}
    arrays |= {"inv_freq": inv_freq, "x": x, "y": y}
    options = {"positions": positions, "axes": axes, "positions_axes": positions_axes}
    options |= {"sequence_axis": sequence_axis, "step": step, "zero_point": zero_point}
    return Identification(*_posproof.identify(arrays, options))
