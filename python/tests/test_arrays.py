"""Arrays of every library, format and layout give the same report; none is copied that its library lends."""

import array
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy
import ml_dtypes
import numpy as np
import posproof
import pytest

from conftest import angles, grown

SPEC = dict(dim=64, base=500_000)


def judge(cos: Any, sin: Any, **options: Any) -> posproof.Report:
    return posproof.check_rope(cos, sin, **(SPEC | options))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_formats(cache: tuple[np.ndarray, np.ndarray], dtype: type) -> None:
    cos, sin = (part.astype(dtype) for part in cache)
    report = judge(cos, sin)
    assert report.conforms, report
    assert report.to_dict()["inputs"][0]["format"] == {2: "bf16" if dtype is ml_dtypes.bfloat16 else "f16"}.get(
        np.dtype(dtype).itemsize, f"f{8 * np.dtype(dtype).itemsize}"
    )


@pytest.mark.parametrize("dtype", [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2])
def test_eight_bits(cache: tuple[np.ndarray, np.ndarray], dtype: type) -> None:
    """Read from the dtypes of ml_dtypes, or stated where a wider array holds them; refused as a precision of computation."""
    cos, sin = (part.astype(dtype) for part in cache)
    name = {"float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2"}[np.dtype(dtype).name]
    report = judge(cos, sin)
    assert report.conforms and report.to_dict()["storage"] == name, report
    wide = [part.astype(np.float32) for part in (cos, sin)]
    assert judge(*wide, dtype=dtype).conforms
    narrowed = judge(*wide)
    assert narrowed.grade == "degraded" and narrowed.findings[0].code == "low-precision-storage", narrowed
    assert name in str(narrowed)
    wrong = cos.copy()
    at = np.argmax(abs(wrong[7].astype(np.float32)))
    wrong[7, at] = -wrong[7, at]
    assert judge(wrong, sin).findings[0].code == "local"
    with pytest.raises(posproof.InvalidInput, match="formats of 8 bits store numbers and compute none"):
        judge(cos, sin, compute=name)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16])
def test_an_integer_grid(cache: tuple[np.ndarray, np.ndarray], dtype: type) -> None:
    """Integers stand for multiples of a step from a zero point; of 8 bits these are found, and others are refused without them."""
    numbers = np.iinfo(dtype)
    zero = 0 if numbers.min < 0 else 128
    step = 1 / (numbers.max - zero)
    stored = [np.clip(np.rint(part / step) + zero, numbers.min, numbers.max).astype(dtype) for part in cache]
    options: dict[str, Any] = dict(step=step, zero_point=zero)
    report = judge(*stored, **options)
    assert report.conforms and "integers, steps of" in str(report), report
    # The same numbers, as they are multiplied out.
    wide = [((part.astype(np.float64) - zero) * step).astype(np.float32) for part in stored]
    assert judge(*wide, step=step).conforms
    assert "between them" in str(judge(*cache, step=step))
    moved = stored[0].copy()
    moved[7, 3] += 4 * (1 if numbers.bits == 8 else 64)
    assert [finding.code for finding in judge(moved, stored[1], **options).findings] == ["local"]
    assert not judge(*stored, step=1.5 * step, zero_point=zero).conforms
    if zero:
        assert judge(*stored, step=step).findings[0].code == "quantisation"
    if numbers.bits == 8:
        found = judge(*stored)
        assert found.conforms and "found from the data" in str(found), found
        levels = found.to_dict()["inputs"][0]["levels"]
        assert abs(levels["step"] / step - 1) < 0.01 and levels["zero_point"] == zero
        identified = posproof.identify(cos=stored[0], sin=stored[1])
        assert "found from the data" in str(identified), identified
    else:
        with pytest.raises(posproof.InvalidInput, match="state what one of them stands for as step"):
            judge(*stored)
    for wrong, message in [
        (dict(step=0.0), "the step: expected a number above 0"),
        (dict(step=float("nan")), "the step"),
        (dict(step=step, zero_point=0.5), "the zero point: expected an integer"),
        (dict(zero_point=3), "zero_point: expected step beside it"),
    ]:
        with pytest.raises(posproof.InvalidInput, match=message):
            judge(*stored, **wrong)


STRIDED: dict[str, Callable[[np.ndarray], Any]] = {
    "fortran": np.asfortranarray,
    "columns of a wider array": lambda part: np.repeat(part, 3, axis=1)[:, ::3],
    "rows of a longer array": lambda part: np.repeat(part, 2, axis=0)[::2],
    "backwards": lambda part: part[::-1].copy()[::-1],
    "read-only": lambda part: np.frombuffer(part.tobytes(), part.dtype).reshape(part.shape),
    "of a batch": lambda part: part[None, None],
    "broadcast": lambda part: np.broadcast_to(part, (2, *part.shape)),
    "heads last": lambda part: part[:, None, None],
    "a memoryview": memoryview,
    "a subclass": lambda part: part.view(type("Mine", (np.ndarray,), {})),
    "unaligned": lambda part: np.frombuffer(b"x" + part.tobytes(), np.uint8)[1:].view(part.dtype).reshape(part.shape),
    "JAX": jax.numpy.asarray,
    "an object with __array__": lambda part: type("Lazy", (), {"__array__": lambda self, *_: part})(),
    "an object with an old __dlpack__": lambda part: type(
        "Old", (), {"__dlpack__": lambda self: part.__dlpack__(), "__dlpack_device__": lambda self: (1, 0)}
    )(),
}


@pytest.mark.parametrize("how", STRIDED)
def test_layouts(cache: tuple[np.ndarray, np.ndarray], how: str) -> None:
    plain, other = judge(*cache), judge(*map(STRIDED[how], cache))
    tables = other.to_dict()["inputs"][0]["tables"]
    assert (other.conforms, other.grade) == (plain.conforms, plain.grade)
    assert other.entries == tables * plain.entries


@pytest.mark.parametrize("how", STRIDED)
def test_layouts_of_what_is_wrong(cache: tuple[np.ndarray, np.ndarray], how: str) -> None:
    """Every entry is read from where it is: the one that is wrong is found."""
    cos, sin = cache
    cos[217, 9] += 0.25
    worst = judge(*map(STRIDED[how], (cos, sin))).worst
    assert worst is not None
    assert (worst["position"], worst["pair"], worst["component"]) == (217, 9, "cos")


def test_complex_and_side_by_side(cache: tuple[np.ndarray, np.ndarray]) -> None:
    cos, sin = cache
    for arrays in (
        {"freqs_cis": (cos + 1j * sin).astype(np.complex64)},
        {"freqs_cis": np.stack([cos, sin], axis=-1)},
        {"cos_sin_cache": np.concatenate([cos, sin], axis=-1)},
        {"cos": np.tile(cos, 2), "sin": np.tile(sin, 2)},
    ):
        report = posproof.check_rope(**arrays, **SPEC)
        assert report.conforms, report


def test_frequencies() -> None:
    frequencies = 500_000 ** -(np.arange(0, 64, 2) / 64)
    assert posproof.check_rope(inv_freq=frequencies.astype(np.float32), **SPEC).conforms
    report = posproof.check_rope(inv_freq=frequencies.astype(ml_dtypes.bfloat16).astype(np.float32), **SPEC)
    assert [finding["code"] for finding in report.findings] == ["low-precision-frequencies"]


@pytest.mark.parametrize("library", ["ml_dtypes", "JAX"])
def test_a_large_bf16_cache_is_not_copied(library: str) -> None:
    """64 MiB of bf16 are judged with less than a quarter of that in memory besides: there is no copy, and none in f32."""
    rows, dim = 1 << 17, 256
    cos, _ = posproof.rope_table(dim=2 * dim, positions=range(rows), dtype="bf16")
    lent = np.asarray(cos)
    assert lent.nbytes == 64 << 20
    subject = lent if library == "ml_dtypes" else jax.block_until_ready(jax.numpy.asarray(lent))
    # What is reserved once, by threads and tables, is reserved before.
    posproof.check_rope(subject[:4096], dim=2 * dim)
    more = grown(lambda: subject.copy())
    assert more > 60 << 20, f"a copy is to be seen, and only {more >> 20} MiB are"
    more = grown(lambda: posproof.check_rope(subject, dim=2 * dim))
    assert more < 16 << 20, f"{more >> 20} MiB"
    assert posproof.check_rope(subject, dim=2 * dim).grade == "correctly-rounded"


@pytest.mark.parametrize(
    "positions", [range(300), list(range(300)), np.arange(300), np.arange(300.0), "0..300", jax.numpy.arange(300)[None]]
)
def test_positions(cache: tuple[np.ndarray, np.ndarray], positions: Any) -> None:
    assert judge(*cache, positions=positions).conforms


def test_positions_that_begin_again(cache: tuple[np.ndarray, np.ndarray]) -> None:
    """Packed documents are one judgement, which names the rows of each that departs."""
    cos, sin = (np.concatenate([part[:100], part[:200]]) for part in cache)
    positions = [*range(100), *range(200)]
    report = judge(cos, sin, positions=positions)
    assert report.conforms and report.judged == [""] and report.entries == cos.size + sin.size
    assert judge(*cache, positions=positions).findings[0].code == "positions", "they go on where each begins anew"
    late = (np.concatenate([part[:100], part[7:107], part[:100]]) for part in cache)
    report = judge(*late, positions=[*range(100)] * 3)
    [finding] = report.findings
    assert finding.code == "position-offset" and [finding.where["rows"][key] for key in ("first", "count")] == [100, 100]
    # As many documents as rows have eight in a row: none is sorted away.
    many = [position for document in range(1200) for position in range(8)]
    assert judge(*(part[many] for part in cache), positions=many).conforms


def test_columns_and_layers_are_taken_at_any_positions(cache: tuple[np.ndarray, np.ndarray]) -> None:
    """Repeated columns that are stated, and layers that are left open, of packed documents as of one."""
    packed = [*range(100), *range(200)]
    cos, sin = (part[packed] for part in cache)
    halves = [np.concatenate([part, part], axis=1) for part in (cos, sin)]
    assert judge(*halves, positions=packed, duplication="halves").conforms
    report = judge(*halves, positions=packed, duplication="repeated")
    assert report.findings[0].code == "duplication" and report.findings[0].where is None
    one = judge(*(np.concatenate([part, part], axis=1) for part in cache), duplication="repeated")
    assert one.findings[0].message == report.findings[0].message
    gemma = {"model_type": "gemma3_text", "hidden_size": 64, "num_attention_heads": 2, "head_dim": 64, "num_hidden_layers": 7,
             "rope_theta": 1e6, "rope_local_base_freq": 500_000.0, "sliding_window_pattern": 6}
    report = posproof.check_rope(cos, sin, config=gemma, positions=packed)
    assert report.conforms and "no layer was stated: judged as " in str(report)


def test_array_of_python() -> None:
    """The standard library's arrays are buffers too."""
    theta = angles(40, 64, 500_000.0)
    cos = memoryview(array.array("f", np.cos(theta).ravel().tolist())).cast("B").cast("f", [40, 32])
    assert posproof.check_rope(cos, **SPEC).conforms
