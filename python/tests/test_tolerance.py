"""A test with certified tolerances, in place of one with tolerances picked by hand, refuses the faults of the catalogue and
accepts honest programs."""

import json
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import posproof
import pytest

VECTORS = Path(__file__).parents[2] / "vectors"


def groups(file: str) -> list[dict[str, Any]]:
    """The groups of a file of vectors that hold cosines and sines."""
    listed = json.loads((VECTORS / file).read_text(encoding="utf-8"))["groups"]
    return [group for group in listed if "cos" in group["tests"][0]]


FAULTS = groups("negative.json")
RIGHT = [group for file in ("rope.json", "rope_scaling.json", "sinusoid.json") for group in groups(file)]


def reference(group: dict[str, Any]) -> tuple[list[int], np.ndarray, np.ndarray, np.ndarray]:
    """The positions of a group, the exact cosines and sines rounded to f32, and their tolerances."""
    convention = group["convention"]
    positions = sorted({test["position"] for test in group["tests"]})
    options: dict[str, Any] = dict(convention=convention, positions=positions)
    atol = np.asarray(posproof.tolerance(convention["encoding"], **options).atol)
    if convention["encoding"] == "rope":
        cos, sin = (np.asarray(part) for part in posproof.rope_table(**options))
    else:
        table = np.asarray(posproof.sinusoid_table(**options))
        half = table.shape[1] // 2
        split = [table[:, :half], table[:, half:]]
        first, second = [table[:, 0::2], table[:, 1::2]] if convention["layout"] == "interleaved" else split
        sin, cos = (first, second) if convention["order"] == "sin-cos" else (second, first)
    return positions, cos.astype(float), sin.astype(float), atol


def departing(group: dict[str, Any]) -> list[int]:
    """The tests of a group that the certified tolerances refuse."""
    positions, cos, sin, atol = reference(group)

    def refused(test: dict[str, Any]) -> bool:
        at = (positions.index(test["position"]), test["pair"])
        found = (struct.unpack(">f", bytes.fromhex(test[name]["f32"]))[0] for name in ("cos", "sin"))
        return any(not abs(x - table[at]) <= atol[at] for x, table in zip(found, (cos, sin), strict=True))

    return [test["id"] for test in group["tests"] if refused(test)]


def named(group: dict[str, Any]) -> str:
    return str(group["name"])


@pytest.mark.parametrize("group", FAULTS, ids=named)
def test_faults_are_refused(group: dict[str, Any]) -> None:
    assert departing(group)


def test_every_fault_with_a_table_is_tested() -> None:
    assert len(FAULTS) >= 24


@pytest.mark.parametrize("group", RIGHT, ids=named)
def test_what_is_right_is_accepted(group: dict[str, Any]) -> None:
    assert departing(group) == []


def test_a_tolerance_is_an_array() -> None:
    """It broadcasts and compares as one, from either side, and says what it is of."""
    options: dict[str, Any] = dict(dim=8, positions=range(100))
    tolerance = posproof.tolerance(**options)
    atol = np.asarray(tolerance)
    assert atol.shape == tolerance.shape == (100, 4) and len(tolerance) == 100
    assert (np.from_dlpack(tolerance) == atol).all()
    assert tolerance.specification["dtype"] == "f32" and "of" not in tolerance.specification
    cos, _ = (np.asarray(part) for part in posproof.rope_table(**options))
    batch = np.stack([cos, cos])
    for within in (abs(batch - cos) <= tolerance, tolerance >= abs(batch - cos)):
        assert within.shape == (2, 100, 4) and within.all()
    assert not (abs(cos + 1 - cos) <= tolerance).all()
    assert (2 * tolerance == 2 * atol).all() and (tolerance + 1 > tolerance).all() and (tolerance[3] == atol[3]).all()
    assert np.asarray(tolerance, dtype="float32").dtype == np.float32
    assert "100×4" in repr(tolerance)


def test_a_tolerance_picked_by_hand_accepts_faults() -> None:
    """What is replaced: atol=1e-2 accepts four faults of the catalogue."""

    def accepted(group: dict[str, Any]) -> bool:
        positions, cos, sin, _ = reference(group)
        far = [
            abs(struct.unpack(">f", bytes.fromhex(test[name]["f32"]))[0] - table[positions.index(test["position"]), test["pair"]])
            for test in group["tests"]
            for name, table in (("cos", cos), ("sin", sin))
        ]
        return all(error <= 1e-2 for error in far)

    assert sorted(flag for group in FAULTS if accepted(group) for flag in group["flags"]) == [
        "fast-math",
        "fixed-point-entries",
        "interpolated-entries",
        "low-precision-storage",
    ]


POSITIONS = [*range(300), 2047, 4096, 65_537, 131_071]
DIM, BASE = 64, 500_000.0
EXPONENTS = np.arange(0, DIM, 2, dtype=np.float32) / np.float32(DIM)


def programs() -> dict[str, np.ndarray]:
    """Angles as honest programs in f32 compute them."""
    positions = np.array(POSITIONS, np.float32)[:, None]
    base = np.float32(BASE)
    frequencies = {
        "pow": base**-EXPONENTS,
        "reciprocal of pow": np.float32(1) / base**EXPONENTS,
        "exp": np.exp(-EXPONENTS * np.log(base)),
        "rounded": (BASE ** -(np.arange(0, DIM, 2) / DIM)).astype(np.float32),
        "repeated": np.cumprod(np.full(DIM // 2, base ** np.float32(-2 / DIM), np.float32)) / base ** np.float32(-2 / DIM),
    }
    assert all(one.dtype == np.float32 for one in frequencies.values())
    return {name: positions * one for name, one in frequencies.items()}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_honest_programs_are_accepted(dtype: str) -> None:
    """Against the table, and each against each other within twice the tolerance."""
    options: dict[str, Any] = dict(dim=DIM, base=500_000, positions=POSITIONS, dtype=dtype)
    atol = np.asarray(posproof.tolerance(**options).atol)
    cos, sin = (np.asarray(part).astype(float) for part in posproof.rope_table(**options))
    stored = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    made = {
        name: [wave(angles).astype(stored).astype(float) for wave in (np.cos, np.sin)]
        for name, angles in programs().items()
    }
    for name, parts in made.items():
        for part, table in zip(parts, (cos, sin), strict=True):
            assert (np.abs(part - table) <= atol).all(), name
        for other, theirs in made.items():
            assert all((np.abs(a - b) <= 2 * atol).all() for a, b in zip(parts, theirs, strict=True)), (name, other)


def test_the_c_header_is_c(tmp_path: Path) -> None:
    """A C program reads from the header what the array and the JSON hold."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("NOT TESTED: the header in C; there is no C compiler")
    tolerance = posproof.tolerance(dim=8, positions=[0, 7, 131_071])
    (tmp_path / "atol.h").write_text(tolerance.c_header(), encoding="utf-8")
    (tmp_path / "read.c").write_text(
        '#include <stdio.h>\n#include "atol.h"\n'
        'int main(void) {\n    for (int row = 0; row < 3; row++) {\n        printf("%llu", atol_positions[row]);\n'
        '        for (int pair = 0; pair < 4; pair++) printf(" %a", atol[row][pair]);\n        printf("\\n");\n    }\n'
        "    return 0;\n}\n",
        encoding="utf-8",
    )
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *strict, "-o", tmp_path / "read", tmp_path / "read.c"], check=True)
    printed = subprocess.run([tmp_path / "read"], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]
    document = tolerance.to_dict()
    rows = [(int(words[0]), [float.fromhex(word) for word in words[1:]]) for words in map(str.split, printed)]
    assert rows == [
        (position, [float.fromhex(x) for x in row])
        for position, row in zip(document["positions"], document["atol"], strict=True)
    ]
    assert [row for _, row in rows] == np.asarray(tolerance.atol).tolist()
