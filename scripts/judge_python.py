#!/usr/bin/env python3
"""Judges the positional encodings of Python packages that are installed, with `posproof check`.

    cargo build --release
    python3 scripts/judge_python.py [--posproof target/release/posproof] [name ...]

Each candidate is asked for a table, a cache or a rotation, and judged against the convention that its documentation
states. Packages that are not installed are skipped. Exit status 1 if a candidate does not conform, 2 if none could be
judged.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import candidates_transformers  # noqa: F401, registers its candidates
import numpy
from candidates import CANDIDATES, DIM, ROWS, candidate, vectors


def tutorial(numbers):
    """The sinusoidal table of the PyTorch tutorial, in any array library: frequencies by exp."""
    position = numbers.arange(ROWS, dtype=numbers.float32)[:, None]
    divisor = numbers.exp(numbers.arange(0, DIM, 2, dtype=numbers.float32) * (-numpy.log(10000.0).item() / DIM))
    angle = position * divisor
    return angle


def interleave(sin, cos):
    return numpy.stack([numpy.asarray(sin), numpy.asarray(cos)], axis=-1).reshape(ROWS, DIM)


@candidate("numpy tutorial table")
def _():
    angle = tutorial(numpy)
    return "sinusoid", {"table": interleave(numpy.sin(angle), numpy.cos(angle))}, []


@candidate("jax tutorial table")
def _():
    import jax.numpy

    angle = tutorial(jax.numpy)
    return "sinusoid", {"table": interleave(jax.numpy.sin(angle), jax.numpy.cos(angle))}, []


@candidate("torch tutorial table")
def _():
    import torch

    position = torch.arange(ROWS).unsqueeze(1)
    divisor = torch.exp(torch.arange(0, DIM, 2) * (-numpy.log(10000.0).item() / DIM))
    table = torch.zeros(ROWS, DIM)
    table[:, 0::2] = torch.sin(position * divisor)
    table[:, 1::2] = torch.cos(position * divisor)
    return "sinusoid", {"table": table.numpy()}, []


@candidate("equinox.nn.RotaryPositionalEmbedding")
def _():
    import equinox

    x = vectors((ROWS, DIM))
    y = equinox.nn.RotaryPositionalEmbedding(DIM, theta=10000.0)(x)
    return "rotation", {"x": x, "y": numpy.asarray(y)}, ["--layout", "halves"]


def mlx_rope(traditional, base=10000.0, scale=1.0, offset=0, rows=ROWS):
    import mlx.core
    import mlx.nn

    x = vectors((1, 2, rows, DIM))
    rope = mlx.nn.RoPE(DIM, traditional=traditional, base=base, scale=scale)
    y = rope(mlx.core.array(x), offset=offset)
    layout = "interleaved" if traditional else "halves"
    options = ["--layout", layout, "--base", str(base), "--positions", f"{offset}..{offset + rows}"]
    if scale != 1.0:
        options += ["--scaling", "linear", "--factor", str(1 / scale)]
    return "rotation", {"x": x, "y": numpy.array(y)}, options


@candidate("mlx.nn.RoPE")
def _():
    return mlx_rope(False)


@candidate("mlx.nn.RoPE traditional, base 500000")
def _():
    return mlx_rope(True, base=500000.0)


@candidate("mlx.nn.RoPE, scale 1/8")
def _():
    return mlx_rope(False, scale=0.125)


@candidate("mlx.nn.RoPE, offset 131000")
def _():
    return mlx_rope(False, offset=131000, rows=256)


@candidate("mlx.nn.SinusoidalPositionalEncoding")
def _():
    import mlx.core
    import mlx.nn

    table = mlx.nn.SinusoidalPositionalEncoding(DIM)(mlx.core.arange(ROWS))
    options = ["--layout", "halves", "--frequency-spacing", "endpoints", "--amplitude", f"sqrt(2/{DIM})"]
    return "sinusoid", {"table": numpy.array(table)}, options


@candidate("diffusers.get_timestep_embedding")
def _():
    import torch
    from diffusers.models.embeddings import get_timestep_embedding

    table = get_timestep_embedding(torch.arange(ROWS), DIM)
    return "sinusoid", {"table": table.numpy()}, ["--layout", "halves", "--frequency-spacing", "endpoints"]


@candidate("diffusers.get_timestep_embedding, cosines first, no end points")
def _():
    import torch
    from diffusers.models.embeddings import get_timestep_embedding

    table = get_timestep_embedding(torch.arange(ROWS), DIM, flip_sin_to_cos=True, downscale_freq_shift=0)
    return "sinusoid", {"table": table.numpy()}, ["--layout", "halves", "--order", "cos-sin"]


@candidate("diffusers.get_1d_sincos_pos_embed_from_grid")
def _():
    import torch
    from diffusers.models.embeddings import get_1d_sincos_pos_embed_from_grid

    table = get_1d_sincos_pos_embed_from_grid(DIM, torch.arange(ROWS), output_type="pt")
    return "sinusoid", {"table": table.numpy()}, ["--layout", "halves"]


@candidate("diffusers.SinusoidalPositionalEmbedding")
def _():
    import torch
    from diffusers.models.embeddings import SinusoidalPositionalEmbedding

    table = SinusoidalPositionalEmbedding(DIM, max_seq_length=ROWS)(torch.zeros(1, ROWS, DIM))[0]
    return "sinusoid", {"table": table.numpy()}, []


@candidate("diffusers.get_1d_rotary_pos_embed")
def _():
    import torch
    from diffusers.models.embeddings import get_1d_rotary_pos_embed

    cos, sin = get_1d_rotary_pos_embed(DIM, torch.arange(ROWS), use_real=True)
    return "rope", {"cos": cos.numpy(), "sin": sin.numpy()}, []


@candidate("diffusers.get_1d_rotary_pos_embed, complex, linear 4")
def _():
    import torch
    from diffusers.models.embeddings import get_1d_rotary_pos_embed

    phasors = get_1d_rotary_pos_embed(DIM, torch.arange(ROWS), linear_factor=4.0)
    options = ["--scaling", "linear", "--factor", "4"]
    return "rope", {"cos": phasors.real.numpy(), "sin": phasors.imag.numpy()}, options


@candidate("torchtune.modules.RotaryPositionalEmbeddings")
def _():
    import torch
    from torchtune.modules import RotaryPositionalEmbeddings

    x = vectors((1, ROWS, 1, DIM))
    y = RotaryPositionalEmbeddings(DIM, max_seq_len=ROWS)(torch.from_numpy(x))
    return "rotation", {"x": x.reshape(ROWS, DIM), "y": y.numpy().reshape(ROWS, DIM)}, []


@candidate("torchtune.Llama3ScaledRoPE")
def _():
    import torch
    from torchtune.models.llama3_1 import Llama3ScaledRoPE

    x = vectors((1, ROWS, 1, DIM))
    y = Llama3ScaledRoPE(DIM, max_seq_len=ROWS)(torch.from_numpy(x))
    options = ["--base", "500000", "--scaling", "llama3", "--factor", "8", "--low-freq-factor", "1"]
    options += ["--high-freq-factor", "4", "--original-max-position-embeddings", "8192"]
    return "rotation", {"x": x.reshape(ROWS, DIM), "y": y.numpy().reshape(ROWS, DIM)}, options


@candidate("rotary_embedding_torch.RotaryEmbedding")
def _():
    import torch
    from rotary_embedding_torch import RotaryEmbedding

    x = vectors((1, 2, ROWS, DIM))
    y = RotaryEmbedding(dim=DIM).rotate_queries_or_keys(torch.from_numpy(x))
    return "rotation", {"x": x, "y": y.detach().numpy()}, []


@candidate("keras_hub.layers.RotaryEmbedding")
def _():
    import keras_hub

    x = vectors((1, ROWS, 2, DIM))
    y = keras_hub.layers.RotaryEmbedding()(x)
    swap = lambda array: numpy.ascontiguousarray(numpy.swapaxes(numpy.asarray(array), 1, 2))
    return "rotation", {"x": swap(x), "y": swap(y)}, ["--layout", "halves"]


@candidate("keras_hub.layers.SinePositionEncoding")
def _():
    import keras_hub

    table = keras_hub.layers.SinePositionEncoding()(numpy.zeros((1, ROWS, DIM), numpy.float32))
    return "sinusoid", {"table": numpy.asarray(table)[0]}, []


@candidate("x_transformers.RotaryEmbedding")
def _():
    import torch
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    x = vectors((1, 2, ROWS, DIM))
    angles, scale = RotaryEmbedding(DIM).forward_from_seq_len(ROWS)
    y = apply_rotary_pos_emb(torch.from_numpy(x), angles, scale)
    return "rotation", {"x": x, "y": y.numpy()}, []


@candidate("x_transformers.ScaledSinusoidalEmbedding")
def _():
    import torch
    from x_transformers.x_transformers import ScaledSinusoidalEmbedding

    table = ScaledSinusoidalEmbedding(DIM)(torch.zeros(1, ROWS, DIM)).detach().numpy()
    options = ["--layout", "halves", "--amplitude", f"sqrt(1/{DIM})"]
    return "sinusoid", {"table": table}, options


def judge(program, folder, subject, arrays, options):
    words = [program, "check", subject, "--json", "--dim", str(DIM)]
    for name, array in arrays.items():
        path = folder / f"{name}.npy"
        numpy.save(path, numpy.ascontiguousarray(array))
        words += [f"--{name}", str(path)]
    for option in options:
        if isinstance(option, dict):
            path = folder / "config.json"
            path.write_text(json.dumps(option))
            option = str(path)
        words.append(option)
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    root = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--posproof", default=str(root / "target/release/posproof"))
    parser.add_argument("names", nargs="*", help="parts of names; all candidates where none are given")
    arguments = parser.parse_args()
    judged = fallen = 0
    for name, build in CANDIDATES.items():
        if arguments.names and not any(part in name for part in arguments.names):
            continue
        try:
            subject, arrays, options = build()
        except ImportError as error:
            print(f"{name}: skipped, {error}")
            continue
        except Exception as error:  # A candidate that fails says so and does not stop the others.
            print(f"{name}: could not be run: {error!r}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            report = judge(arguments.posproof, pathlib.Path(folder), subject, arrays, options)
        judged += 1
        fallen += not report["conforms"]
        worst = report["worst"]
        place = f"largest error {worst['error']:.2e} at position {worst['position']}, bound {worst['bound']:.2e}"
        print(f"{name}: {report['grade']}; {place}")
        for finding in report["findings"]:
            print(f"    {finding['code']}: {finding['message']}")
    print(f"{judged} judged, {judged - fallen} conform")
    return 2 if judged == 0 else int(fallen > 0)


if __name__ == "__main__":
    sys.exit(main())
