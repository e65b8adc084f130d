"""Rows of every kind, in tables, tolerances and bounds: they may fall, be negative or fractional, and be those of sequences."""

import copy
import json
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import posproof
import pytest

GRID = np.indices((3, 5)).reshape(2, -1).T
IMAGE: dict[str, Any] = {"dim": 16, "axes": ["h:0..4", "w:4..8"], "positions": GRID}


def program(x: Any, pairs: int) -> Any:
    """Cosines of a program in binary32, with frequencies that are correctly rounded."""
    omega = (10000.0 ** -(np.arange(pairs) / pairs)).astype(np.float32)
    return np.cos(np.asarray(x, np.float32)[..., None] * omega)


@pytest.mark.parametrize("positions", [[5, 3, 1], [1, 1, 3], [-2, -1, 0], [0.5, 131071, -0.25], "7/2,-3"])
def test_every_answer_takes_them(positions: Sequence[float] | str) -> None:
    stated: dict[str, Any] = {"dim": 8, "positions": positions}
    numbers = [3.5, -3] if isinstance(positions, str) else positions
    cos, _ = posproof.rope_table(**stated, dtype="float64")
    tolerance = posproof.tolerance(**stated)
    assert cos.shape == tolerance.shape == (len(numbers), 4)
    assert (abs(program(numbers, 4) - np.asarray(cos)) <= tolerance).all()
    assert not (abs(program(np.multiply(numbers, 1.01), 4) - np.asarray(cos)) <= tolerance).all()
    document = posproof.bound("rope", **stated, worst=True)
    # No program that is correctly rounded is worse than its bound. Whole positions have that of their range.
    if all(number >= 0 and number == int(number) for number in numbers):
        assert len(document["cases"]) == 8 and all(case["worst"]["enumerated"] == "1,3,5"[: 2 * len(set(numbers)) - 1] for case in document["cases"])
        assert all(float(case["worst"]["error"]) <= float(case["instance"]) <= float(case["a_priori"]) for case in document["cases"])
        return
    assert document["rows"] == len(numbers) and len(document["cases"]) == 4
    for case in document["cases"]:
        assert all(extreme["error"] <= case["instance"]["bound"] <= case["a_priori"]["bound"] for extreme in case["worst"])


@pytest.mark.parametrize("ids", [[[0, 1, 2], [7, 8, 9]], [[0, 1, 2], [0, 1, 2]]])
def test_sequences_keep_their_axis(ids: list[list[int]]) -> None:
    flat = [position for sequence in ids for position in sequence]
    for positions in (ids, np.array(ids)):
        table, tolerance = posproof.sinusoid_table(dim=8, positions=positions), posproof.tolerance(dim=8, positions=positions)
        assert table.shape == (2, 3, 8) and tolerance.shape == (2, 3, 4)
        rows = np.asarray(posproof.sinusoid_table(dim=8, positions=flat))
        assert np.array_equal(np.asarray(table).reshape(6, 8), rows)
        assert np.allclose(np.asarray(tolerance).reshape(6, 4), posproof.tolerance(dim=8, positions=flat), rtol=1e-9, atol=0)
    # The arrays are the same ones after pickle and copies, and as lists.
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert again.shape == (2, 3, 8) and np.array_equal(np.asarray(again), np.asarray(table))
    assert table.tolist() == np.asarray(table, np.float64).ravel().tolist() and len(table) == 2
    assert repr(table) == "<posproof.Array 2×3×8 float32>"


def test_axes_have_tolerances_and_bounds() -> None:
    tolerance = posproof.tolerance(**IMAGE, dtype="bfloat16")
    document = tolerance.to_dict()
    assert document == tolerance.to_dict(2)
    assert document["schema"] == "posproof.tolerance/2" and document["axes"] == ["h", "w"]
    assert document["shape"] == [15, 8] and document["positions"][6] == ["1", "1"]
    assert [[float.fromhex(x) for x in row] for row in document["atol"]] == np.asarray(tolerance).tolist()
    header = tolerance.c_header("ATOL")
    assert "static const double ATOL_positions[15][2]" in header and "static const double ATOL[15][8]" in header
    assert "15 positions × 8 pairs" in tolerance._repr_html_()
    # What is within the tolerance of every entry conforms.
    cos, sin = posproof.rope_table(**IMAGE, dtype="bfloat16")
    assert posproof.check_rope(cos, sin, **IMAGE).conforms
    bounds = posproof.bound("rope", **IMAGE, pairs=[1, 5])
    assert [case["axes"] for case in bounds["cases"]] == [["h"], ["w"]]
    # As of a range, functions are within 1 ulp unless it is stated; less accurate ones cost more.
    assert posproof.bound("rope", **IMAGE, pairs=[1, 5], ulp=1) == bounds
    wide = posproof.bound("rope", **IMAGE, pairs=[1, 5], ulp=8)
    assert all(w["a_priori"]["bound"] > b["a_priori"]["bound"] for w, b in zip(wide["cases"], bounds["cases"], strict=True))
    rotated = posproof.bound("rotation", **IMAGE)
    assert rotated["subject"] == "rotation" and json.dumps(rotated)


# In whatever order, and however often: a bound is of positions.
@pytest.mark.parametrize(
    "positions",
    [range(3), [0, 1, 2], [[0, 1, 2]], np.arange(3)[None], np.arange(3.0), "0..3", [2, 1, 0], [0, 1, 2, 0, 1], [[2, 0], [1, 1]], [0, 2]],
)
def test_whole_positions_have_the_bounds_of_their_range(positions: Any) -> None:
    assert posproof.bound("rope", dim=8, positions=positions) == posproof.bound("rope", dim=8, positions=range(3))


def test_the_worst_case_is_that_of_the_positions_alone() -> None:
    def worst(positions: Any) -> list[dict[str, Any]]:
        document = posproof.bound("rope", dim=8, pairs=[1, 2], worst=True, positions=positions)
        return [case["worst"] for case in document["cases"]]

    first, last, both = worst(range(16)), worst(range(4080, 4096)), worst([*range(4080, 4096), *range(16)])
    assert [float(w["error"]) for w in both] == [max(float(a["error"]), float(b["error"])) for a, b in zip(first, last, strict=True)]
    assert all(w["enumerated"] == "0..16,4080..4096" for w in both) and all("enumerated" not in w for w in first)


@pytest.mark.parametrize(
    ("subject", "stated", "said"),
    [
        ("score", {"dim": 8, "positions": [3.5, 1]}, "score: expected with one axis and whole positions"),
        ("rope", {**IMAGE, "error": 1e-3}, "error: expected with one axis and whole positions"),
        ("rope", {**IMAGE, "pairs": [8]}, "pairs: expected slots below 8; found 8"),
        ("rope", {**IMAGE, "worst": True, "path": "pow"}, "worst: expected the path rounded"),
        ("rope", {"dim": 8, "positions": [1, float("nan")]}, "positions, row 1: expected a number"),
        ("rope", {"dim": 8, "positions": np.zeros((2, 3, 4))}, r"array of shape \[2, 3, 4\]; expected \[rows\] or \[sequences, rows\]"),
    ],
)
def test_what_has_no_bound_is_refused(subject: Any, stated: dict[str, Any], said: str) -> None:
    with pytest.raises(posproof.InvalidInput, match=said):
        posproof.bound(subject, **stated)


def test_a_recurrence_has_no_tolerance_there() -> None:
    with pytest.raises(posproof.InvalidInput, match="path: recurrence; expected another one"):
        posproof.tolerance(dim=8, positions=[0.5], path="recurrence")


@pytest.mark.parametrize("positions", [[-1, 2], [0.5, 1.5], "7/2,-3", np.array([-1, 4]), np.array([0.25, 8.0]), (5, 3, 1)])
def test_functions_are_called_at_them(positions: Any) -> None:
    kinds = []

    def cache(at: Any) -> Any:
        kinds.append(at.dtype.kind)
        omega = 10000.0 ** -(np.arange(4) / 4)
        return np.cos(at[:, None] * omega).astype(np.float32), np.sin(at[:, None] * omega).astype(np.float32)

    assert posproof.assert_rope(cache, dim=8, positions=positions).grade in ("correctly-rounded", "faithful")
    fractional = any(float(x) % 1 for x in np.ravel(3.5 if isinstance(positions, str) else positions))
    assert kinds == ["f" if fractional else "i"]
    with pytest.raises(AssertionError, match="position"):
        posproof.assert_rope(lambda at: cache(abs(at) + 1), dim=8, positions=positions)


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        (["a"], "row 0.*'a'; expected a decimal such as 2 or -0.5, a fraction such as 7/2"),
        ([1, None], "row 1: expected coordinates.*found None"),
        ([1 + 2j], "row 0: expected a number"),
        ([float("inf")], "row 0.*expected a decimal"),
        ([], "no positions: expected at least one"),
        ("abc", "positions 'abc': expected numbers and ranges"),
        ({}, "positions: expected an array"),
    ],
)
def test_what_is_no_position_is_told(positions: Any, said: str) -> None:
    """Whole numbers are not asked for where others are taken."""
    verbs = [posproof.rope_table, posproof.tolerance, lambda **options: posproof.bound("rope", **options)]
    calls = [*verbs, lambda **options: posproof.assert_rope(lambda _: pytest.fail("called"), **options)]
    for call in calls:
        with pytest.raises(posproof.InvalidInput, match=said):
            call(dim=8, positions=positions)


@pytest.mark.parametrize("positions", [["a"], "abc", [None], [float("nan")], [float("inf")], {}])
def test_functions_are_not_called_at_what_is_no_position(positions: Any) -> None:
    with pytest.raises(posproof.InvalidInput, match="position"):
        posproof.assert_rope(lambda _: pytest.fail("called"), dim=8, positions=positions)


@pytest.mark.parametrize(
    ("subject", "options", "expected"),
    [
        ("rope", dict(pairs=[64]), "pairs"),
        ("rope", dict(error=0.0), "error: expected a number > 0"),
        ("rope", dict(component="tan"), "component: expected sin or cos"),
        ("score", dict(positions=[1, 7.5]), "score: expected with one axis and whole positions"),
        ("score", dict(pairs=[1]), "pairs: expected no such question of a score"),
        ("rotation", dict(worst=True), "worst: expected no such question of a rotation"),
        ("rope", dict(rotation="fused"), "rotation: expected with the subject rotation or score only; found 'rope'"),
        ("rotation", dict(accumulate="float32"), "accumulate: expected with the subject score only; found 'rotation'"),
        ("score", dict(rotation="fast"), "rotation: expected plain or fused; found 'fast'"),
        ("cache", dict(), "subject: expected sinusoid, rope, rotation, score, logits or attention"),
        ("rope", dict(error=1e-3, scaling="dynamic", factor=2, original_max_position_embeddings=64), "sequence_length"),
    ],
)
def test_what_has_no_bound(subject: Any, options: Any, expected: str) -> None:
    with pytest.raises(posproof.InvalidInput, match=expected):
        posproof.bound(subject, dim=128, **options)
