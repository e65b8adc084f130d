"""Programs of torch.export."""

from typing import Any

import posproof
import pytest

torch = pytest.importorskip("torch", reason="NOT TESTED: exported programs, because PyTorch is not installed (sh scripts/setup --torch)")

pytestmark = pytest.mark.filterwarnings("default")

CONVENTION: dict[str, Any] = dict(dim=16, base=10000.0, layout="halves")
ROWS = torch.arange(0, 900, 3)


class Rotation(torch.nn.Module):  # type: ignore[misc]
    def __init__(self, *, returns: str, base: float = 10000.0) -> None:
        super().__init__()
        self.returns = returns
        self.register_buffer("inv_freq", base ** -(torch.arange(0, 16, 2) / 16))

    def forward(self, *given: Any) -> Any:
        *vectors, positions = given
        theta = positions[..., None].float() * self.inv_freq
        cos, sin = theta.cos(), theta.sin()
        if self.returns == "cosines":
            return cos, sin

        def turned(x: Any) -> Any:
            first, second = x.chunk(2, dim=-1)
            return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)

        return tuple(map(turned, vectors)) if len(vectors) == 2 else turned(vectors[0])


def exported(vectors: int, returns: str = "vectors", **changed: Any) -> Any:
    inputs = (*(torch.zeros(1, 3, len(ROWS), 16) for _ in range(vectors)), ROWS[None] if vectors else ROWS)
    return torch.export.export(Rotation(returns=returns, **changed), inputs)


@pytest.mark.parametrize(("vectors", "returns", "names"), [(0, "cosines", [""]), (1, "cosines", [""]), (1, "vectors", [""]), (2, "vectors", ["query", "key"])])
def test_exported_programs_are_judged(vectors: int, returns: str, names: list[str]) -> None:
    report = posproof.assert_rope(exported(vectors, returns), **CONVENTION)
    assert report.judged == names and report.entries >= len(ROWS) * 16
    with pytest.raises(posproof.NotConforming, match="other-base"):
        posproof.assert_rope(exported(vectors, returns, base=500.0), **CONVENTION)
    with pytest.raises(posproof.NotConforming):
        posproof.assert_rope(exported(vectors, returns), **CONVENTION | {"base": 9000.0})
    # Other positions, as many.
    assert posproof.assert_rope(exported(vectors, returns), **CONVENTION, positions=ROWS + 7).conforms


def test_what_is_no_rotation_is_told() -> None:
    class Sum(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any, y: Any) -> Any:
            return x + y

    with pytest.raises(posproof.InvalidInput, match="the positions integers"):
        posproof.assert_rope(torch.export.export(Sum(), (torch.zeros(3, 4), torch.zeros(3, 4))), **CONVENTION)
    with pytest.raises(posproof.InvalidInput, match="as many as the program was exported for"):
        posproof.assert_rope(exported(1), **CONVENTION, positions=range(4))
