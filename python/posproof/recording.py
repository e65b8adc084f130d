"""Rotations that a program hands over while it runs."""

from __future__ import annotations

from posproof import _posproof
from posproof._posproof import InvalidInput
from posproof.boundary import public
from posproof.judging import narrowed, parts, still, told
from posproof.report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Unpack

    from posproof.options import ArrayLike, Judged, Positions
    from posproof.report import Part

# Options that hold of each call, and not of the recorder.
OF_A_CALL = ("layer", "positions")


class Recorder:
    """Rotations of an engine's layers, as attention takes them, judged one by one against the convention of each layer."""

    def __init__(self, options: dict[str, Any]) -> None:
        if wrong := [key for key in OF_A_CALL if options.get(key) is not None]:
            raise InvalidInput(f"{wrong[0]}: expected it of each call of the recorder; found it of the recorder")
        self._options = options
        kinds = [] if options.get("config") is None else _posproof.layer_kinds(options["config"], options.get("part"))
        self._rotates = {layer: rotates for _, layers, rotates, _ in kinds for layer in layers}
        self._found: list[Part] = []
        self._seen: set[int] = set()

    @public
    def __call__(self, name: str, x: ArrayLike, y: ArrayLike, *, positions: Positions, layer: int | None = None) -> None:
        """Judges vectors [..., positions, dim] that stand at these positions: `x` before their rotation, and `y` as attention takes
        them. `name` says which they are, such as "query". Arrays may be reused afterwards."""
        width = getattr(y, "shape", (None,))[-1]
        if not isinstance(width, int):
            raise InvalidInput(f"y: expected an array [..., positions, dim]; found {type(y).__name__}")
        options = {**self._options, "positions": positions}
        whole = name if layer is None else f"layer {layer}, {name}"
        if layer is not None:
            self._seen.add(layer)
            if self._rotates and layer not in self._rotates:
                raise InvalidInput(f"layer: expected one of the {len(self._rotates)} of the configuration; found {layer}")
        if layer is not None and self._rotates.get(layer) is False:
            options, whole = still(options, width), f"{whole}, not to be rotated"
        else:
            options["layer"] = layer
            if self._options.get("axes") is None and self._options.get("sections") is None:
                options = narrowed(options, width)
        self._found += parts("assert_rope", whole, {"x": x, "y": y}, options)

    @property
    def missing(self) -> list[int]:
        """The layers that are to rotate, by the configuration, and were not recorded."""
        return sorted({layer for layer, rotates in self._rotates.items() if rotates} - self._seen)

    @public
    def report(self) -> Report:
        """The judgement of what was recorded. A layer that is to rotate and was not recorded is an `InvalidInput`."""
        if not self._found:
            raise InvalidInput("expected calls of the recorder; found none: nothing was judged")
        if self.missing:
            listed = ", ".join(map(str, self.missing[:8]))
            raise InvalidInput(f"layers {listed}: expected a rotation, by the configuration; found none recorded")
        return told(Report(self._found))


@public
def recorder(**options: Unpack[Judged]) -> Recorder:
    """A function by which a program of any library hands over what it rotates: `record("query", x, y, positions=…, layer=0)`.

    The encoding is that of a `config`, layer by layer, or of options. Each call is judged at once, and `record.report()` is
    the judgement of all.
    """
    return Recorder(dict(options))
