"""Claims of the ledger, put to functions."""

import json
from importlib.util import find_spec
from typing import Any

import numpy as np
import posproof
import pytest

DIM = 32
FREQUENCIES = (10000.0 ** -(np.arange(0, DIM, 2) / DIM)).astype(np.float32)


def encode(positions: np.ndarray) -> np.ndarray:
    angles = positions[:, None].astype(np.float32) * FREQUENCIES
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(len(positions), DIM)


def rotate(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    angles = positions[:, None].astype(np.float32) * FREQUENCIES
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    a, b = x[:, 0::2], x[:, 1::2]
    return np.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)


def rotate_complex(x: np.ndarray, positions: np.ndarray) -> np.ndarray:
    z = x.view(np.complex64) * np.exp(1j * (positions[:, None].astype(np.float32) * FREQUENCIES)).astype(np.complex64)
    return z.view(np.float32)


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    weights = np.exp(scores - scores.max(1, keepdims=True))
    return (weights / weights.sum(1, keepdims=True)) @ v


RIGHT: dict[str, Any] = {"encode": encode, "rotate": rotate, "rotate_complex": rotate_complex, "attention": attention}


def test_right_functions_are_accepted_under_every_claim() -> None:
    seen = set()
    for claim in posproof.claims():
        if claim.roles == ("layer",):
            continue
        report = posproof.assert_claim(claim.id, **{role: RIGHT[role] for role in claim.roles}, dim=DIM)
        assert (report.conforms, report.grade, report.sabotage_refuted) == (True, "holds", True)
        assert report.to_dict()["schema"] == "posproof.claim/1" and report.worst["error"] <= report.bound
        seen.add(claim.id)
    assert len(seen) >= 24
    layer = posproof.assert_claim("attention.equivariance", layer=lambda x: attention(x, x, x), dim=DIM, error=1e-5)
    assert layer.conforms and "layer" in repr(layer.to_dict()["roles"])


def test_several_claims_in_one_call() -> None:
    names = [claim.id for claim in posproof.claims(role="rotate")]
    reports = posproof.assert_claim(names, rotate=rotate, dim=DIM, positions=range(10_000))
    assert [report.claim for report in reports] == names
    assert {report.to_dict()["last"] for report in reports} == {9999}
    with pytest.raises(posproof.ClaimRefuted) as caught:
        posproof.assert_claim(names, rotate=lambda x, p: rotate(x, -p), dim=DIM)
    assert [report.claim for report in caught.value.reports] == ["rope.rotation"]


def test_a_failure_is_shrunk() -> None:
    def late(positions: np.ndarray) -> np.ndarray:
        return encode(np.where(positions < 700, positions, positions + 1))

    with pytest.raises(AssertionError, match="shift.linearity: refuted") as caught:
        posproof.assert_claim("shift.linearity", encode=late, dim=DIM)
    assert isinstance(caught.value, posproof.ClaimRefuted)
    [report] = caught.value.reports
    assert sum(report.worst["positions"].values()) == 700
    assert report._repr_html_().startswith("<pre")


def test_what_has_no_teeth_is_not_judged() -> None:
    with pytest.raises(posproof.ClaimRefuted, match="rope.isometry: not judged") as caught:
        posproof.assert_claim("rope.isometry", rotate=lambda x, positions: x, dim=DIM)
    [report] = caught.value.reports
    assert (report.grade, report.conforms, report.sabotage_refuted) == ("not-judged", False, False)


def refused(message: str, claim: Any, **options: Any) -> None:
    with pytest.raises(posproof.InvalidInput) as caught:
        posproof.assert_claim(claim, **options)
    assert message in str(caught.value)


def test_bad_input() -> None:
    refused("unknown claim 'shift.linearty'", "shift.linearty", encode=encode, dim=DIM)
    refused("asks no function", "rope.aliasing", rotate=rotate, dim=DIM)
    refused("shift.linearity: expected encode; found rotate", "shift.linearity", rotate=rotate, dim=DIM)
    refused("found no function", "shift.linearity", dim=DIM)
    refused("no dimension", "shift.linearity", encode=encode)
    refused("expected at least one id; found none", [], encode=encode, dim=DIM)
    with pytest.raises(posproof.InvalidInput, match="unknown role 'encoder'"):
        posproof.claims(role="encoder")
    shape = "shift.linearity: encode (positions [n]) -> [n, d]: expected an array of shape ["
    refused(shape, "shift.linearity", encode=lambda p: encode(p)[:, :-2], dim=DIM)
    refused("expected an array", "shift.linearity", encode=lambda p: encode(p).tolist(), dim=DIM)
    refused("expected floating-point numbers", "shift.linearity", encode=lambda p: encode(p).astype(int), dim=DIM)
    refused("found None", "shift.linearity", encode=lambda p: None, dim=DIM)
    refused("found NaN in row", "shift.linearity", encode=lambda p: encode(p) * np.float32("nan"), dim=DIM)
    raised = "shift.linearity: encode, called with arrays of shape ("
    refused(raised, "shift.linearity", encode=lambda p: [][1], dim=DIM)
    refused("raised IndexError", "shift.linearity", encode=lambda p: encode(np.arange(8))[p], dim=DIM)
    with pytest.raises(TypeError, match="unknown keyword 'dims'"):
        posproof.assert_claim("shift.linearity", encode=encode, dims=DIM)  # type: ignore[call-arg]


def test_other_precisions() -> None:
    wide = FREQUENCIES.astype(np.float64)

    def double(positions: np.ndarray) -> np.ndarray:
        angles = positions[:, None] * wide
        return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(len(positions), DIM)

    report = posproof.assert_claim("toeplitz.dot-product", encode=double, dim=DIM, compute="float64")
    assert report.bound < 1e-11
    half = posproof.assert_claim("shift.linearity", encode=lambda p: encode(p).astype(np.float16), dim=DIM)
    assert half.to_dict()["format"] == "f16" and half.bound > 1e-4


@pytest.mark.skipif(find_spec("torch") is None, reason="NOT TESTED: functions of PyTorch, which is not installed")
def test_torch() -> None:
    import torch

    def turn(x: Any, positions: Any) -> Any:
        angles = positions[:, None].float() * torch.from_numpy(FREQUENCIES)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[:, 0::2], x[:, 1::2]
        return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)

    positions = torch.arange(2048)
    for dtype in ("float32", "bfloat16"):
        for claim in posproof.claims(role="rotate"):
            report = posproof.assert_claim(claim.id, rotate=turn, dim=DIM, positions=positions, dtype=dtype)
            assert report.conforms, claim


def test_the_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import numpy as np

        def test_rotation(assert_claim):
            assert_claim("rope.isometry", rotate=lambda x, positions: 2 * x, dim=8)
        """
    )
    result = pytester.runpytest_subprocess("--posproof-report=kept", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*rope.isometry: refuted, of rotate*"])
    result.stdout.no_fnmatch_line("*posproof/claims.py*")
    [kept] = (pytester.path / "kept").glob("*.json")
    assert json.loads(kept.read_text(encoding="utf-8"))["verdict"] == "refuted"
