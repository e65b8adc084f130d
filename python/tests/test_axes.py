"""Encodings of several axes: stated as axes, sections or a convention, with coordinates of every kind."""

from fractions import Fraction
from typing import Any

import numpy as np
import posproof
import pytest

H, W = 12, 20
GRID = np.indices((H, W)).reshape(2, -1).T
AXES = [dict(name="h", pairs="0..8"), dict(name="w", pairs="8..16")]
SPEC: dict[str, Any] = dict(dim=32, axes=AXES)


def cache(coordinates: Any) -> tuple[np.ndarray, np.ndarray]:
    bands = 10_000.0 ** -(np.arange(8) / 8)
    theta = np.concatenate([np.outer(column, bands) for column in np.asarray(coordinates, float).T], axis=-1)
    return np.cos(theta).astype(np.float32), np.sin(theta).astype(np.float32)


def test_a_grid() -> None:
    report = posproof.check_rope(*cache(GRID), positions=GRID, **SPEC)
    assert report.conforms, report
    assert report.to_dict()["schema"] == "posproof.check-axes/1"
    assert report.entries == 2 * 16 * H * W
    wrong = posproof.check_rope(*cache(GRID[:, ::-1]), positions=GRID, **SPEC)
    assert wrong.findings[0]["code"] == "axes-exchanged"
    assert wrong.worst is not None and wrong.worst["error"] > wrong.worst["bound"]
    cos, sin = cache(GRID)
    cos[77, 3] += 0.5
    worst = posproof.check_rope(cos, sin, positions=GRID, **SPEC).worst
    assert worst is not None and (worst["row"], worst["slot"]) == (77, 3)


@pytest.mark.parametrize(
    ("positions", "more"),
    [
        (GRID.astype(np.int32), {}),
        (GRID.astype(np.float32), {}),
        (GRID.tolist(), {}),
        ([tuple(row) for row in GRID.tolist()], {}),
        (np.ascontiguousarray(GRID.T), {"positions_axes": "first"}),
        (np.ascontiguousarray(GRID.T)[:, None], {"positions_axes": "first"}),
    ],
)
def test_coordinates(positions: Any, more: dict[str, Any]) -> None:
    assert posproof.check_rope(*cache(GRID), positions=positions, **SPEC, **more).conforms


def test_fractions_are_exact() -> None:
    thirds = [[Fraction(row, 3), Fraction(row, 7)] for row in range(50)]
    report = posproof.check_rope(*cache([[float(x) for x in row] for row in thirds]), positions=thirds, **SPEC)
    assert report.conforms, report


def test_one_column_is_that_of_every_axis() -> None:
    rows = np.stack([np.arange(40)] * 2, axis=-1)
    for positions in (range(40), "0..40", np.arange(40), list(range(40))):
        assert posproof.check_rope(*cache(rows), positions=positions, **SPEC).conforms


def test_statements_that_mean_the_same() -> None:
    stated = posproof.check_rope(*cache(GRID), positions=GRID, **SPEC).to_dict()["expected"]
    told = posproof.check_rope(*cache(GRID), positions=GRID, dim=32, axes=["h:0..8", "w:8..16"]).to_dict()["expected"]
    assert told == stated
    assert posproof.check_rope(*cache(GRID), positions=GRID, convention=stated).conforms


def test_sections() -> None:
    ids = np.stack([np.full(240, 7), *GRID.T], axis=-1)
    axis = np.repeat([0, 1, 2], [4, 6, 6])
    theta = ids[:, axis] * 10_000.0 ** -(np.arange(16) / 16)
    cos, sin = np.cos(theta).astype(np.float32), np.sin(theta).astype(np.float32)
    assert posproof.check_rope(cos, sin, dim=32, sections=[4, 6, 6], positions=ids, layout="halves").conforms
    other = posproof.check_rope(cos, sin, dim=32, sections=[6, 6, 4], positions=ids, layout="halves")
    assert not other.conforms


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (dict(positions=None), "no positions: expected positions, an array"),
        (dict(positions=GRID, dim=None), "no dimension: expected dim"),
        (dict(positions=GRID, rotary_dim=8), "no rotary_dim beside it"),
        (dict(positions=GRID, factor=2), "no factor beside it"),
        (dict(positions=GRID, sections=[1, 2, 3]), "sections: expected no axes beside them"),
        (dict(positions=GRID, index="own"), "index: expected 'pairs'"),
        (dict(positions=GRID, axes=[dict(name="h")]), "axes, entry 0: .*pairs"),
        (dict(positions=GRID, axes=3), "axes: expected a list of axes; found int"),
        (dict(positions=GRID, axes=[dict(name="h", pairs="0..99")]), "axis h"),
        (dict(positions=np.zeros((240, 3))), "3 coordinates in a row"),
        (dict(positions=np.zeros((2, 3, 4))), "4 coordinates in a row"),
        (dict(positions=np.zeros((2, 3, 4, 2))), r"an array of shape \[2, 3, 4, 2\]"),
        (dict(positions=np.full((240, 2), np.inf)), "positions, row 0, axis 0"),
        (dict(positions=[[1, 2], [3]]), "1 coordinates in row 1"),
        (dict(positions=[[1, "x"]]), "row 0, axis 1"),
        (dict(positions=[None]), "positions, row 0"),
        (dict(positions=GRID.astype(complex)), "real numbers"),
        (dict(positions=GRID, path="recurrence"), "path: expected another one with axes"),
        (dict(positions=GRID[:9]), "9 rows, one for each position"),
    ],
)
def test_what_is_no_encoding(more: dict[str, Any], expected: str) -> None:
    with pytest.raises(posproof.InvalidInput, match=expected):
        posproof.check_rope(*cache(GRID), **(SPEC | more))


def test_axes_that_nothing_states() -> None:
    for alone in (dict(index="pairs"), dict(positions_axes="first"), dict(sections_order="blocked")):
        with pytest.raises(posproof.InvalidInput, match="axes, sections or span beside it"):
            posproof.check_rope(*cache(GRID), dim=32, **alone)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn"])
def test_tables(dtype: str) -> None:
    """Of several axes too, every entry is correctly rounded; both ways to state positions give the same."""
    made = posproof.rope_table(positions=GRID, dtype=dtype, **SPEC)
    assert posproof.check_rope(*made, positions=GRID, **SPEC).grade == "correctly-rounded"
    cos, sin = (np.asarray(part) for part in made)
    assert cos.shape == sin.shape == (H * W, 16)
    columns = np.ascontiguousarray(GRID.T)
    first = posproof.rope_table(positions=columns, positions_axes="first", dtype=dtype, **SPEC)
    assert [np.asarray(part).tobytes() for part in first] == [cos.tobytes(), sin.tobytes()]
    whole = posproof.sinusoid_table(positions=GRID, dtype=dtype, **SPEC)
    assert posproof.check_sinusoid(whole, positions=GRID, **SPEC).grade == "correctly-rounded"
    joined = np.asarray(whole)
    assert joined.shape == (H * W, 32)
    assert (joined[:, 0::2] == sin).all() and (joined[:, 1::2] == cos).all()


def test_tables_that_cannot_be_made() -> None:
    with pytest.raises(posproof.InvalidInput, match="no positions"):
        posproof.rope_table(**SPEC)
    with pytest.raises(posproof.InvalidInput, match="no rotary_dim beside it"):
        posproof.rope_table(positions=GRID, rotary_dim=8, **SPEC)
    with pytest.raises(posproof.InvalidInput, match="at most 268435456 entries"):
        posproof.rope_table(positions=np.zeros((1 << 20, 2)), dim=2048, axes=["h:0..512", "w:512..1024"])


def test_functions_are_called_with_coordinates() -> None:
    seen = []

    def rotary(positions: Any) -> tuple[np.ndarray, np.ndarray]:
        seen.append(positions.shape)
        return cache(positions)

    assert posproof.assert_rope(rotary, positions=GRID, **SPEC).conforms
    assert seen == [(240, 2)]
    with pytest.raises(AssertionError, match="axes-exchanged"):
        posproof.assert_rope(lambda p: cache(p[:, ::-1]), positions=GRID, **SPEC)


@pytest.mark.parametrize(
    "positions",
    [
        range(2000, 0, -1),
        [5, 5, 3, 3, 1],
        range(-7, 9),
        [0.5, Fraction(1, 3), 7],
        np.linspace(0, 10, 41),
        list(range(3)) * 1500,
        "999.5,3,-2..2",
    ],
    ids=["falling", "repeated", "negative", "fractional", "floats", "1500 documents of three rows", "text"],
)
def test_positions_of_any_kind_are_judged(positions: Any) -> None:
    cos, sin = posproof.rope_table(dim=32, positions=positions)
    assert posproof.check_rope(cos=cos, sin=sin, dim=32, positions=positions).conforms
    wrong = np.array(cos)
    wrong[2, 1] += 1e-3
    report = posproof.check_rope(cos=wrong, sin=sin, dim=32, positions=positions)
    assert not report.conforms
    assert report.findings[0]["code"] == "local"


def test_a_configuration_has_axes() -> None:
    # The sections of layers where positions have a coordinate for each axis, else the convention of text.
    config = {
        "model_type": "qwen2_vl",
        "hidden_size": 1536,
        "num_attention_heads": 12,
        "num_hidden_layers": 2,
        "rope_theta": 1_000_000.0,
        "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
        "vision_config": {"depth": 2, "embed_dim": 1280, "num_heads": 16},
    }
    ids = np.stack([np.full(40, 7), 7 + np.arange(40) // 8, 7 + np.arange(40) % 8], axis=-1)
    ids = np.stack([ids, ids + 5])
    axis = np.repeat([0, 1, 2], [16, 24, 24])
    theta = ids[..., axis] * 1_000_000.0 ** -(np.arange(64) / 64)
    cos, sin = np.cos(theta).astype(np.float32), np.sin(theta).astype(np.float32)
    last = {"config": config, "positions": ids}
    first = {"config": config, "positions": np.moveaxis(ids, -1, 0), "positions_axes": "first"}
    for stated in (last, first):
        report = posproof.check_rope(cos, sin, **stated)
        assert report.conforms, report
    one = posproof.check_rope(cos[0], sin[0], config=config, positions=ids[0].tolist())
    assert one.conforms and [axis["name"] for axis in one.to_dict(2)["expected"]["axes"]] == ["t", "h", "w"]
    assert not posproof.check_rope(cos, sin, config=config, positions=ids[..., :1]).conforms
    found = posproof.positions(cos=cos, sin=sin, config=config, positions_axes="first", domain=range(64))
    assert np.array_equal(np.asarray(found.positions), ids)
    # The grid of the vision part, of 40 pairs in each of two halves.
    grid = GRID.astype(float)
    half = 10_000.0 ** -(np.arange(20) / 20)
    turns = np.concatenate([np.outer(grid[:, 0], half), np.outer(grid[:, 1], half)], axis=-1)
    vision = posproof.check_rope(np.cos(turns), np.sin(turns), config=config, part="vision_config", positions=GRID)
    assert vision.conforms, vision
    for more, expected in (
        (dict(base=10), "config: expected no option beside it that specifies an encoding, where its axes are meant; found base"),
        (dict(config={**config, "rope_scaling": None}), "mrope_section.*three numbers of pairs"),
    ):
        with pytest.raises(posproof.InvalidInput, match=expected):
            posproof.check_rope(cos, sin, **{**last, **more})
