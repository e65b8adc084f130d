#!/usr/bin/env python3
"""Times `posproof.check_rope` on an array in memory beside `posproof check` on the same array in a file, in the same run.

    cargo build --release && sh scripts/python wheel     # and install the wheel where PyTorch or JAX is
    python3 benches/check_python_side_by_side.py [rounds]

The array is a cache of 131072 positions and 256 cosines each in bf16, 64 MiB, made by PyTorch, or else by JAX, in f32 and
rounded. Each round runs one after the other, so that both see the machine in the same state; the median of the rounds' ratios
is printed. The command's time is that of the whole process, which reads the file from the page cache; both must come from
builds of the same profile. That nothing is copied is tested: python/tests/test_arrays.py, python/tests/test_models.py.
"""

import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import posproof

ROOT = pathlib.Path(__file__).resolve().parent.parent
POSPROOF = os.environ.get("POSPROOF", str(ROOT / "target/release/posproof"))
ROWS, PAIRS = 1 << 17, 256
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 9


def cache(file):
    """The cosines as an array of PyTorch or JAX, which are written to a file too."""
    if importlib.util.find_spec("torch"):
        import torch
        from safetensors.torch import save_file

        angles = torch.outer(torch.arange(ROWS).float(), 10000.0 ** -(torch.arange(PAIRS) / PAIRS))
        cos = angles.cos().to(torch.bfloat16)
        save_file({"cos": cos}, file)
        return "PyTorch", cos
    import jax
    import jax.numpy as jnp

    angles = jnp.outer(jnp.arange(ROWS, dtype=jnp.float32), 10000.0 ** -(jnp.arange(PAIRS) / PAIRS))
    cos = jax.block_until_ready(jnp.cos(angles).astype(jnp.bfloat16))
    bits = memoryview(jax.lax.bitcast_convert_type(cos, jnp.uint16).__array__()).cast("B")
    header = b'{"cos":{"dtype":"BF16","shape":[%d,%d],"data_offsets":[0,%d]}}' % (ROWS, PAIRS, len(bits))
    pathlib.Path(file).write_bytes(len(header).to_bytes(8, "little") + header + bits)
    return "JAX", cos


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/cos.safetensors"
        library, cos = cache(file)
        command = [POSPROOF, "check", "rope", "--cos", f"{file}:cos", "--dim", str(2 * PAIRS)]

        def outside():
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

        def inside():
            assert posproof.check_rope(cos, dim=2 * PAIRS).conforms

        inside()
        rounds = [(seconds(inside), seconds(outside)) for _ in range(ROUNDS)]
    ratio = statistics.median(here / there for here, there in rounds)
    here, there = (statistics.median(times) for times in zip(*rounds, strict=True))
    print(f"{library}, {ROWS} × {PAIRS} bf16, {ROUNDS} rounds")
    print(f"in Python {here:.3f} s, the command {there:.3f} s, median of the ratios {ratio:.2f}")


if __name__ == "__main__":
    main()
