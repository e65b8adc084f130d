"""Configurations as older versions of transformers read them."""

import sys
import types

from typing import Any

import pytest

from posproof import versions

YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}


class Config:
    def __init__(self, **values: Any) -> None:
        self._values = values

    def to_dict(self) -> dict[str, Any]:
        return dict(self._values)


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts a version of transformers in place of the one that was imported, if any."""

    def put(version: str) -> None:
        monkeypatch.setitem(sys.modules, "transformers", types.SimpleNamespace(__version__=version))  # type: ignore[arg-type]

    return put


@pytest.mark.parametrize(("version", "reads"), [("4.46.3", False), ("4.50.0", False), ("4.51.0", True), ("5.23.0", True)])
def test_the_length_before_yarn_is_read_from_one_version_on(running: Any, version: str, reads: bool) -> None:
    running(version)
    config = Config(model_type="llama", text_config={"rope_scaling": YARN}, rope_scaling=YARN)
    read, notes = versions.as_read(config)
    if reads:
        assert read is config and notes == []
        return
    for part in (read, read["text_config"]):
        assert part["rope_scaling"] == {"rope_type": "yarn", "factor": 4.0}
    assert len(notes) == 1 and "original_max_position_embeddings of yarn, 64" in notes[0] and version[:4] in notes[0]
    assert YARN["original_max_position_embeddings"] == 64, "the model's own stays"


def test_one_base_of_both_types_of_layers(running: Any) -> None:
    running("4.57.1")
    read, notes = versions.as_read(Config(model_type="olmo3", rope_theta=70_000.0, rope_scaling=YARN))
    of = read["rope_parameters"]
    assert of["sliding_attention"] == {"rope_type": "default", "rope_theta": 70_000.0}
    assert of["full_attention"] == {**YARN, "rope_theta": 70_000.0}
    assert "rope_theta" not in read and "rope_scaling" not in read and len(notes) == 1
    running("5.23.0")
    config = Config(model_type="olmo3", rope_theta=70_000.0)
    assert versions.as_read(config) == (config, [])


def test_what_is_no_configuration_of_transformers_stays(running: Any) -> None:
    running("4.46.3")
    plain = {"rope_scaling": YARN}
    assert versions.as_read(plain) == (plain, [])
    assert versions.as_read(None) == (None, [])
    running("unknown")
    config = Config(rope_scaling=YARN)
    assert versions.as_read(config) == (config, [])
