"""Reports, tables, tolerances and bounds."""

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import jax
import jax.numpy
import ml_dtypes
import numpy as np
import posproof
import pytest

from conftest import angles

LLAMA = dict(
    model_type="llama",
    hidden_size=4096,
    num_attention_heads=32,
    num_hidden_layers=2,
    max_position_embeddings=131072,
    rope_theta=500_000.0,
)
GEMMA3 = dict(
    model_type="gemma3_text",
    hidden_size=64,
    num_attention_heads=2,
    head_dim=64,
    num_hidden_layers=7,
    sliding_window_pattern=6,
)


def test_a_report(cache: tuple[np.ndarray, np.ndarray]) -> None:
    report = posproof.check_rope(*cache, dim=64)
    assert (report.conforms, report.grade, report.entries) == (False, "other-convention", 2 * 300 * 32)
    [finding] = report.findings
    assert (finding["code"], finding["status"]) == ("other-base", "confirmed")
    assert report.worst is not None and report.worst["error"] > report.worst["bound"]
    assert report.to_dict()["schema"] == "posproof.check/1"
    assert str(report).startswith("rope other-convention: does not conform")
    assert "--" not in str(report), "options of the command line"
    page = report._repr_html_()
    assert "<pre" in page and "other-base" in page and "<script" not in page
    assert json.loads(json.dumps(report.to_dict()))["findings"][0]["code"] == "other-base"


def test_a_picture_shows_the_numbers_of_the_arrays(cache: tuple[np.ndarray, np.ndarray]) -> None:
    cos, sin = (part.copy() for part in cache)
    sin[77, 5] += 1e-2
    cos[200, 3] = np.nan
    report = posproof.check_rope(cos, sin, dim=64, base=500_000)
    data = report.plot_data()
    rows, pairs = data["rows"], data["pairs"]
    assert rows["position"] == list(range(300)) and pairs["pair"] == list(range(32))
    assert [p for p, beyond in zip(rows["position"], rows["exceeding"]) if beyond] == [77, 200]
    assert [p for p, beyond in zip(pairs["pair"], pairs["exceeding"]) if beyond] == [3, 5]
    assert (rows["pair"][77], rows["component"][77]) == (5, "sin") and abs(rows["error"][77] - 1e-2) < 1e-4
    assert rows["error"][200] == rows["share"][200] == float("inf")
    shares = np.array(rows["error"]) / np.array(rows["bound"])
    assert (np.isclose(shares, rows["share"]) | (np.array(rows["error"]) == np.inf) | (np.array(rows["error"]) == 0)).all()
    page = report._repr_html_()
    assert page.count("<svg") == 2 and "<script" not in page
    with pytest.raises(KeyError, match="expected one of ''"):
        report.plot_data(of="rows 0")


def test_rows_at_any_positions_have_a_picture(cache: tuple[np.ndarray, np.ndarray]) -> None:
    """Packed rows, rows along several axes and rows without a position: by their numbers, each with its position."""
    packed = [*range(100), *range(200)]
    cos, sin = (part[packed] for part in cache)
    sin[177, 5] += 1e-2
    report = posproof.check_rope(cos, sin, dim=64, base=500_000, positions=packed)
    rows = report.plot_data()["rows"]
    assert rows["row"] == list(range(300)) and rows["position"] == packed
    assert [row for row, beyond in zip(rows["row"], rows["exceeding"]) if beyond] == [177]
    assert rows["pair"][177] == 5 and abs(rows["error"][177] - 1e-2) < 1e-4
    page = report._repr_html_()
    assert page.count("<svg") == 2 and "Error by row" in page and '<th scope="row">177, 77</th>' in page
    # Both statements of one axis have the same picture.
    counted = posproof.check_rope(*cache, dim=64, base=500_000).plot_data()["rows"]
    named = posproof.check_rope(*cache, dim=64, base=500_000, axes=["position:0..32"], positions=np.arange(300)[:, None])
    named_rows = named.plot_data()["rows"]
    assert "Error by position" in named._repr_html_() and named_rows["position"] == counted["position"]
    # The bounds of one axis and of several agree to eleven digits.
    assert np.allclose(named_rows["bound"], counted["bound"], rtol=1e-10, atol=0)
    nowhere = np.array([*packed[:-1], np.nan])
    cos[-1], sin[-1] = 1.0, 0.0
    rows = posproof.check_rope(cos, sin, dim=64, base=500_000, axes=["position:0..32"], positions=nowhere[:, None]).plot_data()["rows"]
    assert rows["position"] == [*packed[:-1], None]


def test_axes_and_frequencies_have_pictures() -> None:
    frequencies = 10000.0 ** -(np.arange(16) / 16)
    data = posproof.check_rope(inv_freq=frequencies, dim=32).plot_data()
    assert data["rows"]["row"] == [] and data["pairs"]["pair"] == list(range(16))
    assert posproof.check_rope(inv_freq=frequencies, dim=32, positions=[*range(9), *range(9)], compute="float64").conforms
    grid = np.indices((4, 5)).reshape(2, -1).T
    bands = 10000.0 ** -(np.arange(8) / 8)
    turns = np.concatenate([np.outer(grid[:, 0], bands), np.outer(grid[:, 1], bands)], axis=-1)
    report = posproof.check_rope(np.cos(turns), np.sin(turns), dim=32, axes=["h:0..8", "w:8..16"], positions=grid)
    data = report.plot_data()
    assert data["pairs"]["exceeding"] == [0] * 16 and data["rows"]["position"] == [tuple(row) for row in grid.tolist()]
    assert report._repr_html_().count("<svg") == 2 and max(data["rows"]["share"]) == max(data["pairs"]["share"])


@pytest.mark.parametrize("layout", ["halves", "interleaved", "axis-halves"])
def test_columns_that_stand_for_other_slots_are_told(layout: str) -> None:
    """Cosines and sines of several axes whose columns are not repeated alike are taken by no rotation."""
    rows = np.indices((12, 13)).reshape(2, -1).T
    angles = np.concatenate([rows[:, axis : axis + 1] * 10000.0 ** (-np.arange(8) / 8) for axis in (0, 1)], axis=1)
    cos, sin = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    ways = [
        lambda part: part,
        lambda part: np.concatenate([part, part], axis=1),
        lambda part: np.repeat(part, 2, axis=1),
        lambda part: np.concatenate([part[:, :8], part[:, :8], part[:, 8:], part[:, 8:]], axis=1),
    ]
    stated = {"encoding": "rope", "dim": 32, "layout": layout, "axes": [{"name": "h", "pairs": "0..8"}, {"name": "w", "pairs": "8..16"}]}
    known = ways if layout == "axis-halves" else ways[:3]
    for one in known:
        for other in known:
            report = posproof.check_rope(one(cos), other(sin), convention=stated, positions=rows)
            assert report.conforms == (one is other), report
            assert [finding.code for finding in report.findings] == ([] if one is other else ["duplication"]), report


def test_a_mend_is_a_call_that_conforms(cache: tuple[np.ndarray, np.ndarray]) -> None:
    for stated in (
        dict(),
        dict(base=10),
        dict(position_offset=3, base=500_000),
        dict(scaling="linear", factor=2, base=500_000),
    ):
        report = posproof.check_rope(*cache, dim=64, **stated)
        assert not report.conforms
        assert report.mend is not None, report
        assert posproof.check_rope(*cache, **report.mend).conforms, report.mend


def test_a_mend_of_several_axes_is_a_call_that_conforms() -> None:
    rows = np.array([(h, w) for h in range(12) for w in range(13)])
    angles = np.concatenate([rows[:, axis : axis + 1] * 10000.0 ** (-np.arange(4) / 4) for axis in (0, 1)], axis=1)
    cache = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    height, width = {"name": "h", "pairs": "0..4"}, {"name": "w", "pairs": "4..8"}
    stated = {"encoding": "rope", "dim": 16, "layout": "halves", "axes": [height, width]}
    exchanged = stated | {"axes": [height | {"pairs": "4..8"}, width | {"pairs": "0..4"}]}
    for convention, positions in (
        (stated | {"axes": [height, width | {"base": 500_000}]}, rows),
        (stated, rows + [0, 1]),
        (exchanged, rows),
    ):
        report = posproof.check_rope(*cache, convention=convention, positions=positions)
        assert not report.conforms
        assert report.mend is not None, report
        assert "conforms under: convention={" in str(report), report
        assert posproof.check_rope(*cache, **({"positions": positions} | report.mend)).conforms, report.mend


def test_a_rule_with_lists_survives_its_mend() -> None:
    rule = dict(
        rope_type="longrope",
        short_factor=[1 + k / 8 for k in range(4)],
        long_factor=[2 + k / 4 for k in range(4)],
        original_max_position_embeddings=64,
    )
    cos, sin = posproof.rope_table(dim=8, scaling=rule, positions=range(300))
    report = posproof.check_rope(cos, sin, dim=8, scaling=rule, base=500)
    assert report.mend is not None, report
    assert posproof.check_rope(cos, sin, **report.mend).conforms, report.mend


def test_numbers_are_exact() -> None:
    """A fraction is a fraction, and the nearest decimal of a float is meant."""
    theta = angles(100, 64) / 3
    for scale in ("1/3", Fraction(1, 3)):
        report = posproof.check_sinusoid(interleaved(np.sin(theta), np.cos(theta)), dim=64, angle_scale=scale)
        assert report.conforms
        assert report.to_dict()["expected"]["position_scale"] == "1/3"
    for tenth in (0.1, "0.1", np.float64(0.1)):
        told = posproof.check_sinusoid(interleaved(np.sin(theta), np.cos(theta)), dim=64, angle_scale=tenth).to_dict()
        assert told["expected"]["position_scale"] == 0.1


def interleaved(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.stack([first, second], axis=-1).reshape(len(first), -1)


def test_configurations(tmp_path: Path) -> None:
    cos, sin = posproof.rope_table(config=LLAMA, positions=range(100))
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA), encoding="utf-8")
    as_object = type("Configuration", (), {"to_dict": lambda self: LLAMA})()
    for config in (LLAMA, as_object, path, str(path), tmp_path):
        assert posproof.check_rope(cos, sin, config=config).grade == "correctly-rounded"
    with pytest.raises(posproof.InvalidInput, match="base"):
        posproof.check_rope(cos, sin, config=LLAMA, base=10_000)


def test_layers_that_differ() -> None:
    cos, sin = posproof.rope_table(config=GEMMA3, layer=5, positions=range(512))
    assert posproof.check_rope(cos, sin, config=GEMMA3, layer=5).conforms
    assert not posproof.check_rope(cos, sin, config=GEMMA3, layer=0).conforms
    report = posproof.check_rope(cos, sin, config=GEMMA3)
    assert report.conforms
    assert "no layer was stated: judged as full_attention, which fits best" in str(report)
    with pytest.raises(posproof.InvalidInput, match="^position 0, cos, column 0: .*; f16 holds numbers up to 65504"):
        posproof.rope_table(dim=8, positions=range(9), dtype="float16", amplitude=100_000)
    with pytest.raises(posproof.InvalidInput, match="layers that differ"):
        posproof.rope_table(config=GEMMA3, positions=range(4))


def test_lint() -> None:
    told = posproof.lint(GEMMA3)
    assert told.conforms
    assert {kind["name"] for kind in told.kinds} == {"full_attention", "sliding_attention"}
    # A list of notes, one for each kind of layer.
    assert len(told) == 2 and [*told] == told.kinds == [told[0], told[-1]]
    with pytest.raises(IndexError):
        told[2]
    other = posproof.lint(LLAMA, against=LLAMA | {"rope_theta": 10_000.0})
    assert not other.conforms
    assert "10000" in str(other)
    with pytest.raises(posproof.InvalidInput):
        posproof.lint({"model_type": "llama", "rope_theta": "many"})


def test_paths_keys_and_values_are_data(tmp_path: Path) -> None:
    """What looks like an option in a name is printed as it is; what is expected names keywords."""
    folder = tmp_path / "llama--final"
    folder.mkdir()
    path = folder / "config.json"
    path.write_text(json.dumps(LLAMA), encoding="utf-8")
    assert str(path) in str(posproof.lint(path))
    path.write_text(json.dumps(LLAMA | {"rope_theta": "many--more"}), encoding="utf-8")
    for call in (posproof.lint, lambda config: posproof.rope_table(config=config, positions=range(2))):
        with pytest.raises(posproof.InvalidInput) as caught:
            call(path)
        assert str(path) in str(caught.value) and "many--more" in str(caught.value)
    absent = tmp_path / "absent--model" / "config.json"
    with pytest.raises(posproof.InvalidInput) as caught:
        posproof.lint(absent)
    assert str(absent) in str(caught.value)
    path.write_text(json.dumps({"model_type": "unheard--of", "hidden_size": 64}), encoding="utf-8")
    with pytest.raises(posproof.InvalidInput) as caught:
        posproof.lint(path)
    assert "unheard--of" in str(caught.value) and "(layout)" in str(caught.value)


def test_a_part_of_a_composite_is_linted() -> None:
    vision = {"model_type": "qwen2_5_vl", "hidden_size": 64, "num_heads": 2}
    composite = {"model_type": "qwen2_5_vl", "text_config": LLAMA, "vision_config": vision}
    assert posproof.lint(composite, part="text_config").to_dict()["part"] == "text_config"
    with pytest.raises(posproof.InvalidInput, match="sound_config: no such part"):
        posproof.lint(composite, part="sound_config")


def test_identify(cache: tuple[np.ndarray, np.ndarray]) -> None:
    cos, sin = cache
    found = posproof.identify(cos=cos, sin=sin)
    assert found.confidence == "established"
    assert found.convention is not None and found.convention["base"] == 500_000
    assert posproof.check_rope(cos, sin, **found.options[0]).conforms
    assert "as options: dim=64, base=500000" in str(found)
    # Four rows in a narrow format leave bases open, those of a whole cache none.
    cos, sin = (np.asarray(part) for part in posproof.rope_table(dim=8, positions=range(4), dtype="float16"))
    short = posproof.identify(cos=cos, sin=sin)
    assert short.bases is not None and short.bases[0] < 10_000 < short.bases[1]
    assert f"bases as far as {short.bases[0]} and {short.bases[1]} as well" in str(short)
    assert found.bases is None


def test_findings_have_attributes_and_parts(cache: tuple[np.ndarray, np.ndarray]) -> None:
    """Keys of a finding are attributes; of several judgements it says which it is of."""
    cos, sin = cache
    report = posproof.check_rope(cos, sin, dim=64)
    finding = report.findings[0]
    assert finding.code == finding["code"] and finding.explains["entries"] > 0 and "part" not in finding
    with pytest.raises(AttributeError, match="a finding has no 'cause'"):
        finding.cause  # noqa: B018
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope(lambda q, k, positions: (q, k), dim=64, positions=range(9))
    assert {finding.part for finding in caught.value.report.findings} == {"query", "key"}


NARROW = ["float8_e4m3fn", "float8_e5m2"]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16", *NARROW])
def test_tables(dtype: str) -> None:
    cos, sin = posproof.rope_table(dim=8, positions=range(50), dtype=dtype)
    assert (cos.shape, cos.dtype, len(cos)) == ((50, 4), dtype, 50)
    assert posproof.check_rope(cos, sin, dim=8).grade in ("correctly-rounded", "faithful")
    lent = np.asarray(cos)
    assert lent.dtype == (getattr(ml_dtypes, dtype) if dtype in ("bfloat16", *NARROW) else np.dtype(dtype))
    assert np.shares_memory(lent, np.asarray(cos)), "a copy"
    assert lent.astype(np.float64).ravel().tolist() == cos.tolist()
    # NumPy's cosine is within a unit in the last place.
    exact = np.cos(np.outer(np.arange(50.0), 10000.0 ** -(np.arange(4) / 4)))
    assert np.allclose(lent.astype(np.float64), exact, atol={8: 1e-15, 4: 1e-7, 2: 4e-3, 1: 0.125}[lent.itemsize])
    if dtype != "float64":
        assert jax.numpy.from_dlpack(cos).dtype == lent.dtype
    joined = posproof.sinusoid_table(dim=8, positions=[3, 1, 2], dtype=dtype)
    assert joined.shape == (3, 8)
    del cos
    assert lent[0, 0] == 1, "the memory outlives its object"


def test_tolerances() -> None:
    """An honest program is within them; one with bf16 frequencies is not; they are not much wider than they must be."""
    tolerance = posproof.tolerance(dim=64, base=500_000, positions=range(300))
    atol = np.asarray(tolerance.atol)
    assert atol.shape == (300, 32) and "docs/bounds.md" in tolerance.origin
    cos, _ = (np.asarray(part) for part in posproof.rope_table(dim=64, base=500_000, positions=range(300)))
    honest = np.cos(angles(300, 64, 500_000.0))
    assert (np.abs(honest.astype(float) - cos) <= atol).all()
    frequencies = (500_000 ** -(np.arange(0, 64, 2) / 64)).astype(ml_dtypes.bfloat16).astype(np.float32)
    broken = np.cos(np.outer(np.arange(300, dtype=np.float32), frequencies))
    assert (np.abs(broken.astype(float) - cos) > atol).mean() > 0.1
    small = posproof.tolerance(dim=4, positions=[0, 7])
    document = small.to_dict()
    assert [float.fromhex(x) for row in document["atol"] for x in row] == small.atol.tolist()
    header = small.c_header("rope_atol")
    assert "static const double rope_atol[2][2] = {" in header and small.atol.tolist()[3].hex() in header
    with pytest.raises(posproof.InvalidInput, match="name"):
        small.c_header("1;")


def test_bounds() -> None:
    spec: dict[str, Any] = dict(dim=128, base=500_000, path="pow", positions=range(4096))
    document = posproof.bound("rope", pairs=[1, 5], worst=True, **spec)
    assert (document["schema"], document["convention"]["base"]) == ("posproof.bound/1", 500_000)
    cases = document["cases"]
    assert [(case["pair"], case["component"]) for case in cases] == [(1, "sin"), (1, "cos"), (5, "sin"), (5, "cos")]
    for case in cases:
        assert float(case["worst"]["error"]) <= float(case["instance"]) <= float(case["a_priori"])
        assert "rounding_path_reciprocal" in case["origin"]["a_priori"]
    [sine] = posproof.bound("rope", pairs=[1], component="sin", **spec)["cases"]
    assert sine["instance"] == cases[0]["instance"]
    [far] = posproof.bound("rope", pairs=[0], component="sin", error=1e-3, dim=128)["cases"]
    assert far["largest_position"]["instance"] is not None


def test_bounds_of_rotations_and_scores() -> None:
    spec: dict[str, Any] = dict(dim=128, positions=range(4096))
    rotations, scores = posproof.bound("rotation", pairs=[1], **spec), posproof.bound("score", **spec)
    assert (rotations["subject"], scores["subject"]) == ("rotation", "score")
    assert {case["pair"] for case in rotations["cases"]} == {1}
    assert {case["pair"] for case in scores["cases"]} == {None}
    entries = posproof.bound("rope", pairs=[1], **spec)["cases"]
    # A rotated pair is wrong by at least what its cosine is.
    assert float(rotations["cases"][-1]["instance"]) >= max(float(case["instance"]) for case in entries)
    # A fused rotation and wider sums err less, and the document says which they are.
    fused = posproof.bound("rotation", pairs=[1], rotation="fused", **spec)
    assert (rotations["rotation"]["fused"], fused["rotation"]["fused"]) == (False, True)
    assert float(fused["cases"][-1]["instance"]) < float(rotations["cases"][-1]["instance"])
    wide = posproof.bound("score", accumulate="float64", **spec)
    assert (scores["sums"], wide["sums"]) == ("f32", "f64")
    assert float(wide["cases"][-1]["instance"]) < float(scores["cases"][-1]["instance"])


def test_import_is_quick() -> None:
    """It takes less of the processor than NumPy's import, which it does without."""
    code = "import sys, time; t = time.process_time(); import {}; print(time.process_time() - t, 'numpy' in sys.modules)"

    def once(module: str) -> float:
        seconds, numpy = subprocess.run(
            [sys.executable, "-c", code.format(module)], capture_output=True, text=True, check=True
        ).stdout.split()
        assert numpy == str(module == "numpy")
        return float(seconds)

    assert min(once("posproof") for _ in range(5)) < min(once("numpy") for _ in range(5))


RUNS: list[Callable[[], object]] = [
    lambda: posproof.rope_table(dim=128, positions=range(8192), dtype="bf16")[0].tolist(),
    lambda: posproof.check_sinusoid(np.zeros((64, 8), np.float32), dim=8).to_dict(),
]


@pytest.mark.parametrize("run", RUNS)
def test_the_same_twice(run: Callable[[], object]) -> None:
    assert run() == run()
