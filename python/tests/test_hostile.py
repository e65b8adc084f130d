"""What cannot be judged is an exception that says why; the interpreter never ends."""

import ctypes
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import posproof
import pytest

from dlpack import Managed, Tensor, capsule

OK = np.cos(np.outer(np.arange(8.0), 10000.0 ** -(np.arange(4) / 4))).astype(np.float32)


def refused(expected: str, *arrays: Any, error: type[Exception] = posproof.InvalidInput, **options: Any) -> None:
    with pytest.raises(error) as caught:
        posproof.check_rope(*arrays, **options)
    assert type(caught.value) is error
    assert str(caught.value) == expected


def test_arrays() -> None:
    nothing = "expected an array (DLPack, buffer protocol or __array__)"
    refused(f"cos: {nothing}; found list", [[1.0]], dim=8)
    refused(f"cos: {nothing}; found str", "cos.npy", dim=8)
    refused(f"cos: {nothing}; found object", object(), dim=8)
    refused("expected cos, sin or both, or one of freqs_cis, cos_sin_cache, inv_freq; found nothing", dim=8)
    refused(
        "cos: the dtype: expected floating-point numbers; found integers; state what one of them stands for as step; or "
        "check which array is meant",
        np.zeros((8, 4), np.int32),
        dim=8,
    )
    refused(
        "cos: the dtype: expected real numbers; found complex numbers; give cosines and sines in one as freqs_cis, or z.real "
        "as cos and z.imag as sin",
        OK + 1j * OK,
        dim=8,
    )
    refused(
        "cos: the shape: expected two axes or more, the last but one that of the positions; found [4]; frequencies are given "
        "as inv_freq; the row of one position is given as row[None, :]",
        OK[0],
        dim=8,
    )
    refused("cos: expected an array without a mask; found numpy.ma.MaskedArray", np.ma.masked_less(OK, 0), dim=8)
    advice = "check dim, rotary_dim, positions, sequence_axis and which array is meant"
    refused(f"cos: the last dimension: expected 8 or 16; found 4; {advice}", OK, dim=16)
    refused(
        f"cos: the last dimension but one: expected 9 rows, one for each position; found 8; {advice}",
        OK,
        dim=8,
        positions=range(9),
    )


@pytest.mark.parametrize("shape", [(0, 4), (8, 0), (0, 8, 4), ()])
def test_empty(shape: tuple[int, ...]) -> None:
    with pytest.raises(posproof.InvalidInput, match=r"cos: the shape: expected (tables of at least one row|two axes)"):
        posproof.check_rope(np.zeros(shape, np.float32), dim=8)


def test_foreign_byte_order_and_kinds() -> None:
    for dtype in (">f4", ">f8", "S4", "O", "M8[s]"):
        with pytest.raises(posproof.InvalidInput, match=r"^cos: "):
            posproof.check_rope(OK.astype(dtype) if dtype[0] == ">" else np.zeros((8, 4), dtype), dim=8)
    expected = "cos: expected entries in the byte order of this machine, in a floating-point format or integers; found dtype"
    for dtype, advice in ((">f4", "float32"), (">f8", "float64"), ("O", "float64")):
        wrong = OK.astype(dtype)
        refused(f"{expected} {wrong.dtype}; convert it first: .astype('{advice}')", wrong, dim=8)
        # What is advised helps.
        assert posproof.check_rope(wrong.astype(advice), dim=8).conforms
    with pytest.raises(posproof.InvalidInput, match=r"^positions: expected .* found dtype >i8; .*\.astype\('int64'\)$"):
        posproof.check_rope(OK, dim=8, positions=np.arange(8, dtype=">i8"))


def test_arrays_that_do_not_go_together() -> None:
    """Nothing that is given is ignored."""
    found: list[tuple[dict[str, Any], str]] = [
        ({"table": OK, "cos": OK}, "table and cos"),
        ({"x": OK, "y": OK, "sin": OK}, "sin and x and y"),
        ({"cos": OK, "x": OK}, "cos and x"),
        ({"table": OK, "y": OK}, "table and y"),
    ]
    every = "expected cos, sin or both, or x and y, or one of table, freqs_cis, cos_sin_cache"
    for arrays, names in found:
        with pytest.raises(posproof.InvalidInput) as caught:
            posproof.identify(**arrays)
        assert str(caught.value) == f"{every}, inv_freq; found {names}"
        with pytest.raises(posproof.InvalidInput, match="^expected cos, sin or both, or .*; found "):
            posproof.positions(**arrays, dim=8)
    with pytest.raises(posproof.InvalidInput, match="expected x and y; found one of them; give both"):
        posproof.identify(x=OK)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_not_finite(value: float) -> None:
    cos = OK.copy()
    cos[5, 2] = value
    report = posproof.check_rope(cos, dim=8)
    assert not report.conforms
    assert report.findings[0]["code"] == "not-finite"
    assert report.worst is not None and report.worst["position"] == 5


def test_options() -> None:
    refused(
        "check_rope(): unknown keyword 'rotary_dims': did you mean rotary_dim?",
        OK,
        dim=8,
        rotary_dims=4,
        error=TypeError,
    )
    # Names of other libraries, and of the layouts.
    for other, own in (("rope_theta", "base"), ("head_dim", "dim"), ("position_ids", "positions")):
        refused(f"check_rope(): unknown keyword '{other}': it is {own} here", OK, dim=8, error=TypeError, **{other: 8})
    with pytest.raises(posproof.InvalidInput, match="layout: .*`neox`.*: it is halves here"):
        posproof.check_rope(OK, dim=8, layout="neox")  # type: ignore[typeddict-item]
    refused("no dimension: expected dim or config", OK)
    refused("dim: expected a whole number from 0 on; found 8.5", OK, dim=8.5)
    refused("dim: expected a whole number from 0 on; found True", OK, dim=True)
    refused("base: 1; expected a finite real number > 1", OK, dim=8, base=1)
    refused("base: expected a number, or text such as '1/8'; found dict", OK, dim=8, base={})
    refused("angle_scale: 0; expected a number other than 0", OK, dim=8, angle_scale=0)
    refused("dtype: expected float16, bfloat16, float32, float64, float8_e4m3fn or float8_e5m2; found 'int8'", OK, dim=8, dtype="int8")
    refused("layer: expected with config only; found no config", OK, dim=8, layer=3)
    refused(
        "scaling: expected the name of a rule, or a dictionary with its parameters; found an empty one",
        OK,
        dim=8,
        scaling={},
    )
    refused(
        "factor without a scaling rule: expected scaling with one of linear, ntk, dynamic, yarn, llama3, longrope, proportional",
        OK,
        dim=8,
        factor=2,
    )
    for base in (float("nan"), float("inf"), "1e99999"):
        with pytest.raises(posproof.InvalidInput, match="is not a finite real number"):
            posproof.check_rope(OK, dim=8, base=base)
    for positions in ("x", range(0), np.zeros((2, 2, 2), int), object(), [1, None], np.array([np.inf]), np.array([2, np.nan, 1]), "0.5..2"):
        with pytest.raises(posproof.InvalidInput, match=r"^(no )?positions"):
            posproof.check_rope(OK, dim=8, positions=positions)
    for positions in ([1, -1], [0.5], np.array([0.5]), range(-2, 3)):
        with pytest.raises(posproof.InvalidInput, match=f"expected {len(positions)} rows, one for each position"):
            posproof.check_rope(OK, dim=8, positions=positions)


def test_configurations() -> None:
    refused("config: expected an object with to_dict(), a dictionary or a path; found int", OK, config=3)
    refused(
        "config: expected a to_dict() that returns a dictionary; found list", OK, config=SimpleNamespace(to_dict=list)
    )
    with pytest.raises(posproof.InvalidInput, match=r"^config: "):
        posproof.check_rope(OK, config={"model_type": "no-such-family"})
    recursive: dict[str, Any] = {}
    recursive["text_config"] = recursive
    with pytest.raises(posproof.InvalidInput, match="Circular reference"):
        posproof.check_rope(OK, config=recursive)
    with pytest.raises(ZeroDivisionError):
        posproof.check_rope(OK, config=SimpleNamespace(to_dict=lambda: 1 // 0))


class Lends:
    """A producer whose methods do what they are told."""

    def __init__(self, capsule: Any, device: tuple[int, int] = (1, 0)) -> None:
        self.capsule, self.device = capsule, device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **_: object) -> Any:
        if isinstance(self.capsule, BaseException):
            raise self.capsule
        return self.capsule


def test_producers_that_raise() -> None:
    refused("cos: expected an array; __dlpack__ raised RuntimeError: gone", Lends(RuntimeError("gone")), dim=8)
    with pytest.raises(posproof.InvalidInput) as caught:
        posproof.check_rope(Lends(ValueError("gone")), dim=8)
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(KeyboardInterrupt):
        posproof.check_rope(Lends(KeyboardInterrupt()), dim=8)
    with pytest.raises(posproof.InvalidInput, match="__array__ raised"):
        posproof.check_rope(type("Broken", (), {"__array__": lambda self: 1 // 0})(), dim=8)
    with pytest.raises(posproof.InvalidInput, match=r"^cos: expected an array"):
        posproof.check_rope(type("Itself", (), {"__array__": lambda self: self})(), dim=8)


def test_devices() -> None:
    advice = "copy it first: x.cpu() (PyTorch), jax.device_get(x), cupy.asnumpy(x)"
    refused(f"cos: expected memory of the host; found cuda:1; {advice}", Lends(None, (2, 1)), dim=8)
    refused(f"cos: expected memory of the host; found DLPack's device type 4:0; {advice}", Lends(None, (4, 0)), dim=8)


def test_used_and_foreign_capsules() -> None:
    used = OK.__dlpack__()
    np.from_dlpack(Lends(used))
    for capsule in (used, 3, None):
        with pytest.raises(posproof.InvalidInput, match=r"^cos: expected an array; __dlpack__ raised"):
            posproof.check_rope(Lends(capsule), dim=8)


HUGE = 1 << 62


@pytest.mark.parametrize(
    "lie",
    [
        dict(ndim=-1),
        dict(shape=None),
        dict(data=None),
        dict(shape=[-8, 4]),
        dict(shape=[HUGE, 4]),
        dict(shape=[HUGE, HUGE]),
        dict(strides=[HUGE, 1]),
        dict(strides=[-HUGE, 1]),
        dict(byte_offset=(1 << 64) - 1),
        dict(bits=0),
        dict(lanes=0),
        dict(lanes=4),
        dict(bits=8),
        dict(code=17),
        dict(device_type=99),
    ],
    ids=str,
)
def test_lying_capsules(lie: dict[str, Any]) -> None:
    """Everything about a capsule that can be seen to be wrong is."""
    vector = ctypes.c_int64 * 2
    lists = {"shape": vector(8, 4), "strides": vector(4, 1)}
    tensor = Tensor(
        OK.ctypes.data, 1, 0, 2, 2, 32, 1, ctypes.addressof(lists["shape"]), ctypes.addressof(lists["strides"]), 0
    )
    for name, value in lie.items():
        if isinstance(value, list):
            lists[name] = vector(*value)
            value = ctypes.addressof(lists[name])
        setattr(tensor, name, value)
    managed = Managed(tensor, None, None)
    with pytest.raises(posproof.InvalidInput, match=r"^cos: "):
        posproof.check_rope(Lends(capsule(managed)), dim=8)


def test_an_honest_capsule_passes() -> None:
    """The capsules of the test above are right but for the lie."""
    vector = ctypes.c_int64 * 2
    shape, strides = vector(8, 4), vector(4, 1)
    tensor = Tensor(OK.ctypes.data, 1, 0, 2, 2, 32, 1, ctypes.addressof(shape), ctypes.addressof(strides), 0)
    managed = Managed(tensor, None, None)
    assert posproof.check_rope(Lends(capsule(managed)), dim=8).conforms


INTERRUPTED = """
import _thread, signal, threading, time, posproof
# Who starts this may ignore the signal, as shells do in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
start, used = time.monotonic(), time.process_time()
{work}
eighth, whole = (time.monotonic() - start) / 8, time.process_time() - used
threading.Timer(eighth, _thread.interrupt_main).start()
used = time.process_time()
try:
    {work}
except KeyboardInterrupt:
    # Of the processor, which others may keep busy too.
    print("interrupted", time.process_time() - used < 0.6 * whole)
"""


@pytest.mark.parametrize(
    ("before", "work"),
    [
        ("", "posproof.bound('rope', dim=512, positions=range(1 << 17), worst=True)"),
        (
            "table = posproof.rope_table(dim=256, positions=range(1 << 17))[0]",
            "posproof.check_rope(table, dim=256, base=10001, positions=range(1, (1 << 17) + 1))",
        ),
    ],
)
def test_interruption(before: str, work: str) -> None:
    """Ctrl-C ends the work, not the interpreter, and long before the work would have ended."""
    code = INTERRUPTED.format(before=before, work=work)
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.returncode) == ("interrupted True\n", 0), done.stderr


def test_the_lock_is_released() -> None:
    """Another thread runs while a table is judged."""
    import threading

    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1

    cos, _ = posproof.rope_table(dim=256, positions=range(1 << 15))
    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    posproof.check_rope(cos, dim=256, positions=range(1 << 15))
    during = counted - before
    stop.set()
    thread.join()
    assert during > 1000


def test_after_a_fork() -> None:
    """A process that was forked judges too: its threads are its own."""
    code = (
        "import os, numpy as np, posproof\n"
        "c = np.ones((4, 4), np.float32)\n"
        "posproof.check_rope(c, dim=8)\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    posproof.check_rope(c, dim=8)\n"
        "    os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "7\n", done.stderr


def test_outputs_have_names() -> None:
    document = {"cos": OK}
    for pair in (((OK, OK), document), (document, OK)):
        with pytest.raises(posproof.InvalidInput, match=r"^[ab]: expected arrays by name, such as .*; found (tuple|ndarray)$"):
            posproof.compare(*pair, dim=8)
