"""Attention as PyTorch's kernels compute it on this GPU: of inputs that posproof wrote, and of random ones.

    python3 gpu-attention.py FOLDER [STORED.safetensors ...]

Needs PyTorch and the package safetensors; nothing of posproof. A stored file has q [rows, dim], k [keys, dim] and v [keys, components], as
`posproof bound attention ... --witness FILE` writes them. For each, and for random inputs in f16 and in bf16, FOLDER gets a file with these
tensors and an output of each kernel that runs; what fails is in its metadata. They are judged one by one:

    posproof check attention --kernel kernel.json --inputs FILE --output FILE:flash
"""

import json
import sys
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "math": SDPBackend.MATH,
}
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, KEYS, DIM = 64, 4096, 128


def attended(backend, q, k, v):
    """The outputs [rows, components] in binary32; kernels want as many components as q has."""
    wide = torch.nn.functional.pad(v, (0, q.shape[1] - v.shape[1]))
    q, k, wide = (x.to(DEVICE)[None, None] for x in (q, k, wide))
    with sdpa_kernel(backend):
        out = torch.nn.functional.scaled_dot_product_attention(q, k, wide)
    return out[0, 0, :, : v.shape[1]].float().cpu().contiguous()


def random(dtype, length):
    """Queries and keys of one length, and values up to 1, at random."""
    generator = torch.Generator().manual_seed(7)
    q, k = (torch.randn((rows, DIM), generator=generator) for rows in (ROWS, KEYS))
    q, k = (x / x.norm(dim=1, keepdim=True) * length for x in (q, k))
    return q.to(dtype), k.to(dtype), (torch.rand((KEYS, DIM), generator=generator) * 2 - 1).to(dtype)


def stored(path):
    """The tensors of a file, in the format that its kernel states, and that format's name."""
    with safe_open(path, "pt") as file:
        name = json.loads((file.metadata() or {}).get("posproof", '{"inputs": "bf16"}'))["inputs"]
        return name, [file.get_tensor(tensor).to(DTYPES[name]) for tensor in ("q", "k", "v")]


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    # A little shorter than √dim, so that no rounded vector is longer.
    cases = {f"{name}-random": random(dtype, 11.0) for name, dtype in DTYPES.items()}
    for path in sys.argv[2:]:
        name, tensors = stored(path)
        cases[Path(path).stem] = tensors
    device = torch.cuda.get_device_name(0) if DEVICE == "cuda" else "CPU"
    for name, (q, k, v) in cases.items():
        tensors, failures = {"q": q, "k": k, "v": v}, {}
        for backend, kernel in BACKENDS.items():
            try:
                tensors[backend] = attended(kernel, q, k, v)
            except RuntimeError as error:
                failures[backend] = str(error).splitlines()[0]
        about = {"device": device, "torch": torch.__version__, "failures": json.dumps(failures)}
        save_file({tensor: x.contiguous() for tensor, x in tensors.items()}, folder / f"{name}.safetensors", metadata=about)
        print(name, device, sorted(set(tensors) - {"q", "k", "v"}), failures)


main()
