"""The decoder: by which position each row was rotated."""

from typing import Any

import numpy as np
import posproof
import pytest

from conftest import angles
from test_schemas import validate


def rotated(offset: int, rows: int = 40) -> tuple[np.ndarray, np.ndarray]:
    x = np.asarray(posproof._posproof.probe_vectors(rows, 64, "float32"))
    theta = np.outer(offset + np.arange(rows), 10_000.0 ** -(np.arange(32) / 32))
    first, second = np.split(x.astype(float), 2, axis=-1)
    y = np.concatenate([first * np.cos(theta) - second * np.sin(theta), second * np.cos(theta) + first * np.sin(theta)], -1)
    return x, y.astype(np.float32)


def test_a_rotation() -> None:
    found = posproof.positions(*rotated(4000), dim=64, layout="halves")
    assert found.certified and found.conforms
    assert np.asarray(found.positions).tolist() == [list(range(4000, 4040))]
    assert np.asarray(found.positions).dtype == np.int64
    assert found.patterns[0]["pattern"] == "contiguous" and found.patterns[0]["offset"] == 4000
    assert found.counts["certified"] == 40 and found.open == []
    assert "4000" in str(found)
    validate(found.to_dict())


def test_caches_and_tables() -> None:
    cos, sin = (part[100:] for part in (np.cos(angles(300, 64)), np.sin(angles(300, 64))))
    table = np.stack([sin, cos], axis=-1).reshape(200, 64)
    for arrays in (dict(cos=cos, sin=sin), dict(freqs_cis=cos + 1j * sin), dict(table=table)):
        found = posproof.positions(**arrays, dim=64)  # type: ignore[arg-type]
        assert found.positions.tolist() == [list(range(100, 300))]


def test_rows_that_are_open() -> None:
    x, y = rotated(10)
    y[3], x[3] = 0.0, 0.0
    y[5, 2] = np.nan
    found = posproof.positions(x, y, dim=64, layout="halves")
    assert not found.certified and not found.conforms
    [row] = found.positions.tolist()
    assert np.isnan(row[3]) and np.isnan(row[5]) and row[4] == 14.0
    assert [one["row"] for one in found.open] == [3, 5]


@pytest.mark.parametrize("expected", [range(10, 50), list(range(10, 50)), np.arange(10, 50)])
def test_expected(expected: Any) -> None:
    assert posproof.positions(*rotated(10), dim=64, layout="halves", expected=expected).conforms
    assert not posproof.positions(*rotated(11), dim=64, layout="halves", expected=expected).conforms


def test_domains() -> None:
    for domain in (range(-8, 64), "-8..64"):
        found = posproof.positions(*rotated(-4), dim=64, layout="halves", domain=domain)
        assert found.positions.tolist() == [list(range(-4, 36))]
    assert not posproof.positions(*rotated(100), dim=64, layout="halves", domain=range(64)).conforms


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (dict(positions=range(40)), "positions: they are what is looked for"),
        (dict(domain=range(0, 9, 2)), "domain: expected range"),
        (dict(domain=range(0)), "domain"),
        (dict(domain=7), "domain: expected range"),
        (dict(domain="a..b"), "domain"),
        (dict(expected=[0.5] * 40), "expected, entry 0"),
        (dict(expected=np.full(40, 0.5)), "expected, entry 0"),
        (dict(expected=range(9)), "expected"),
        (dict(dim=None), "no dimension"),
    ],
)
def test_what_cannot_be_decoded(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(posproof.InvalidInput, match=expected):
        posproof.positions(*rotated(0), **({"dim": 64, "layout": "halves"} | options))


def test_arrays_that_show_no_position() -> None:
    cos, sin = np.cos(angles(9, 64)), np.sin(angles(9, 64))
    with pytest.raises(posproof.InvalidInput, match="sin"):
        posproof.positions(cos=cos, dim=64)
    with pytest.raises(posproof.InvalidInput, match="nothing"):
        posproof.positions(dim=64)
    with pytest.raises(posproof.InvalidInput):
        posproof.positions(cos, dim=64)
    with pytest.raises(TypeError, match="duplication"):
        posproof.positions(cos=cos, sin=sin, dim=64, duplication="none")  # type: ignore[call-arg]
