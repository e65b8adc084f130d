"""Findings as a maintainer would want them: what happens, a program that shows it, where it comes from, what mends it.

Each program was run with the version that is named; it prints True.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Written:
    """A finding that is written up."""

    library: str
    title: str
    said: str
    program: str
    mend: str


WRITTEN = [
    Written(
        "rotary-embedding-torch 0.9.1",
        "Positions are counted in the dtype of the queries",
        "`rotate_queries_or_keys` makes its positions with `get_seq_pos(seq_len, dtype=t.dtype)`. bf16 holds no odd integer "
        "above 256, f16 none above 2048: from there on neighbouring tokens are rotated alike, although the module itself, and "
        "its frequencies, are in float32.",
        "import torch\n"
        "from rotary_embedding_torch import RotaryEmbedding\n\n"
        "x = torch.ones(1, 1, 300, 64, dtype=torch.bfloat16)\n"
        "y = RotaryEmbedding(dim=64).rotate_queries_or_keys(x)\n"
        "print(torch.equal(y[..., 256, :], y[..., 257, :]))\n",
        "Count positions in the dtype of the frequencies, or in float32, and round the rotated vectors only.",
    ),
    Written(
        "positional-encodings 6.0.3",
        "A module that was cast counts positions in its own dtype",
        "`PositionalEncoding1D` makes positions in the dtype of the buffer `inv_freq`, which `module.bfloat16()`, or casting a "
        "model that holds it, changes: frequencies, positions and angles are rounded to bf16, and position 257 is encoded as 256.",
        "import torch\n"
        "from positional_encodings.torch_encodings import PositionalEncoding1D\n\n"
        "encode = PositionalEncoding1D(64).bfloat16()\n"
        "table = encode(torch.zeros(1, 300, 64, dtype=torch.bfloat16))[0]\n"
        "print(torch.equal(table[256], table[257]))\n",
        "Compute the table in float32 from the integers, and cast it at the end.",
    ),
    Written(
        "fair-esm 2.0.0",
        "A module that was cast counts positions in its own dtype",
        "`RotaryEmbedding._update_cos_sin_tables` makes positions by `type_as(self.inv_freq)`, and `model.bfloat16()` or "
        "`model.half()` casts that buffer: frequencies, positions and angles are rounded.",
        "import torch\n"
        "from esm.rotary_embedding import RotaryEmbedding\n\n"
        "x = torch.ones(1, 300, 64, dtype=torch.bfloat16)\n"
        "q, _ = RotaryEmbedding(64).bfloat16()(x, x)\n"
        "print(torch.equal(q[0, 256], q[0, 257]))\n",
        "Keep `inv_freq` in float32, or compute it again where the tables are made.",
    ),
    Written(
        "torchscale 0.3.0",
        "Angles are rounded to the dtype of the scale before their sine is taken",
        "`fixed_pos_embedding(x)` casts the angles by `.to(x)`; in a model in bf16 the angle 257 becomes 256.",
        "import torch\n"
        "from torchscale.component.xpos_relative_position import fixed_pos_embedding\n\n"
        "sin, _ = fixed_pos_embedding(torch.zeros(300, 32, dtype=torch.bfloat16))\n"
        "print(abs(sin[257, 0].item() - torch.tensor(257.0).sin().item()) > 0.4)     # -1.0 for -0.573\n",
        "Cast the sines and cosines, not the angles.",
    ),
    Written(
        "litgpt 0.5.13",
        "YaRN's ramp is reversed",
        "`build_rope_cache` weights the unscaled frequencies by the ramp, where YaRN weights them by 1 − ramp: fast pairs are "
        "divided by the factor, and slow ones, which are to be divided, are not. The report says that the ramp is shifted "
        "or reversed.",
        "import math\n"
        "from litgpt.model import build_rope_cache\n\n"
        'rule = {"factor": 40.0, "beta_fast": 32, "beta_slow": 1, "original_max_seq_len": 4096}\n'
        "cos, _ = build_rope_cache(2, 64, extra_config=rule)\n"
        "print(abs(cos[1, 0].item() - math.cos(1 / 40)) < 1e-6)     # of a pair that turns 651 times in 4096 positions\n",
        "`theta_extrapolation_factor = 1 - ramp_func`.",
    ),
    Written(
        "transformers 5.23.0",
        "Casting a model casts its frequencies",
        "`inv_freq` is a buffer: `model.to(torch.bfloat16)` and `model.half()` round it, and `original_inv_freq` beside it. The "
        "angles are computed in float32 after that, from frequencies that are off by up to 2^-9 of themselves: at position 10000 "
        "a cosine is off by 0.47. Models that `from_pretrained(dtype=…)` loads are not cast, and keep them.",
        "import torch\n"
        "from transformers import LlamaConfig, LlamaModel\n\n"
        'sizes = {"hidden_size": 64, "intermediate_size": 8, "vocab_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}\n'
        "model = LlamaModel(LlamaConfig(**sizes)).to(torch.bfloat16)\n"
        "cos, _ = model.rotary_emb(torch.zeros(1), torch.tensor([[10000]]))\n"
        "exact = torch.tensor(10000 * 10000.0 ** (-2 / 64), dtype=torch.float64).cos()\n"
        "print(abs(cos[0, 0, 1].item() - exact.item()) > 0.4)\n",
        "Compute the frequencies from the configuration when the tables are made, or keep the buffer out of `_apply`'s casts.",
    ),
]
