#!/usr/bin/env python3
"""Times `posproof check` beside NumPy reading and summing the same file, in the same run.

    cargo build --release
    python3 benches/check_side_by_side.py [rounds] [--write]

The cache has 131072 positions and 128 entries each, in f32, computed by an ordinary f32 program; its 64 MiB stay in the
page cache. It is judged where it conforms, and where it does not: with another base, with frequencies in bf16, with positions that
end with a cache, with a row of zeros, with one wrong entry and with noise. Each round runs NumPy and posproof one after the other,
so that both see the machine in the same state; the median of the rounds' ratios is printed, and the peak memory of posproof for
this file and for one of a quarter of the rows. posproof's time is that of the whole process. As many entries are judged as
an image of two axes too. With --write the table of docs/findings.md is written from the same numbers. The marks, 2 where it conforms
and 10 where it does not, and twice these for two axes, are printed beside ratios that miss them.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
POSPROOF = os.environ.get("POSPROOF", str(ROOT / "target/release/posproof"))
ROWS, DIM = 131072, 128
ARGUMENTS = [argument for argument in sys.argv[1:] if argument != "--write"]
ROUNDS = int(ARGUMENTS[0]) if ARGUMENTS else 9
PAGE = ROOT / "docs/findings.md"
MARKS = ("<!-- times: begin -->\n", "\n<!-- times: end -->")

# What the median ratio is to stay below, by whether the file conforms.
MOST = {True: 2, False: 10}


def frequencies(base=10000.0):
    return (base ** (-numpy.arange(0, DIM, 2) / DIM)).astype(numpy.float32)


def angles(rows, omega=None, positions=None):
    positions = numpy.arange(rows) if positions is None else positions
    return positions.astype(numpy.float32)[:, None] * (frequencies() if omega is None else omega)


def to_bf16(values):
    """Rounded to nearest, ties to even; as f32."""
    bits = values.view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(numpy.float32)


def write(folder, rows):
    """An interleaved sinusoidal table, and a cache of duplicated halves."""
    angle = angles(rows)
    table = numpy.empty((rows, DIM), numpy.float32)
    table[:, 0::2], table[:, 1::2] = numpy.sin(angle), numpy.cos(angle)
    numpy.save(folder / f"table-{rows}.npy", table)
    cos = numpy.cos(angle)
    numpy.save(folder / f"cos-{rows}.npy", numpy.concatenate([cos, cos], axis=1))


def write_faulty(folder, rows):
    """Caches of duplicated halves that do not conform, by name."""
    right = numpy.cos(angles(rows))
    zeroed, wrong = right.copy(), right.copy()
    zeroed[rows // 2] = 0
    wrong[rows // 2, DIM // 4] += 0.5
    caches = {
        "another base": numpy.cos(angles(rows, frequencies(10001.0))),
        "frequencies in bf16": numpy.cos(angles(rows, to_bf16(frequencies()))),
        "clamped positions": numpy.cos(angles(rows, positions=numpy.minimum(numpy.arange(rows), 4095))),
        "a row of zeros": zeroed,
        "one wrong entry": wrong,
        "noise": numpy.random.default_rng(1).uniform(-1, 1, (rows, DIM // 2)).astype(numpy.float32),
    }
    paths = {}
    for name, cos in caches.items():
        paths[name] = folder / f"{name.replace(' ', '-')}-{rows}.npy"
        numpy.save(paths[name], numpy.concatenate([cos, cos], axis=1))
    return paths


def write_image(folder, rows, across=512):
    """Caches of an image so many tokens across, half of the pairs by each axis, by name; and its positions."""
    places = numpy.stack(numpy.divmod(numpy.arange(rows), across), axis=1)
    numpy.save(folder / "places.npy", places)
    half = DIM // 4

    def cosines(omega):
        each = [places[:, axis, None].astype(numpy.float32) * omega[axis * half :][:half] for axis in (0, 1)]
        return numpy.cos(numpy.concatenate(each, axis=1))

    right = cosines(frequencies())
    wrong = right.copy()
    wrong[rows // 2, half // 2] += 0.5
    noise = numpy.random.default_rng(1).uniform(-1, 1, right.shape).astype(numpy.float32)
    caches = {"right": right, "another base": cosines(frequencies(10001.0)), "one wrong entry": wrong, "noise": noise}
    paths = {}
    for name, cos in caches.items():
        paths[name] = folder / f"image-{name.replace(' ', '-')}.npy"
        numpy.save(paths[name], numpy.concatenate([cos, cos], axis=1))
    return paths


def command(*arguments):
    return [POSPROOF, "check", *arguments, "--dim", str(DIM)]


def posproof(*arguments, expected=0):
    start = time.perf_counter()
    status = subprocess.run(command(*arguments), stdout=subprocess.DEVNULL).returncode
    assert status == expected, f"exit status {status}, not {expected}: {arguments}"
    return time.perf_counter() - start


def peak_memory(*arguments):
    """In MiB, as Linux reports it for the process while it runs; None elsewhere."""
    process = subprocess.Popen(command(*arguments), stdout=subprocess.DEVNULL)
    peak = None
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            lines = [line for line in status.splitlines() if line.startswith("VmHWM")]
            name = pathlib.Path(f"/proc/{process.pid}/exe").readlink().name
            if lines and name == pathlib.Path(POSPROOF).name:
                peak = int(lines[0].split()[1]) / 1024
        except OSError:
            pass
    return peak


def read_and_sum(path):
    start = time.perf_counter()
    numpy.load(path).sum(dtype=numpy.float64)
    return time.perf_counter() - start


def measured(label, path, arguments, conforms, axes=1):
    """Milliseconds of posproof and of NumPy, and their ratio, each the median of the rounds; and the extremes of the ratio."""
    ours, theirs = [], []
    for _ in range(ROUNDS):
        theirs.append(read_and_sum(path))
        ours.append(posproof(*arguments, str(path), expected=0 if conforms else 1))
    ratios = [one / other for one, other in zip(ours, theirs)]
    ratio = statistics.median(ratios)
    most = axes * MOST[conforms]
    missed = "" if ratio <= most else f"; above {most}"
    print(
        f"{label}: check {statistics.median(ours) * 1e3:.0f} ms, NumPy {statistics.median(theirs) * 1e3:.0f} ms, "
        f"median ratio {ratio:.2f} (lowest {min(ratios):.2f}, highest {max(ratios):.2f}){missed}"
    )
    cells = [
        label,
        "yes" if conforms else "no",
        f"{statistics.median(ours) * 1e3:.0f} ms",
        f"{statistics.median(theirs) * 1e3:.0f} ms",
        f"{ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
        str(most),
    ]
    return f"| {' | '.join(cells)} |"


def write_page(rows, machine):
    """Puts the table where it stands in the page."""
    text = PAGE.read_text()
    before, rest = text.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    head = ["| file | conforms | `posproof check` | NumPy | ratio (lowest to highest) | at most |", "| --- | --- | --- | --- | --- | --- |"]
    table = "\n".join([*head, *rows, "", f"Medians of {ROUNDS} rounds; {machine}."])
    PAGE.write_text(before + MARKS[0] + table + MARKS[1] + after)


def main():
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for count in (ROWS, ROWS // 4):
            write(folder, count)
        cases = {"sinusoid": ("sinusoid", "--table", "table"), "cache": ("rope", "--cos", "cos")}
        for label, (subject, flag, stem) in cases.items():
            rows.append(measured(label, folder / f"{stem}-{ROWS}.npy", (subject, flag), True))
            memory = peak_memory(subject, flag, str(folder / f"{stem}-{ROWS}.npy"))
            quarter = peak_memory(subject, flag, str(folder / f"{stem}-{ROWS // 4}.npy"))
            if memory and quarter:
                print(f"{label}: memory {memory:.0f} MiB, {quarter:.0f} MiB for a quarter of the rows")
        for label, path in write_faulty(folder, ROWS).items():
            rows.append(measured(f"cache, {label}", path, ("rope", "--cos"), False))
        halves = [f"--axis=h:0..{DIM // 4};index=pairs", f"--axis=w:{DIM // 4}..{DIM // 2};index=pairs"]
        for label, path in write_image(folder, ROWS).items():
            arguments = ("rope", *halves, "--positions", str(folder / "places.npy"), "--cos")
            rows.append(measured(f"image of two axes, {label}", path, arguments, label == "right", 2))
    machine = f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    print(machine)
    if "--write" in sys.argv:
        write_page(rows, machine)


if __name__ == "__main__":
    main()
