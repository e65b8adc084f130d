"""Tests of a rotary embedding in PyTorch. Copy this file, put your function in the place of `rotate`, and run pytest."""

import posproof
import pytest

torch = pytest.importorskip("torch")

HEAD_DIM = 64
BASE = 500_000.0


def rotate(x: "torch.Tensor", positions: "torch.Tensor") -> "torch.Tensor":
    """The code under test: pairs (k, k + HEAD_DIM/2) of vectors [..., positions, HEAD_DIM]."""
    frequencies = BASE ** -(torch.arange(0, HEAD_DIM, 2, dtype=torch.float32) / HEAD_DIM)
    angles = positions.to(torch.float32)[:, None] * frequencies
    cos, sin = torch.cos(angles), torch.sin(angles)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


def test_the_rotation_is_that_of_the_configuration() -> None:
    positions = torch.arange(0, 131_072, 1021)
    posproof.assert_rope(rotate, dim=HEAD_DIM, base=BASE, layout="halves", positions=positions)


def test_the_backward_pass_is_the_rotation_back() -> None:
    positions = torch.arange(0, 4096, 63)
    posproof.assert_rope(rotate, dim=HEAD_DIM, base=BASE, layout="halves", positions=positions, gradient=True)


def test_a_position_of_bf16_is_noticed() -> None:
    """A test that cannot fail proves nothing: the mistake of many a model is refused."""

    def mistaken(x: "torch.Tensor", positions: "torch.Tensor") -> "torch.Tensor":
        return rotate(x, positions.to(torch.bfloat16))

    with pytest.raises(posproof.NotConforming) as refusal:
        posproof.assert_rope(mistaken, dim=HEAD_DIM, base=BASE, layout="halves", positions=torch.arange(0, 8192, 61))
    assert refusal.value.report.findings[0]["code"] == "low-precision-positions"
