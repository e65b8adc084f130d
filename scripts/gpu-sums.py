"""Sums of products as the matrix units of this GPU compute them: of witnesses that posproof wrote, and of random inputs.

    python3 gpu-sums.py OUT.safetensors [WITNESS.safetensors ...]

Needs PyTorch and Triton on a Hopper GPU or later, and the package safetensors; nothing of posproof. A witness is what
`posproof bound attention ... --witness FILE` writes. OUT holds, of each sum, the inputs as bits and the results in binary32, and what
failed in its metadata; `cargo test -p posproof-bound --test accumulators` compares them with the emulator.
"""

import json
import sys

import torch
import triton
import triton.language as tl
from safetensors import safe_open
from safetensors.torch import save_file

ROWS = 64
FORMATS = {
    "e4m3": (torch.float8_e4m3fn, 32, 8.0, -8),
    "e5m2": (torch.float8_e5m2, 32, 8.0, -12),
    "f16": (torch.float16, 16, 8.0, -10),
    "bf16": (torch.bfloat16, 16, 8.0, -20),
}


@triton.jit
def product(a, b, d, terms, BLOCK: tl.constexpr, IMPRECISE: tl.constexpr):
    """d = a bᵀ for 64 rows of each, the products added block by block to one accumulator."""
    rows = tl.arange(0, 64)
    columns = tl.arange(0, BLOCK)
    accumulator = tl.zeros((64, 64), dtype=tl.float32)
    for start in range(0, terms, BLOCK):
        left = tl.load(a + rows[:, None] * terms + start + columns[None, :])
        right = tl.load(b + rows[:, None] * terms + start + columns[None, :])
        # Triton accepts no interval above the block: without one nothing is flushed.
        if IMPRECISE > 0:
            accumulator = tl.dot(left, tl.trans(right), accumulator, max_num_imprecise_acc=IMPRECISE)
        else:
            accumulator = tl.dot(left, tl.trans(right), accumulator)
    tl.store(d + rows[:, None] * 64 + rows[None, :], accumulator)


def multiplied(a, b, block, flush=None):
    """The product by Triton; the accumulator is added to a register after `flush` products, where that is given."""
    d = torch.empty((ROWS, ROWS), dtype=torch.float32, device="cuda")
    product[(1,)](a, b, d, a.shape[1], BLOCK=max(block, flush or 0), IMPRECISE=flush or 0, num_warps=4)
    return d.cpu()


def bits(x):
    """The numbers as whole numbers of as many bits."""
    return x.cpu().contiguous().view(torch.uint8 if x.element_size() == 1 else torch.int16)


def random(generator, dtype, terms, most, least):
    """Random numbers of many magnitudes."""
    exponents = torch.randint(least, 3, (ROWS, terms), generator=generator)
    x = torch.randn((ROWS, terms), generator=generator) * torch.exp2(exponents.float())
    return x.clamp(-most, most).to(dtype).cuda().contiguous()


def attempt(results, failures, name, compute):
    """The result under its name, or why there is none."""
    try:
        results[name] = compute().detach().cpu().contiguous()
    except Exception as error:  # Whatever the installation lacks is said, and the rest goes on.
        failures[name] = f"{type(error).__name__}: {error} {error.__cause__}"[-400:]


def sums(results, failures):
    """Random sums of one, four and thirty-two instructions."""
    generator = torch.Generator().manual_seed(1)
    for name, (dtype, block, most, least) in FORMATS.items():
        for instructions in (1, 4, 32):
            terms = block * instructions
            a, b = (random(generator, dtype, terms, most, least) for _ in range(2))
            key = f"random.{name}.{terms}"
            attempt(results, failures, f"{key}.d", lambda: multiplied(a, b, block))
            results[f"{key}.a"], results[f"{key}.b"] = bits(a), bits(b)


def alone(x, dtype):
    """64 rows of which the first is x."""
    rows = torch.zeros((ROWS, x.numel()), dtype=torch.float32)
    rows[0] = x.float()
    return rows.to(dtype).cuda().contiguous()


def witness(results, failures, path):
    """The weighted sum of a witness, and its attention, by all ways there are."""
    with safe_open(path, "pt") as file:
        about = json.loads(file.metadata()["posproof"])
        tensors = {key: file.get_tensor(key) for key in file.keys()}
    name = path.rsplit("/", 1)[-1].removesuffix(".safetensors")
    dtype, block, _, _ = FORMATS[about["inputs"]]
    if "sum.weights" in tensors:
        weights, values = tensors["sum.weights"], tensors["sum.values"]
        a, b = alone(weights, dtype), alone(values, dtype)
        one = torch.ones((), device="cuda")
        flush = about.get("flush")
        attempt(results, failures, f"{name}.triton", lambda: multiplied(a, b, block, flush)[0, 0])
        if dtype.itemsize == 1:
            for fast in (True, False):
                attempt(
                    results,
                    failures,
                    f"{name}.scaled_mm.{'fast' if fast else 'slow'}",
                    lambda: torch._scaled_mm(a, b.t(), one, one, out_dtype=torch.float32, use_fast_accum=fast)[0, 0],
                )
        else:
            attempt(results, failures, f"{name}.mm", lambda: torch.mm(a, b.t(), out_dtype=torch.float32)[0, 0])
    if dtype.itemsize == 2 and "q" in tensors:
        q, k, v = (tensors[key].to(dtype).cuda()[None, None] for key in ("q", "k", "v"))
        v = v.expand(-1, -1, -1, q.shape[-1]).contiguous()
        attend = torch.nn.functional.scaled_dot_product_attention
        attempt(results, failures, f"{name}.sdpa", lambda: attend(q, k, v)[0, 0, 0, 0].float())


def main():
    """Runs all, and writes the file."""
    out, paths = sys.argv[1], sys.argv[2:]
    results, failures = {}, {}
    sums(results, failures)
    for path in paths:
        witness(results, failures, path)
    device = torch.cuda.get_device_name()
    about = {"device": device, "torch": torch.__version__, "triton": triton.__version__, "failures": failures}
    save_file(results, out, metadata={"about": json.dumps(about)})
    print(json.dumps(about, indent=1))
    for name, value in sorted(results.items()):
        if value.numel() == 1:
            print(name, float(value), float(value).hex())


if __name__ == "__main__":
    main()
