"""Pictures of a judgement."""

from __future__ import annotations

from math import isfinite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

ERROR, BOUND = "#b35900", "#0b6bcb"


class Picture:
    """A page's pictures as HTML with SVG. A notebook shows them."""

    def __init__(self, html: str) -> None:
        self.html = html
        """The pictures, to be put into a page."""

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return f"<posproof.Picture of {len(self.html)} characters>"


def drawn(data: dict[str, Any], html: str) -> Any:
    """A figure of matplotlib with the numbers of `Report.plot_data()`; without matplotlib, or without numbers, a `Picture`."""
    panels = [name for name in ("rows", "pairs") if any(map(_shown, data[name]["error"]))]
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return Picture(html)
    if not panels:
        return Picture(html)
    figure = Figure(figsize=(5 * len(panels), 3.6), layout="constrained")
    for name, axes in zip(panels, figure.subplots(1, len(panels), squeeze=False)[0], strict=True):
        columns = data[name]
        along = "pair" if name == "pairs" else "position" if _increase(columns["position"]) else "row"
        axes.plot(*_points(columns[along], columns["error"]), ".", color=ERROR, label="error")
        if name == "rows":
            axes.plot(*_points(columns[along], columns["bound"]), "-", color=BOUND, label="bound")
        else:
            axes.plot(*_points(columns[along], columns["share"]), "x", color=BOUND, label="error ÷ bound")
        axes.set(xlabel=along, yscale="log")
        axes.legend(frameon=False)
    figure.suptitle(f"errors {'of ' + data['of'] if data['of'] else 'and bounds'}")
    return figure


def _increase(positions: Sequence[Any]) -> bool:
    """True for positions along one axis that increase; rows at others have places of their own."""
    if not all(isinstance(position, int | float) for position in positions):
        return False
    return all(one < next for one, next in zip(positions, positions[1:]))


def _shown(number: float) -> bool:
    """True for what a logarithmic axis can show."""
    return isfinite(number) and number > 0


def _points(along: Sequence[float], numbers: Sequence[float]) -> tuple[list[float], list[float]]:
    """Points in the order of the axis, without those that it can't show."""
    points = sorted((at, number) for at, number in zip(along, numbers, strict=True) if _shown(number))
    return [at for at, _ in points], [number for _, number in points]
