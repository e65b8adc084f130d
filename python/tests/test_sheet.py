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


def test_faults_are_noticed_named_and_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("models", "atlas"):
        monkeypatch.syspath_prepend(str(SCRIPTS / folder))
    names = ("changes", "faults", "modules", "sheet", "tiny")
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    _, faults, modules, sheet, _ = (importlib.import_module(name) for name in names)
    for name in names:
        monkeypatch.delitem(sys.modules, name)
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
