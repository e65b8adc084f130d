#!/usr/bin/env python3
"""Times NumPy and PyTorch, where they are installed, beside posproof's tables in the same run.

    cargo build --release --bench table_ratios
    python3 benches/side_by_side.py

Each round runs every candidate once, one after the other, so that all of them see the machine in the same state;
medians are compared. One thread each. The NumPy and PyTorch programs are the usual ones: positions times inverse
frequencies, sine and cosine, written into an array that has been touched. They are not correctly rounded.
"""

import json
import os
import statistics
import subprocess
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

SHAPES = [(131072, 128), (4096, 512)]
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 7


def numpy_candidates(rows, dim):
    try:
        import numpy
    except ImportError:
        return {}

    def candidate(dtype):
        out = numpy.ones((rows, dim), dtype)

        def run():
            frequencies = (10000.0 ** (-numpy.arange(0, dim, 2) / dim)).astype(dtype)
            angles = numpy.arange(rows, dtype=dtype)[:, None] * frequencies
            numpy.sin(angles, out=out[:, 0::2])
            numpy.cos(angles, out=out[:, 1::2])

        return run

    return {"numpy f32": candidate("float32"), "numpy f64": candidate("float64")}


def torch_candidates(rows, dim):
    try:
        import torch
    except ImportError:
        return {}
    torch.set_num_threads(1)

    def candidate(dtype):
        compute = dtype if dtype in (torch.float32, torch.float64) else torch.float32
        out = torch.ones((rows, dim), dtype=dtype)

        def run():
            frequencies = 10000.0 ** (-torch.arange(0, dim, 2, dtype=compute) / dim)
            angles = torch.arange(rows, dtype=compute)[:, None] * frequencies
            out[:, 0::2] = angles.sin()
            out[:, 1::2] = angles.cos()

        return run

    formats = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "f16": torch.float16}
    return {f"torch {name}": candidate(dtype) for name, dtype in formats.items()}


def program():
    """The newest build of the bench `table_ratios`."""
    command = ["cargo", "build", "--release", "--bench", "table_ratios", "--message-format", "json"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    artifacts = [json.loads(line) for line in lines]
    # The build makes the command-line program too.
    return next(a["executable"] for a in artifacts if a.get("executable") and a["target"]["name"] == "table_ratios")


def timed(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main():
    path = program()
    for rows, dim in SHAPES:
        candidates = {**numpy_candidates(rows, dim), **torch_candidates(rows, dim)}
        times = {}
        server = subprocess.Popen([path, "serve", str(rows), str(dim)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(ROUNDS):
            for name, run in candidates.items():
                times.setdefault(name, []).append(timed(run))
            server.stdin.write("round\n")
            server.stdin.flush()
            for name, seconds in json.loads(server.stdout.readline()).items():
                times.setdefault(name, []).append(seconds)
        server.stdin.close()
        server.wait()
        medians = {name: statistics.median(seconds) for name, seconds in times.items()}
        print(f"{rows} x {dim}, medians of {ROUNDS} rounds, one thread")
        for name, seconds in medians.items():
            line = f"  {name:<24}{seconds * 1e9 / (rows * dim):8.3f} ns per entry"
            ours = medians.get(f"posproof {name.split()[-1]}")
            if not name.startswith("posproof") and ours:
                line += f"   posproof takes {ours / seconds:.3f} of it"
            print(line)


if __name__ == "__main__":
    main()
