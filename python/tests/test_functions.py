"""Functions that are judged, their gradients, and two outputs."""

from typing import Any

import jax
import jax.numpy
import numpy as np
import posproof
import pytest


def halves(x: Any, positions: Any, base: float = 10000.0) -> Any:
    theta = positions[..., None].astype("float32") * (base ** -(np.arange(0, 64, 2) / 64)).astype(np.float32)
    lib = jax.numpy if isinstance(positions, jax.Array) else np
    first, second = lib.split(x, 2, axis=-1)
    cos, sin = lib.cos(theta), lib.sin(theta)
    return lib.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


SPEC: dict[str, Any] = dict(dim=64, layout="halves")


@pytest.mark.parametrize("positions", [np.arange(256), jax.numpy.arange(256), range(256), None])
def test_functions(positions: Any) -> None:
    seen: list[type] = []

    def rotate(x: Any, positions: Any) -> Any:
        seen.append(type(x))
        return halves(x, positions)

    assert posproof.assert_rope(rotate, positions=positions, **SPEC).conforms
    assert issubclass(seen[0], jax.Array if isinstance(positions, jax.Array) else np.ndarray)
    report = posproof.assert_rope(lambda q, k, p: (halves(q, p), halves(k, p)), positions=positions, **SPEC)
    assert report.judged == ["query", "key"]
    with pytest.raises(AssertionError, match="other-base"):
        posproof.assert_rope(lambda x, p: halves(x, p, 500.0), positions=positions, **SPEC)


@pytest.mark.parametrize("array", [np.asarray, jax.numpy.asarray, lambda rows: rows])
def test_positions_of_several_sequences(array: Any) -> None:
    # In order, behind ten rows of padding, and of a later chunk.
    rows = [list(range(96)), [max(row - 10, 0) for row in range(96)], list(range(500, 596))]
    positions = array(rows)
    seen: list[tuple[int, ...]] = []

    def rotate(x: Any, positions: Any) -> Any:
        seen.extend([x.shape, positions.shape])
        return halves(x, positions[:, None])

    gradient = isinstance(positions, jax.Array)
    report = posproof.assert_rope(rotate, positions=positions, gradient=gradient, **SPEC)
    assert report.judged == (["", "gradient"] if gradient else [""])
    assert seen[:2] == [(3, 3, 96, 64), (3, 96)]

    def shared(x: Any, positions: Any) -> Any:
        return rotate(x, 0 * positions + positions[:1])

    with pytest.raises(AssertionError, match="every sequence is at the positions of sequence 0"):
        posproof.assert_rope(shared, positions=positions, **SPEC)
    # A step of decoding.
    assert posproof.assert_rope(rotate, positions=array([[5], [90], [7]]), **SPEC).conforms
    with pytest.raises(posproof.InvalidInput, match="positions, entry 1: expected 2 numbers, as in entry 0; found 1"):
        posproof.assert_rope(rotate, positions=[[0, 1], [2]], **SPEC)
    with pytest.raises(posproof.InvalidInput, match=r"of each of several sequences; found an array of shape \[2, 2, 2\]"):
        posproof.assert_rope(rotate, positions=np.zeros((2, 2, 2)), **SPEC)


def test_a_query_beside_a_wrong_key() -> None:
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope(lambda q, k, p: (halves(q, p), halves(k, p + 1)), positions=np.arange(256), **SPEC)
    report = caught.value.report
    assert [one["conforms"] for one in report.to_dict()["reports"]] == [True, False]
    assert str(caught.value).startswith("2 judged, 1 do not conform")
    assert "query: rotation" not in str(caught.value)
    assert "\nkey: rotation" in str(caught.value)


def test_two_outputs() -> None:
    exact = np.arange(300)[:, None] * 10000.0 ** (-np.arange(32) / 32)
    single = exact.astype("float32")
    a = {"cos": np.cos(exact).astype("float32"), "sin": np.sin(exact).astype("float32")}
    b = {"cos": np.cos(single), "sin": np.sin(single)}
    compared = posproof.compare(a, b, dim=64)
    largest = compared["largest"]
    assert compared["verdict"] == "honest" and 0 < largest["difference"] <= largest["allowed"]
    difference = max(float(abs(a[name].astype(float) - b[name]).max()) for name in a)
    assert largest["difference"] == difference
    wrong = posproof.compare(a, {**b, "sin": 0.9 * b["sin"]}, dim=64)
    assert (wrong["verdict"], wrong["reports"][0]["conforms"]) == ("second", True)
    # Falling positions, and several axes.
    falling = {name: one[::-1] for name, one in a.items()}
    assert posproof.compare(falling, falling, dim=64, positions=range(299, -1, -1))["largest"] is None
    x = np.random.default_rng(1).standard_normal((300, 64)).astype("float32")
    rotation = {"x": x, "y": halves(x, np.arange(300))}
    assert posproof.compare(rotation, rotation, **{**SPEC, "dim": 64})["differing"] == 0
    for one, other, expected in (
        (rotation, {"x": -x, "y": x}, "x: row 0"),
        (a, {"cos": a["cos"]}, "the shape"),
        (a, {"cosine": a["cos"]}, "cosine: expected"),
        ({"inv_freq": exact[1]}, {"inv_freq": exact[1]}, "inv_freq"),
    ):
        with pytest.raises(posproof.InvalidInput, match=expected):
            posproof.compare(one, other, dim=64, layout="halves")


def test_libraries_of_other_accuracies() -> None:
    exact = np.cos(np.arange(300)[:, None] * 10000.0 ** (-np.arange(32) / 32))
    cos = (exact * (1 + 12 * 2.0**-24)).astype("float32")
    assert not posproof.check_rope(cos, dim=64).conforms
    report = posproof.check_rope(cos, dim=64, ulp={"sin": 12, "cos": 12})
    assert report.conforms and report.to_dict()["ulp"]["cos"] == 12
    assert posproof.check_rope(cos, dim=64, ulp="cos=12").conforms
    wide = posproof.tolerance(dim=64, positions=range(8), ulp={"sin": 12})
    assert (np.asarray(wide.atol) > np.asarray(posproof.tolerance(dim=64, positions=range(8)).atol)).all()
    for ulp, expected in (({"tan": 1}, "tan"), ({"sin": 0.1}, "sin: expected"), ("sin", "such as"), (3, "ulp")):
        with pytest.raises(posproof.InvalidInput, match=expected):
            posproof.check_rope(cos, dim=64, ulp=ulp)


def test_gradients() -> None:
    positions = jax.numpy.arange(256)
    assert posproof.assert_rope(halves, positions=positions, gradient=True, **SPEC).judged == ["", "gradient"]
    severed = jax.custom_vjp(lambda x, p: halves(x, p))
    severed.defvjp(lambda x, p: (halves(x, p), None), lambda _, g: (jax.numpy.zeros_like(g), None))
    with pytest.raises(AssertionError, match="gradient"):
        posproof.assert_rope(lambda x, p: severed(x, p), positions=positions, gradient=True, **SPEC)
    with pytest.raises(posproof.InvalidInput, match="gradient: expected"):
        posproof.assert_rope(halves, positions=np.arange(256), gradient=True, **SPEC)


def test_gradients_of_several_axes() -> None:
    dim = 16
    grid = jax.numpy.asarray([[row // 8, row % 8] for row in range(64)])

    def angles(p: Any, slots: int) -> Any:
        own = 10000.0 ** (-jax.numpy.arange(slots) / slots)
        return jax.numpy.concatenate([p[:, :1] * own, p[:, 1:] * own], axis=-1)

    def turned(x: Any, angle: Any) -> Any:
        half = x.shape[-1] // 2
        other = jax.numpy.concatenate([-x[..., half:], x[..., :half]], axis=-1)
        return x * jax.numpy.cos(angle) + other * jax.numpy.sin(angle)

    for slots, last in (("pairs", dim // 2), ("entries", dim)):
        half = last // 2
        own = f"0..{half}"
        axes = [{"name": "h", "pairs": own, "index": own}, {"name": "w", "pairs": f"{half}..{last}", "index": own}]
        stated = {"encoding": "rope", "dim": dim, "layout": "halves", "slots": slots, "base": 10000, "axes": axes}
        for axis in axes:
            axis["frequency_dim"] = 2 * half

        def rotate(x: Any, p: Any, wide: int = half, whole: bool = slots == "entries") -> Any:
            angle = angles(p, wide)
            return turned(x, angle if whole else jax.numpy.concatenate([angle, angle], axis=-1))

        report = posproof.assert_rope(rotate, positions=grid, gradient=True, convention=stated)
        assert report.judged == ["", "gradient"]
        back = jax.custom_vjp(lambda x, p: rotate(x, p))
        # The same rotation once more, in place of its transpose.
        back.defvjp(lambda x, p: (rotate(x, p), p), lambda p, g: (rotate(g, p), None))
        with pytest.raises(AssertionError, match="gradient"):
            posproof.assert_rope(lambda x, p: back(x, p), positions=grid, gradient=True, convention=stated)


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (3, "found int"),
        ((1, 2, 3), "found 3 arrays"),
        (lambda: None, "of 0 arguments"),
        (lambda a, b, c, d: None, "of 4 arguments"),
        (lambda p: None, "found NoneType"),
        (lambda p: (p, p, p), "found 3 of them"),
        (lambda q, k, p: q, "found ndarray"),
        (lambda x, p: None, "found NoneType"),
        (dict, "without a signature"),
    ],
)
def test_what_is_no_subject(subject: Any, expected: str) -> None:
    with pytest.raises(posproof.InvalidInput, match=expected):
        posproof.assert_rope(subject, **SPEC, positions=range(8))


def test_what_a_function_raises_is_its_own() -> None:
    with pytest.raises(ZeroDivisionError):
        posproof.assert_rope(lambda p: 1 // 0, **SPEC)
