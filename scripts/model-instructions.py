"""Random instructions of matrix units, as the model of arXiv 2511.10909 computes them, for the emulator to be compared with.

    python3 model-instructions.py CHECKOUT FOLDER COUNT [NAME ...]

CHECKOUT is one of <https://github.com/microsoft/MMA-Sim>, whose classes are called as they are; it needs PyTorch, and this
script the package safetensors. FOLDER gets a file for each accumulator and format, with COUNT instructions or a few more for
each accumulator: a [calls, m, k], b [calls, n, k], c and d [calls, m, n], and scales of blocks where there are some. The test
`instructions_are_those_of_the_published_model` of crates/bound/tests/hardware.rs reads it.
"""

import sys
import time
from pathlib import Path

import torch
from safetensors.torch import save_file

sys.path.insert(0, sys.argv[1])
from mmasim.isa.common import nv_torch_dtype  # noqa: E402
from mmasim.simulator import nv_ptx  # noqa: E402

# Accumulator: the model's class, its architecture, the instruction's shape with a place for the formats, and the formats.
ROWS = {
    "volta": (nv_ptx.mma, "Volta", "m8n8k4.f32.{0}.{0}.f32", ["f16"]),
    "ampere": (nv_ptx.mma, "Ampere", "m16n8k8.f32.{0}.{0}.f32", ["f16", "bf16"]),
    "ada-fp8": (nv_ptx.mma, "Ada Lovelace", "m16n8k16.f32.{0}.{0}.f32", ["e4m3", "e5m2"]),
    "hopper": (nv_ptx.wgmma, "Hopper", "m64n8k16.f32.{0}.{0}", ["f16", "bf16"]),
    "hopper-fp8": (nv_ptx.wgmma, "Hopper", "m64n8k32.f32.{0}.{0}", ["e4m3", "e5m2"]),
    "blackwell": (nv_ptx.tcgen05mma, "Blackwell", "m64n8k16.f32.{0}.{0}", ["f16", "bf16"]),
    "blackwell-fp8": (nv_ptx.tcgen05mma, "Blackwell", "m64n8k32.f32.{0}.{0}", ["e4m3", "e5m2"]),
    "blackwell-fp4": (nv_ptx.tcgen05mma_block_scale, "Blackwell", "m128n8k64.{0}.f32.e2m1.e2m1", ["block16-ue4m3", "block32-ue8m0"]),
}
DIGITS = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
GENERATOR = torch.Generator().manual_seed(40)


def below(limit, shape):
    return torch.randint(limit, shape, generator=GENERATOR)


def any_bits(dtype, shape):
    """Finite numbers of any bits but zero."""
    bits = 8 * torch.empty(0, dtype=dtype).element_size()
    whole = {8: torch.uint8, 16: torch.int16, 32: torch.int32}[bits]
    numbers = below(1 << bits, shape).to(whole).view(dtype)
    wide = numbers.double()
    return torch.where(torch.isfinite(wide) & (wide != 0), wide, 1.0).to(dtype)


def of_some_binades(dtype, shape, binades, top):
    """Numbers of either sign below 2^top, of so many binades."""
    sign = 1.0 - 2.0 * below(2, shape).double()
    significand = 1.0 + below(1 << 23, shape).double() / (1 << 23)
    return (sign * significand * 2.0 ** (top - 1 - below(binades, shape))).to(dtype)


def codes(m, k):
    """Numbers of E2M1, two to a byte, and the numbers themselves."""
    code = below(16, (m, k))
    digits = torch.tensor(DIGITS)[code % 8] * (1 - 2 * (code // 8))
    return (code[:, 0::2] | code[:, 1::2] << 4).to(torch.uint8), digits


def instruction(row, name):
    kind, arch, shape, _ = row
    if kind is nv_ptx.tcgen05mma_block_scale:
        block, scale = name.split("-")
        return kind(arch, f"{shape.format(block)}.{scale}")
    return kind(arch, shape.format(name))


def call(unit, name):
    m, n, k = unit.m, unit.n, unit.k
    binades = 1 + int(below(12, ()))
    if "-" in name:
        (a, digits_a), (b, digits_b) = codes(m, k), codes(n, k)
        scale = nv_torch_dtype[name.split("-")[1]]
        # Subnormal scales among them, but not zero.
        blocks, top = k // unit.block_size, int(below(15, ())) - 7
        scales = [of_some_binades(torch.float32, (rows, blocks), binades, top).abs() for rows in (m, n)]
        if name.endswith("ue8m0"):
            scales = [2.0 ** torch.floor(torch.log2(x)) for x in scales]
        else:
            scales = [x.clamp(min=2.0**-9) for x in scales]
        scales = [x.to(scale) for x in scales]
        c = of_some_binades(torch.float32, (m, n), 2 * binades + 8, 2 * top + 6)
        d = unit(a, b.T, c, scales[0], scales[1].T)
        return {"a": digits_a, "b": digits_b, "c": c, "d": d, "scale_a": scales[0], "scale_b": scales[1]}
    if int(below(4, ())) == 0:
        a, b = any_bits(unit.a_type, (m, k)), any_bits(unit.b_type, (n, k))
        c = any_bits(torch.float32, (m, n)) if unit.a_type == torch.bfloat16 else of_some_binades(torch.float32, (m, n), 40, 16)
    else:
        top = int(below(8, ()))
        a, b = (of_some_binades(dtype, (rows, k), binades, top) for dtype, rows in ((unit.a_type, m), (unit.b_type, n)))
        c = of_some_binades(torch.float32, (m, n), 2 * binades + 8, 2 * top + 2)
    return {"a": a, "b": b, "c": c, "d": unit(a, b.T, c)}


def main():
    folder, count, names = Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] or list(ROWS)
    folder.mkdir(parents=True, exist_ok=True)
    for accumulator in names:
        row = ROWS[accumulator]
        for name in row[3]:
            unit, started, calls = instruction(row, name), time.time(), []
            while len(calls) * unit.m * unit.n * len(row[3]) < count:
                calls.append({tensor: x.float() for tensor, x in call(unit, name).items()})
            stacked = {tensor: torch.stack([one[tensor] for one in calls]).contiguous() for tensor in calls[0]}
            save_file(stacked, folder / f"{accumulator}-{name}.safetensors", metadata={"model": unit.qualifier})
            print(accumulator, name, stacked["d"].numel(), f"{time.time() - started:.0f} s", flush=True)


torch.set_num_threads(1)
main()
