"""Arrays are read where they are and nowhere else, and given back once.

Each array ends where the process's memory ends: the next page is one that no one may read, so that an access beyond the last
entry, or before the first, is a fault that ends the process.
"""

import ctypes
import mmap
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import posproof
import pytest

from conftest import angles
from dlpack import Deleter, Managed, Tensor, capsule

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

NOTHING, PAGE = 0, mmap.PAGESIZE


def fenced(array: np.ndarray, end: bool) -> np.ndarray:
    """A copy of an array between pages that no one may read, up against the second, or the first. It is never freed."""
    pages = -(-array.nbytes // PAGE)
    whole = libc.mmap(None, (pages + 2) * PAGE, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANON, -1, 0)
    assert whole not in (None, ctypes.c_void_p(-1).value)
    for fence in (whole, whole + (pages + 1) * PAGE):
        assert libc.mprotect(fence, PAGE, NOTHING) == 0
    start = whole + PAGE + (pages * PAGE - array.nbytes if end else 0)
    ctypes.memmove(start, array.ctypes.data, array.nbytes)
    lent: Any = (ctypes.c_char * array.nbytes).from_address(start)
    flat: np.ndarray = np.frombuffer(lent, np.uint8)
    return flat.view(array.dtype).reshape(array.shape)


FORMATS = [np.float64, np.float32, np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn]
VIEWS: list[Callable[[np.ndarray], np.ndarray]] = [
    lambda part: part,
    lambda part: part[::-1],
    lambda part: part[::3],
    lambda part: np.broadcast_to(part, (2, *part.shape)),
]


@pytest.mark.parametrize("end", [False, True])
@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("rows", [1, 7, 1000])
def test_nothing_beside_an_array_is_read(rows: int, dtype: Any, end: bool) -> None:
    """Every judgement, in every format: vectors of odd numbers of rows too, which lanes and blocks do not divide."""
    theta = angles(rows, 38)
    cos, sin = (fenced(wave(theta).astype(dtype), end) for wave in (np.cos, np.sin))
    for view in VIEWS:
        posproof.check_rope(view(cos), view(sin), dim=38)
    x = fenced(np.ones((rows, 38), dtype), end)
    posproof.check_rotation(x, x, dim=38, positions=range(rows))
    posproof.check_sinusoid(x, dim=38)
    posproof.check_rope(cos_sin_cache=x, dim=38)
    posproof.check_rope(inv_freq=x[0, :19], dim=38)
    if rows > 1:
        posproof.identify(cos=cos, sin=sin)
        posproof.positions(cos=cos, sin=sin, dim=38)
    posproof.check_rope(cos, sin, dim=38, positions=fenced(np.arange(rows), end))


def test_the_fence_holds() -> None:
    """What the test above rests on: whoever reads beside the array ends."""
    for end, offset in ((True, "array.nbytes"), (False, "-1")):
        code = (
            "import ctypes, numpy as np, test_memory\n"
            f"array = test_memory.fenced(np.ones(5), {end})\n"
            f"ctypes.string_at(array.ctypes.data + {offset}, 1)\n"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent)
        assert done.returncode in (-11, -7), done.returncode


class Lends:
    """Lends an array whose memory no one may read any more once it was given back, and counts how often that is."""

    def __init__(self, array: np.ndarray, bits: int = 32) -> None:
        self.returned = 0
        self._array = fenced(array, end=True)
        self._lists = [(ctypes.c_int64 * 2)(*array.shape), (ctypes.c_int64 * 2)(array.shape[1], 1)]
        shape, strides = map(ctypes.addressof, self._lists)
        tensor = Tensor(self._array.ctypes.data, 1, 0, 2, 2, bits, 1, shape, strides, 0)
        self._deleter = Deleter(self._back)
        self._managed = Managed(tensor, None, ctypes.cast(self._deleter, ctypes.c_void_p))

    def _back(self, _: int) -> None:
        self.returned += 1
        first = self._array.ctypes.data // PAGE * PAGE
        libc.mprotect(first, -(-(self._array.ctypes.data + self._array.nbytes - first) // PAGE) * PAGE, NOTHING)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: object) -> Any:
        return capsule(self._managed)


def test_what_is_lent_is_given_back_once() -> None:
    """After the judgement, not before it; also where it conforms to nothing, or is refused."""
    theta = angles(500, 64)
    for options, bits in ((dict(dim=64), 32), (dict(dim=64, base=7), 32), (dict(dim=6), 32), (dict(dim=64), 8)):
        lent = [Lends(wave(theta), bits) for wave in (np.cos, np.sin)]
        try:
            posproof.check_rope(*lent, **options)  # type: ignore[arg-type]
        except posproof.InvalidInput:
            assert bits == 8 or options["dim"] == 6
        # The second is not asked for where the first is refused.
        assert [one.returned for one in lent] == ([1, 0] if bits == 8 else [1, 1])
