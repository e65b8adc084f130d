"""Faults of the score sheet of models, on a small model: each is noticed, named and placed."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

REASON = "NOT TESTED: the sheet of models, because {} is not installed (sh scripts/setup --torch)"
torch = pytest.importorskip("torch", reason=REASON.format("PyTorch"))
transformers = pytest.importorskip("transformers", reason=REASON.format("transformers"))

pytestmark = pytest.mark.filterwarnings("default")
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The modules of the sheet, which no other test is to import by their names."""
    for folder in ("models", "atlas"):
        monkeypatch.syspath_prepend(str(SCRIPTS / folder))
    names = ("changes", "faults", "modules", "sheet", "tiny")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    found = {name: importlib.import_module(name) for name in names}
    for name in names:
        monkeypatch.delitem(sys.modules, name)
    return found


@pytest.mark.parametrize("family", ["cohere_compass", "dbrx", "deepseek_ocr2", "emu3"])
def test_families_that_need_a_choice_are_built(family: str, scripts: dict[str, Any]) -> None:
    module = importlib.import_module(f"transformers.models.{family}.modeling_{family}")
    [(config, models)] = [found for found in scripts["modules"].configurations(module) if found[0].model_type == family]
    model, hindered, _ = scripts["tiny"].model(config, models)
    assert hindered is None and scripts["tiny"].rotating(model)


def test_a_family_that_is_not_built_is_told_why(scripts: dict[str, Any]) -> None:
    told = scripts["tiny"].unmade
    assert told(ImportError("\nM requires the timm library but it was not found.")) == (
        "its model needs the package timm: install it, and measure the family again"
    )
    assert told(KeyError("full_attention")).startswith("no sizes that were tried make a small model: build one")


def test_faults_are_noticed_named_and_placed(scripts: dict[str, Any]) -> None:
    faults, modules, sheet = (scripts[name] for name in ("faults", "modules", "sheet"))
    [(config, models)] = modules.configurations(importlib.import_module("transformers.models.llama.modeling_llama"))
    model, found = sheet.honest(config, models)
    assert found["result"] == "accepted", found
    kept: dict[str, Any] = {}
    results = {fault: sheet.faulty(model, fault, found["inputs"], kept) for fault in faults.FAULTS}
    # A model of one axis has no sections.
    assert [fault for fault, one in results.items() if "without" in one] == ["sections reversed"]
    keys = ("noticed", "named", "placed")
    assert {fault: one for fault, one in results.items() if "without" not in one and not all(one[key] for key in keys)} == {}
    # Afterwards the model is as before.
    assert sheet.judged(model, found["inputs"])["result"] == "accepted"
