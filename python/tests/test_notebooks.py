"""Pictures, the words of a report as types, and tracebacks of wrong use."""

import json
import sys
import traceback
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from posproof import vocabulary

import posproof

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas/posproof.check-1.json").read_text(encoding="utf-8"))
ANGLES = np.outer(np.arange(64.0), 10000.0 ** -(np.arange(8) / 8))
COS, SIN = np.cos(ANGLES), np.sin(ANGLES)


def test_words_are_those_of_the_schema() -> None:
    finding = SCHEMA["$defs"]["finding"]["properties"]
    assert list(get_args(vocabulary.Grade)) == SCHEMA["properties"]["grade"]["enum"]
    assert list(get_args(vocabulary.Code)) == finding["code"]["enum"]
    assert list(get_args(vocabulary.Status)) == finding["status"]["enum"]
    identify = json.loads((Path(__file__).parents[2] / "schemas/posproof.identify-1.json").read_text(encoding="utf-8"))
    assert list(get_args(vocabulary.Confidence)) == identify["properties"]["confidence"]["enum"]


def test_every_answer_shows_itself_in_a_notebook() -> None:
    report = posproof.check_rope(COS, SIN, dim=16, base=500000)
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
    shown = [
        report,
        posproof.identify(cos=COS, sin=SIN),
        posproof.positions(cos=COS, sin=SIN, dim=16),
        posproof.lint(config),
        posproof.tolerance(dim=16, positions=range(4)),
    ]
    for one in shown:
        assert one._repr_html_().startswith("<"), one
    assert "other-base" in report._repr_html_() and "derived:" in shown[-1]._repr_html_()


def test_a_figure_of_matplotlib_has_the_numbers() -> None:
    pytest.importorskip("matplotlib")
    report = posproof.check_rope(COS, SIN, dim=16, base=500000)
    figure = report.plot()
    by_position, by_pair = figure.get_axes()
    lines = {line.get_label(): line for line in by_position.get_lines()}
    rows = report.plot_data()["rows"]
    above = [bound for bound in rows["bound"] if bound > 0]
    assert sorted(lines["bound"].get_ydata()) == sorted(above)
    assert max(lines["error"].get_ydata()) == max(rows["error"])
    assert by_pair.get_xlabel() == "pair"
    figure.canvas.draw()


def test_without_matplotlib_pictures_are_svg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    picture = posproof.check_rope(COS, SIN, dim=16).plot()
    assert isinstance(picture, posproof.Picture) and "<svg" in picture._repr_html_()


@pytest.mark.parametrize("options", [{"dim": 7}, {"dmi": 16}, {}])
def test_wrong_use_shows_nothing_of_the_package(options: dict[str, int]) -> None:
    with pytest.raises((posproof.InvalidInput, TypeError)) as caught:
        posproof.check_rope(COS, SIN, **options)
    frames = traceback.extract_tb(caught.value.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).parent.name == "posproof"]
    assert [Path(frame.filename).name for frame in inside] == ["boundary.py"], frames


def test_a_mistake_of_the_callers_function_keeps_its_traceback() -> None:
    def wrong(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        raise TypeError("mine")

    with pytest.raises(Exception) as caught:
        posproof.assert_rope(wrong, dim=16, positions=range(8))
    told = "".join(traceback.format_exception(caught.value))
    assert "mine" in told and "in wrong" in told
