"""Rotations that a program hands over while it runs."""

from typing import Any

import numpy as np
import posproof
import pytest

from conftest import angles

SMOL = dict(
    model_type="smollm3",
    hidden_size=64,
    num_attention_heads=2,
    num_hidden_layers=4,
    no_rope_layers=[1, 1, 1, 0],
    rope_theta=10_000.0,
)


def turned(x: Any, positions: list[int], base: float = 10_000.0) -> Any:
    """Vectors [heads, positions, 32], of which halves are rotated."""
    half = x.shape[-1] // 2
    angle = angles(max(positions) + 1, x.shape[-1], base)[positions]
    cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    first, second = x[..., :half], x[..., half:]
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], -1)


def vectors(rows: int) -> Any:
    return np.random.default_rng(3).standard_normal((2, rows, 32)).astype(np.float32)


def run(record: Any, wrong: int | None = None, still: int = 3) -> None:
    """An engine with four layers, which packs two sequences; in a wrong one keys stand one position ahead."""
    positions = [*range(40), *range(9)]
    x = vectors(len(positions))
    for layer in range(4):
        for name in ("query", "key"):
            at = [one + (layer == wrong and name == "key") for one in positions]
            record(name, x, x if layer == still else turned(x, at), positions=positions, layer=layer)


def test_layers_are_judged_by_their_configuration() -> None:
    record = posproof.recorder(config=SMOL)
    run(record)
    report = record.report()
    layers = {f"layer {layer}, {name}" for layer in range(3) for name in ("query", "key")}
    assert report.conforms and layers | {"layer 3, key, not to be rotated"} <= set(report.judged)


def test_a_wrong_layer_is_placed() -> None:
    record = posproof.recorder(config=SMOL)
    run(record, wrong=1)
    reports = record.report().to_dict()["reports"]
    wrong = {one["of"]: [found["code"] for found in one["findings"]] for one in reports if not one["conforms"]}
    assert set(wrong) and all(name.startswith("layer 1, key") for name in wrong), wrong
    assert {code for codes in wrong.values() for code in codes} <= {"position-offset", "row-shift"}


def test_a_layer_that_rotates_and_is_not_to_is_found() -> None:
    record = posproof.recorder(config=SMOL)
    run(record, still=-1)
    reports = record.report().to_dict()["reports"]
    assert all(one["conforms"] == (not one["of"].startswith("layer 3")) for one in reports)


def test_what_was_not_recorded_is_said() -> None:
    record = posproof.recorder(config=SMOL)
    with pytest.raises(posproof.InvalidInput, match="nothing was judged"):
        record.report()
    x = vectors(5)
    record("query", x, turned(x, list(range(5))), positions=range(5), layer=0)
    assert record.missing == [1, 2]
    with pytest.raises(posproof.InvalidInput, match="layers 1, 2: expected a rotation"):
        record.report()
    with pytest.raises(posproof.InvalidInput, match="layer: expected one of the 4"):
        record("query", x, x, positions=range(5), layer=4)
    with pytest.raises(posproof.InvalidInput, match="positions: expected it of each call"):
        posproof.recorder(config=SMOL, positions=range(5))


def test_options_state_the_encoding() -> None:
    x = vectors(300)
    record = posproof.recorder(dim=32, base=10_000, layout="halves")
    record("key", x, turned(x, list(range(300)), 500_000.0), positions=range(300))
    [finding] = record.report().findings
    assert finding.code == "other-base"
