"""Tensors of PyTorch whose numbers are not those in their memory: lazy conjugates and negatives, and storages that were freed."""

from collections.abc import Callable
from typing import Any

import posproof
import pytest

REASON = "NOT TESTED: tensors, because PyTorch is not installed (sh scripts/setup --torch)"
torch = pytest.importorskip("torch", reason=REASON)

ROWS, PAIRS = 40, 4
ANGLES = torch.outer(torch.arange(ROWS, dtype=torch.float64), 10000.0 ** (-torch.arange(PAIRS, dtype=torch.float64) / PAIRS))
CACHE = torch.polar(torch.ones_like(ANGLES), ANGLES).to(torch.complex64)


def clockwise(**arrays: Any) -> list[str]:
    report = posproof.check_rope(**arrays, dim=2 * PAIRS)
    assert not report.conforms, report
    return [finding["code"] for finding in report.findings]


@pytest.mark.parametrize("turned", [lambda z: z.conj(), lambda z: z.mT.mH, lambda z: z.conj().resolve_conj()])
def test_a_conjugate_is_judged_as_what_it_is(turned: Callable[[Any], Any]) -> None:
    assert posproof.check_rope(freqs_cis=CACHE, dim=2 * PAIRS).conforms
    assert clockwise(freqs_cis=turned(CACHE)) == ["direction"]


def test_parts_of_a_conjugate_are_judged_as_what_they_are() -> None:
    lazy = CACHE.conj()
    assert lazy.imag.is_neg()
    assert clockwise(cos=lazy.real, sin=lazy.imag) == ["direction"]
    negative = torch._neg_view(CACHE.imag)
    assert clockwise(cos=CACHE.real, sin=negative) == ["direction"]


def test_positions_of_a_conjugate_are_those_of_its_numbers() -> None:
    options = dict(dim=2 * PAIRS)
    lazy, plain = (posproof.positions(freqs_cis=z, **options) for z in (CACHE.conj(), CACHE.conj().resolve_conj()))
    assert lazy.to_dict() == plain.to_dict()


def test_functions_that_return_a_conjugate_are_refused() -> None:
    def rotate(positions: Any) -> Any:
        angles = positions[:, None].double() * 10000.0 ** (-torch.arange(PAIRS, dtype=torch.float64) / PAIRS)
        turned = torch.polar(torch.ones_like(angles), angles).conj()
        return turned.real, turned.imag

    with pytest.raises(AssertionError, match="direction"):
        posproof.assert_rope(rotate, dim=2 * PAIRS, positions=torch.arange(ROWS))


@pytest.mark.parametrize("held", [0, 17])
def test_a_storage_that_was_freed_is_refused(held: int) -> None:
    cos, sin = ANGLES.cos().float(), ANGLES.sin().float()
    sin.untyped_storage().resize_(held)
    with pytest.raises(posproof.InvalidInput, match=f"sin.*storage of {held} bytes"):
        posproof.check_rope(cos, sin, dim=2 * PAIRS)
