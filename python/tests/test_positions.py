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


def batch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions [3, 40] of a batch that is padded on the left, and the cosines and sines at them."""
    ids = np.maximum(np.arange(40) - np.array([[0], [7], [-100]]), 0)
    theta = ids[..., None] * 10_000.0 ** -(np.arange(32) / 32)
    return ids, np.cos(theta), np.sin(theta)


def test_sequences_of_a_batch() -> None:
    ids, cos, sin = batch()
    for positions in (ids, ids.tolist(), ids.astype(float), [range(40), ids[1].tolist(), range(100, 140)]):
        report = posproof.check_rope(cos, sin, dim=64, positions=positions, compute="float64")
        assert report.conforms, report
        assert "row 40·s + i is row i of sequence s" in str(report)
        assert posproof.identify(cos=cos, sin=sin, positions=positions).confidence == "established"
    [finding] = posproof.check_rope(cos, sin, dim=64, positions=ids[[1, 0, 2]]).findings
    assert finding.code == "positions" and "sequence 0 is at the positions of sequence 1" in str(finding)
    assert posproof.positions(cos=cos, sin=sin, dim=64, expected=ids).conforms
    assert not posproof.positions(cos=cos, sin=sin, dim=64, expected=ids + 1).conforms
    # Where all sequences have the same, tables do.
    again = np.broadcast_to(cos[:1], cos.shape), np.broadcast_to(sin[:1], sin.shape)
    assert posproof.check_rope(*again, dim=64, positions=np.broadcast_to(ids[:1], ids.shape)).conforms
    with pytest.raises(posproof.InvalidInput, match="positions, sequence 1: expected 3 positions, as in sequence 0; found 2"):
        posproof.check_rope(cos, sin, dim=64, positions=[[0, 1, 2], [0, 1]])
    with pytest.raises(posproof.InvalidInput, match="a first axis of 2 sequences, as the positions have; found 3 places"):
        posproof.check_rope(cos, sin, dim=64, positions=ids[:2])
    # A function of coordinates is called with those of all sequences.
    axes: dict[str, Any] = {"dim": 64, "axes": ["h:0..16", "w:16..32"]}
    own = 10_000.0 ** -(np.arange(16) / 16)

    def angles(grid: np.ndarray) -> np.ndarray:
        return np.concatenate([grid[..., :1] * own, grid[..., 1:] * own], axis=-1)

    for first in (False, True):
        rows = np.stack([ids, 2 * ids], 0 if first else -1)

        def cache(grid: np.ndarray, first: bool = first) -> tuple[np.ndarray, np.ndarray]:
            theta = angles(np.moveaxis(grid, 0, -1) if first else grid)
            return np.cos(theta), np.sin(theta)

        last = "first" if first else "last"
        assert posproof.assert_rope(cache, positions=rows, positions_axes=last, **axes).conforms
    with pytest.raises(posproof.InvalidInput, match=r"\[rows, axes\], or as many rows of each of several sequences"):
        posproof.assert_rope(cache, positions=np.zeros((2, 2, 2, 2)), **axes)


def grid() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions [60, 2] of a grid in steps of a half, and the cosines and sines at them."""
    ids = np.indices((6, 10)).reshape(2, -1).T / 2 + [0, 3]
    bands = 10_000.0 ** -(np.arange(16) / 16)
    theta = np.concatenate([np.outer(ids[:, 0], bands), np.outer(ids[:, 1], bands)], axis=-1)
    return ids, np.cos(theta), np.sin(theta)


def test_axes_and_fractions() -> None:
    ids, cos, sin = grid()
    axes = {"dim": 64, "axes": ["h:0..16", "w:16..32"]}
    found = posproof.positions(cos=cos, sin=sin, **axes, step="1/2", expected=ids, domain={"h": range(64), "w": "0..32"})
    assert found.certified and found.conforms
    assert np.array_equal(np.asarray(found.positions), ids[None]) and np.asarray(found.positions).dtype == np.float64
    assert [axis["name"] for axis in found.axes] == ["h", "w"] and found.counts["certified"] == 120
    assert repr(found) == "<posproof.Decoded 1×60×2 certified>"
    for version in (1, 2):
        validate(found.to_dict(version))
    first = posproof.positions(cos=cos, sin=sin, **axes, step=0.5, expected=ids.T, positions_axes="first")
    assert first.conforms
    assert not posproof.positions(cos=cos, sin=sin, **axes, step="1/2", expected=ids + 0.5).conforms
    # Whole coordinates are integers, and fractions along one axis numbers.
    whole = posproof.positions(cos=cos[::2], sin=sin[::2], dim=64, convention=None, axes=axes["axes"], domain=range(64), step="1/2")
    assert np.asarray(whole.positions).shape == (1, 30, 2)
    turns = ids[:10, 1:] * [1.0, 0.01]
    one = posproof.positions(cos=np.cos(turns), sin=np.sin(turns), dim=4, step="1/2", domain=range(64))
    assert np.asarray(one.positions)[0, :, 0].tolist() == ids[:10, 1].tolist()


def test_axes_are_identified() -> None:
    ids, cos, sin = grid()
    found = posproof.identify(cos=cos, sin=sin, axes=["h", "w"], positions=ids)
    assert found.confidence == "established" and "established" in str(found)
    [options] = found.options
    assert posproof.check_rope(cos, sin, **options, positions=ids).conforms
    assert posproof.identify(cos=cos, sin=sin, axes=["h", "w"], positions=ids.T, positions_axes="first").convention == found.convention
    groups = posproof.identify(cos=cos, sin=sin, axes=["h", "w"])
    assert groups.confidence == "ambiguous" and groups.options == [] and groups.convention is None
    assert "2 groups of slots that turn in proportion" in str(groups)
    for answer in (found, groups):
        for version in (1, 2):
            validate(answer.to_dict(version))
    falling = posproof.identify(cos=cos[:10, 16:][::-1], sin=sin[:10, 16:][::-1], positions=ids[:10, 1][::-1])
    assert falling.confidence == "established"
    with pytest.raises(posproof.InvalidInput, match="axes: expected a list of names; found int"):
        posproof.identify(cos=cos, sin=sin, axes=2)  # type: ignore[arg-type]
    wrong = {"a name of its own": dict(axes=["h", "h"], positions=ids), "expected axes beside it": dict(positions_axes="first")}
    for message, options in wrong.items():
        with pytest.raises(posproof.InvalidInput, match=message):
            posproof.identify(cos=cos, sin=sin, **options)
