"""Attention as kernels compute it: bounds, two kernels compared, and outputs judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import posproof
import pytest

DIM, KEYS = 64, 200
HOPPER: dict[str, Any] = {"dim": DIM, "dtype": "bf16", "keys": KEYS, "accumulator": "hopper", "value": 1.0}


def bf16(x: np.ndarray) -> np.ndarray:
    """To the nearest number of bfloat16, in binary64; ties to even."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return rounded.astype(np.uint32).view(np.float32).astype(np.float64)


def inputs(rows: int = 8) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    draw = np.random.default_rng(5)
    q, k = (bf16(draw.uniform(-1, 1, size) * 1.5) for size in [(rows, DIM), (KEYS, DIM)])
    return q, k, bf16(draw.uniform(-1, 1, (KEYS, 4)))


def weights(q: np.ndarray, k: np.ndarray, axis: int = -1) -> np.ndarray:
    logits = q @ k.T / np.sqrt(DIM)
    e = np.exp(logits - logits.max(axis, keepdims=True))
    return np.asarray(e / e.sum(axis, keepdims=True))


def test_bounds_are_those_of_the_command(tmp_path: Path) -> None:
    document = posproof.bound("attention", dim=128, dtype="e4m3", accumulator="hopper-fp8", flush=128)
    assert document["schema"] == "posproof.bound-kernel/1"
    assert document["kernel"]["flush"] == 128 and document["kernel"]["keys"] == 4096
    assert document["search"]["error"] <= document["bound"]["output"]["value"] <= 4 * document["search"]["error"]
    # An accumulator by its figures is the one of that name, and so is one of a file.
    figures = {"name": "mine", "source": "measured", "terms": 32, "fraction": 13, "result": 13}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(figures))
    for accumulator in [figures, file, str(file)]:
        other = posproof.bound("attention", dim=128, dtype="float8_e4m3fn", accumulator=accumulator, flush=128)
        assert other["bound"] == document["bound"]
    masked = posproof.bound("attention", mask="causal", order="plain", logits="bf16", output="float32", **HOPPER)
    assert [row["keys"] for row in masked["rows"]] == [1, 10, 100, 200]
    split = posproof.bound("attention", dim=128, dtype="e4m3", accumulator="hopper-fp8", splits=8)
    assert split["kernel"]["splits"] == 8 and split["bound"]["from_values"] < 0.3 * 0.384
    assert posproof.bound("logits", **HOPPER)["bound"]["logit"] == posproof.bound("attention", **HOPPER)["bound"]["logit"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"accumulator": "pascal"}, "accumulator pascal: expected round, volta"),
        ({"accumulator": None}, "accumulator: expected round, hopper-fp8 or another"),
        ({"accumulator": {"name": "x", "source": "x", "terms": 0, "fraction": 13, "result": 13}}, "terms of an instruction"),
        ({"accumulator": {"name": "x"}}, "accumulator: missing field"),
        ({"flush": 100}, "a multiple of 16"),
        ({"flush": -1}, "flush: expected a whole number"),
        ({"tile": 64, "order": "plain"}, "tile 64"),
        ({"splits": 0}, "splits 0"),
        ({"splits": 2, "order": "plain"}, "splits 2"),
        ({"order": "sin-cos"}, "order: expected plain or online"),
        ({"mask": "sliding"}, "mask: expected causal or none"),
        ({"keys": 0}, "keys"),
        ({"keys": 2**33}, "keys"),
        ({"dtype": "float32"}, "expected f16, bf16, or numbers of fewer bits"),
        ({"value": float("nan")}, "value NaN: expected more than 0"),
        ({"query_length": 1e30}, "query_length 10+: expected more than 0"),
        ({"softmax": "bf16"}, "softmax"),
        ({"dim": 0}, "dim"),
    ],
)
def test_kernels_that_cannot_be(options: Any, expected: str) -> None:
    with pytest.raises(posproof.InvalidInput, match=expected):
        posproof.bound("attention", **{**HOPPER, **options})


def test_unknown_keywords() -> None:
    with pytest.raises(TypeError, match="positions"):
        posproof.bound("attention", positions=range(3), **HOPPER)  # type: ignore[call-overload]


def test_two_kernels_differ() -> None:
    a = posproof.bound("attention", dim=128, dtype="e4m3", accumulator="hopper-fp8")
    b = posproof.bound("attention", dim=128, dtype="e4m3", accumulator="hopper-fp8", flush=128)
    found = posproof.compare(a, b)
    assert found["schema"] == "posproof.compare/1" and found["dumps"] is None
    assert found["bound"] / 3 <= found["difference"] <= found["bound"]
    # The kernel alone is enough.
    assert posproof.compare(a["kernel"], b["kernel"]) == found
    with pytest.raises(posproof.InvalidInput, match="of other inputs"):
        posproof.compare(a, posproof.bound("attention", **HOPPER))
    with pytest.raises(posproof.InvalidInput, match="posproof bound attention"):
        posproof.compare(a, {"kernel": {}})


def test_whose_fault_a_difference_is() -> None:
    q, k, v = inputs()
    honest = bf16(weights(q, k) @ v)
    kernel = posproof.bound("attention", **HOPPER)
    plain = posproof.bound("attention", order="plain", **HOPPER)

    def verdict(a: np.ndarray, b: np.ndarray, **options: Any) -> Any:
        found = posproof.compare(kernel, plain, inputs=(q, k, v), outputs=(a, b), **options)
        return found["dumps"]["verdict"]

    assert verdict(honest, honest) == "honest"
    assert verdict(honest.astype(np.float32), honest) == "honest"
    wrong = {
        "the softmax of the wrong axis": weights(q, k, axis=0) @ v,
        "a mask that leaks one key": weights(q, k[:-1]) @ v[:-1],
        "the scale of the wrong head": weights(q * np.sqrt(DIM / 128), k) @ v,
        "no number": np.where(np.arange(4) == 2, np.nan, honest),
    }
    for fault, output in wrong.items():
        assert verdict(output, honest) == "first", fault
        assert verdict(honest, output) == "second", fault
        assert verdict(output, output) == "both", fault
    # With a causal mask the last row has all keys.
    causal = np.concatenate([bf16(weights(q[i : i + 1], k[: KEYS - 7 + i]) @ v[: KEYS - 7 + i]) for i in range(8)])
    assert verdict(causal, causal, mask="causal") == "honest"
    assert verdict(honest, causal, mask="causal") == "first"
    assert verdict(causal, honest) == "first"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"q": lambda q: q[:, :32]}, "rows of dimension 64"),
        ({"q": lambda q: q[0]}, "two dimensions"),
        ({"q": lambda q: q + 1e-3}, "numbers of bf16"),
        ({"q": lambda q: 2 * q}, "no row longer than"),
        ({"k": lambda k: 2 * k}, "no row longer than"),
        ({"k": lambda k: np.concatenate([k, k])}, "1 to 200 keys"),
        ({"v": lambda v: 2 * v}, "no value larger than 1"),
        ({"v": lambda v: v[1:]}, "a value for each of 200 keys"),
        ({"v": lambda v: v * np.inf}, "numbers of bf16"),
        ({"out": lambda out: out[1:]}, "8 rows of 4 components"),
    ],
)
def test_inputs_that_are_no_inputs_of_the_kernels(change: Any, expected: str) -> None:
    q, k, v = inputs()
    out = bf16(weights(q, k) @ v)
    q, k, v, out = (change.get(name, lambda x: x)(array) for name, array in zip("q k v out".split(), (q, k, v, out)))
    kernel = posproof.bound("attention", **HOPPER)
    with pytest.raises(posproof.InvalidInput, match=expected):
        posproof.compare(kernel, kernel, inputs=(q, k, v), outputs=(out, out))
    with pytest.raises(posproof.InvalidInput, match="together"):
        posproof.compare(kernel, kernel, inputs=(q, k, v))
