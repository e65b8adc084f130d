"""What the functions return goes to other processes: workers of pytest-xdist and of multiprocessing."""

import copy
import multiprocessing
import pickle
from typing import Any

import numpy as np
import posproof
import pytest

from conftest import angles

THETA = angles(300, 64)
COS, SIN = np.cos(THETA), np.sin(THETA)


def again(one: Any) -> Any:
    """The same through pickle, and through a copy."""
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert type(pickle.loads(pickle.dumps(one, protocol))) is type(one)
    assert type(copy.deepcopy(one)) is type(one)
    return pickle.loads(pickle.dumps(one))


@pytest.mark.parametrize("base", [10_000, 500_000])
def test_reports(base: int) -> None:
    packed = [*range(100), *range(200)]
    for report in (
        posproof.check_rope(COS, SIN, dim=64, base=base),
        posproof.check_rope(COS, dim=64, base=base, positions=packed),
    ):
        other = again(report)
        assert (str(other), other.to_dict(), other.mend) == (str(report), report.to_dict(), report.mend)
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_rope((COS, SIN), dim=64, base=77)
    assert again(caught.value).report.to_dict() == caught.value.report.to_dict()


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_arrays(dtype: str) -> None:
    for table in (
        posproof.sinusoid_table(dim=8, positions=range(30), dtype=dtype),
        *posproof.rope_table(dim=8, positions=range(30), dtype=dtype),
    ):
        other = again(table)
        assert (other.shape, other.dtype, other.tolist()) == (table.shape, table.dtype, table.tolist())
        assert (np.asarray(other) == np.asarray(table)).all()


def test_the_rest() -> None:
    tolerance = posproof.tolerance(dim=8, positions=range(30))
    assert again(tolerance).to_dict() == tolerance.to_dict()
    for rows in (COS, np.concatenate([COS[:4], np.zeros_like(COS[:1])])):
        decoded = posproof.positions(cos=rows, sin=SIN[: len(rows)], dim=64)
        other = again(decoded)
        assert (other.to_dict(), other.conforms) == (decoded.to_dict(), decoded.conforms)
        assert np.array_equal(np.asarray(other.positions), np.asarray(decoded.positions), equal_nan=True)
    identification = posproof.identify(cos=COS)
    assert again(identification).options == identification.options
    lint = posproof.lint({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2})
    assert again(lint).to_dict() == lint.to_dict()


def judged(base: int) -> posproof.Report:
    return posproof.check_rope(COS, SIN, dim=64, base=base)


def test_another_process_judges() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert [report.conforms for report in pool.map(judged, [10_000, 500_000])] == [True, False]


def test_what_pickle_kept_is_looked_at() -> None:
    restore, (entries, dtype, shape) = posproof.sinusoid_table(dim=8, positions=range(30)).__reduce__()
    with pytest.raises(posproof.InvalidInput, match="expected 960 bytes, as many as the shape has; found 959 bytes"):
        restore(entries[:-1], dtype, shape)
