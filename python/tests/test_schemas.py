"""The documents of the package are what the published schemas say."""

import json
import pickle
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import posproof
import pytest
from referencing import Registry, Resource

from conftest import angles

SCHEMAS = Path(__file__).parents[2] / "schemas"


def validate(document: dict[str, Any]) -> None:
    name = document["schema"].replace("/", "-") + ".json"
    contents = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.json")}
    registry = Registry().with_resources((name, Resource.from_contents(one)) for name, one in contents.items())
    jsonschema.Draft202012Validator(contents[name], registry=registry).validate(document)


THETA = angles(300, 64)


def test_documents() -> None:
    for version in (1, 2):
        for base in (10_000, 500_000):
            validate(posproof.check_rope(np.cos(THETA), np.sin(THETA), dim=64, base=base).to_dict(version))
            packed = posproof.check_rope(np.cos(THETA), dim=64, base=base, positions=[*range(100), *range(200)])
            assert packed.to_dict(version)["schema"] == ("posproof.check-axes/1" if version == 1 else "posproof.check/2")
            validate(packed.to_dict(version))
            with pytest.raises(posproof.NotConforming) as caught:
                posproof.assert_rope(lambda q, k, positions: (q, k), dim=64, base=base, positions=range(9))
            several = caught.value.report.to_dict(version)
            assert several["schema"] == f"posproof.checks/{version}"
            validate(several)
        found = posproof.identify(cos=np.cos(THETA))
        decoded = posproof.positions(cos=np.cos(THETA), sin=np.sin(THETA), dim=64)
        for kind, answer in (("identify", found), ("positions", decoded)):
            validate(answer.to_dict(version))
            assert answer.to_dict(version)["schema"] == f"posproof.{kind}/{version}"
            assert pickle.loads(pickle.dumps(answer)).to_dict(version) == answer.to_dict(version)
    validate(posproof.bound("rope", dim=64, positions=range(300), pairs=[3], worst=True, error=1e-6))
    for version in (1, 2):
        for positions in (range(30), [-1, 0.5], np.arange(8).reshape(2, 4)):
            validate(posproof.tolerance(dim=64, positions=positions).to_dict(version))
    validate(posproof.bound("score", dim=64, positions=range(300)))
    grid = [[row, 2 * row] for row in range(300)]
    axial = posproof.check_rope(np.cos(THETA), dim=64, axes=["h:0..16", "w:16..32"], positions=grid)
    for version in (1, 2):
        validate(axial.to_dict(version))
    assert axial.to_dict(2)["axes"] == ["h", "w"] and axial.to_dict(2)["schema"] == "posproof.check/2"
    with pytest.raises(ValueError, match="expected 1 or 2"):
        axial.to_dict(3)  # type: ignore[arg-type]
    whole = {
        "schema": "posproof.lint/1",
        "conforms": True,
        "files": [posproof.lint({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2}).to_dict()],
    }
    validate(whole)


def test_the_validator_refuses() -> None:
    document = posproof.check_rope(np.cos(THETA), dim=64).to_dict()
    for wrong in (document | {"grade": "good"}, {key: document[key] for key in document if key != "entries"}):
        with pytest.raises(jsonschema.ValidationError):
            validate(wrong)
    with pytest.raises(jsonschema.ValidationError):
        validate({"schema": "posproof.checks/1", "grade": "wrong", "conforms": False, "reports": [document]})
