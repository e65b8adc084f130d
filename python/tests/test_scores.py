"""The score sheet's pages are what its data say."""

import copy
import importlib
import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import posproof
import pytest

from conftest import angles

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts" / "scores"
MODULES = ("cases", "rust_program", "measure", "page", "written")


@pytest.fixture(name="scripts")
def _scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, ModuleType]]:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    # Neither is asked of NumPy, and the tests after these have an environment of their own.
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    yield {name: importlib.import_module(name) for name in MODULES}
    for name in MODULES:
        sys.modules.pop(name)


@pytest.fixture(name="page")
def _page(scripts: dict[str, ModuleType]) -> ModuleType:
    return scripts["page"]


@pytest.fixture(name="sheet")
def _sheet(scripts: dict[str, ModuleType]) -> dict[str, Any]:
    """A sheet of NumPy in two versions, of which the second has another base."""
    cos, sin = np.cos(angles(300, 64)), np.sin(angles(300, 64))

    def cell(version: str, base: int, rows: int) -> dict[str, Any]:
        report = posproof.check_rope(cos[:rows], sin[:rows], dim=64, base=base)
        made: dict[str, Any] = scripts["measure"].cell("numpy", version, "outer", "float32", rows, report.to_dict())
        return made

    cells = [cell("1", 10_000, 300), cell("1", 10_000, 200), cell("2", 500_000, 300), cell("2", 10_000, 200)]
    return {"cells": cells}


def test_cells(sheet: dict[str, Any]) -> None:
    right, _, wrong, _ = sheet["cells"]
    assert right["conforms"] and right["ratio"] <= 1 and right["findings"] == []
    assert not wrong["conforms"] and wrong["ratio"] > 1
    assert [finding["code"] for finding in wrong["findings"]] == ["other-base"]
    assert right["convention"] == "rope, dim 64, base 10000, interleaved"


def test_cases_are_measured(scripts: dict[str, ModuleType], capsys: pytest.CaptureFixture[str]) -> None:
    """A case that raises says so, and stops no other; one of what is not installed is left out."""
    cases, measure = scripts["cases"], scripts["measure"]
    numbers = cases.numbers(300).astype(float)
    theta = angles(300, 64).astype(float)
    first, second = numbers[:, 0::2], numbers[:, 1::2]
    turned = [first * np.cos(theta) - second * np.sin(theta), second * np.cos(theta) + first * np.sin(theta)]
    rotated = np.stack(turned, axis=-1).reshape(300, 64).astype(np.float32)

    def broken(rows: int, dtype: str) -> None:
        raise ValueError("no such thing")

    made = cases.rotation(cases.numbers(300), rotated)
    cases.CASES[:] = [
        cases.Case("numpy", "broken", broken, lengths=(300,)),
        cases.Case("posproof-no-such-library", "absent", broken),
        cases.Case("numpy", "turned", lambda rows, dtype: made, lengths=(300,)),
    ]
    measure.known = lambda: cases.CASES
    [cell] = measure.measured()
    assert cell["conforms"] and (cell["library"], cell["case"], cell["length"]) == ("numpy", "turned", 300)
    assert cell["version"] == np.__version__
    told = capsys.readouterr().err
    assert "numpy: broken, float32, 300: could not be run: ValueError('no such thing')" in told
    assert "posproof-no-such-library: not installed" in told


def test_one_module_of_a_package(scripts: dict[str, ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package itself cannot be imported; what its module imports beside the encoding is a placeholder, and only for it."""
    package = tmp_path / "posproof_broken"
    (package / "layers").mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError")
    (package / "layers" / "rope.py").write_text("from posproof_broken.logs import log\nfrom .masks import mask\nlog(mask)\nBASE = 10000.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    beside = ("posproof_broken", "posproof_broken.layers", "posproof_broken.logs", "posproof_broken.layers.masks")
    assert scripts["cases"].alone("posproof_broken", "layers/rope.py", beside).BASE == 10000.0
    assert not [name for name in sys.modules if name.startswith("posproof_broken")]
    with pytest.raises(ImportError):
        scripts["cases"].alone("posproof_broken", "layers/rope.py", ("posproof_broken.logs",))


def test_what_is_measured_again(scripts: dict[str, ModuleType], sheet: dict[str, Any]) -> None:
    """It takes the place of all cells of that library in that version, also of those that there are no more."""
    merged, cells = scripts["measure"].merged, sheet["cells"]
    assert merged(cells, []) == merged([], cells) == sorted(cells, key=scripts["measure"].key)
    again = [cell | {"grade": "wrong"} for cell in cells if cell["version"] == "2" and cell["length"] == 300]
    after = merged(cells, again)
    assert [cell for cell in after if cell["version"] == "2"] == again
    assert len(after) == len([cell for cell in cells if cell["version"] == "1"]) + 1


def test_every_cell_is_on_both_pages(page: ModuleType, sheet: dict[str, Any]) -> None:
    for made in (page.markdown(sheet), page.html(sheet)):
        assert len(re.findall(r"scripts/scores --only", made)) == len(sheet["cells"])
    for change in ({"grade": "wrong", "conforms": False}, {"ratio": 12345.0}, {"version": "99.1"}, {"dtype": "float99"}):
        other = copy.deepcopy(sheet)
        other["cells"][0] |= change
        assert page.markdown(other) != page.markdown(sheet)
        assert page.html(other) != page.html(sheet)


def test_versions_that_differ_are_shown(page: ModuleType, sheet: dict[str, Any]) -> None:
    [row] = page.versions(sheet["cells"])[1]
    assert row[:4] == ("numpy", "outer", "float32", "300")
    assert "1: within-bound" in row[4] and "2: other-convention" in row[4]
    assert page.versions(sheet["cells"][:2])[1] == []
    assert "several versions: numpy" in page.between(sheet)


def test_pages_are_current(page: ModuleType) -> None:
    if not page.SCORES.exists():
        pytest.skip("NOT TESTED: docs/scores.json has not been measured (sh scripts/scores/run)")
    kept = json.loads(page.SCORES.read_text(encoding="utf-8"))
    for name, made in (("scores.md", page.markdown(kept)), ("scores.html", page.html(kept))):
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == made, "python3 scripts/scores --pages writes it anew"
    for cell in kept["cells"]:
        assert cell["conforms"] == (cell["grade"] in ("correctly-rounded", "faithful", "within-bound"))
        assert not cell["conforms"] or cell["ratio"] <= 1


class Closed(HTMLParser):
    """Whether what is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed(page: ModuleType, sheet: dict[str, Any]) -> None:
    sheet["cells"][0]["case"] = "<script>alert(1)</script>"
    made = page.html(sheet)
    assert "<script" not in made
    parser = Closed()
    parser.feed(made)
    assert parser.open == []
