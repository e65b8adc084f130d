"""Libraries on PyTorch."""

from cases import DIM, case, phasors, rope, rotation, sinusoid, tensor

LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
HALVES = {"layout": "halves"}
FLOATS = ("float32", "bfloat16", "float16")


@case("chronos-forecasting", "Chronos2RotaryEmbedding", FLOATS)
def _(rows, dtype):
    import torch
    from chronos.chronos2.config import Chronos2CoreConfig
    from chronos.chronos2.layers import Chronos2RotaryEmbedding

    module = Chronos2RotaryEmbedding(Chronos2CoreConfig(d_kv=DIM))
    cos, sin = module(torch.zeros(1, 1, rows, DIM, dtype=getattr(torch, dtype)), torch.arange(rows)[None])
    return rope(cos[0], sin[0], **HALVES)


@case("curated-transformers", "RotaryEmbeddings", FLOATS)
def _(rows, dtype):
    from curated_transformers.layers.embeddings import RotaryEmbeddings

    x = tensor(rows, dtype, (1, 1, rows, DIM))
    return rotation(x, RotaryEmbeddings(DIM, seq_len=rows)(x), **HALVES)


@case("diffusers", "get_timestep_embedding")
def _(rows, dtype):
    import torch
    from diffusers.models.embeddings import get_timestep_embedding

    table = get_timestep_embedding(torch.arange(rows), DIM)
    return sinusoid(table, frequency_spacing="endpoints", **HALVES)


@case("diffusers", "get_timestep_embedding, cosines first, no end points")
def _(rows, dtype):
    import torch
    from diffusers.models.embeddings import get_timestep_embedding

    table = get_timestep_embedding(torch.arange(rows), DIM, flip_sin_to_cos=True, downscale_freq_shift=0)
    return sinusoid(table, order="cos-sin", **HALVES)


@case("diffusers", "get_1d_sincos_pos_embed_from_grid")
def _(rows, dtype):
    import torch
    from diffusers.models.embeddings import get_1d_sincos_pos_embed_from_grid

    return sinusoid(get_1d_sincos_pos_embed_from_grid(DIM, torch.arange(rows), output_type="pt"), **HALVES)


@case("diffusers", "SinusoidalPositionalEmbedding")
def _(rows, dtype):
    import torch
    from diffusers.models.embeddings import SinusoidalPositionalEmbedding

    return sinusoid(SinusoidalPositionalEmbedding(DIM, max_seq_length=rows)(torch.zeros(1, rows, DIM))[0])


@case("diffusers", "get_1d_rotary_pos_embed")
def _(rows, dtype):
    import torch
    from diffusers.models.embeddings import get_1d_rotary_pos_embed

    return rope(*get_1d_rotary_pos_embed(DIM, torch.arange(rows), use_real=True))


@case("diffusers", "get_1d_rotary_pos_embed, complex, linear 4")
def _(rows, dtype):
    import torch
    from diffusers.models.embeddings import get_1d_rotary_pos_embed

    made = get_1d_rotary_pos_embed(DIM, torch.arange(rows), linear_factor=4.0)
    return phasors(made, scaling={"rope_type": "linear", "factor": 4.0})


@case("fair-esm", "RotaryEmbedding", FLOATS)
def _(rows, dtype):
    import torch
    from esm.rotary_embedding import RotaryEmbedding

    x = tensor(rows, dtype, (1, rows, DIM))
    return rotation(x, RotaryEmbedding(DIM).to(getattr(torch, dtype))(x, x)[0], **HALVES)


@case("litgpt", "build_rope_cache")
def _(rows, dtype):
    from litgpt.model import build_rope_cache

    return rope(*build_rope_cache(rows, DIM, base=500000), base=500000, **HALVES)


@case("litgpt", "build_rope_cache, llama3")
def _(rows, dtype):
    from litgpt.model import build_rope_cache

    extra = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_seq_len": 8192}
    return rope(*build_rope_cache(rows, DIM, base=500000, extra_config=extra), base=500000, scaling=LLAMA3, **HALVES)


@case("litgpt", "build_rope_cache, yarn")
def _(rows, dtype):
    from litgpt.model import build_rope_cache

    extra = {"factor": 40.0, "beta_fast": 32, "beta_slow": 1, "original_max_seq_len": 4096}
    rule = {"rope_type": "yarn", "factor": 40.0, "beta_fast": 32, "beta_slow": 1}
    rule |= {"original_max_position_embeddings": 4096, "mscale": 1.0, "mscale_all_dim": 1.0}
    made = build_rope_cache(rows, DIM, extra_config=extra | {"mscale": 1.0, "mscale_all_dim": 1.0})
    return rope(*made, scaling=rule, **HALVES)


@case("llama_models", "precompute_freqs_cis, llama3")
def _(rows, dtype):
    from llama_models.llama3.model import precompute_freqs_cis

    return phasors(precompute_freqs_cis(DIM, rows, 500000.0, use_scaled=True), base=500000, scaling=LLAMA3)


@case("local-attention", "SinusoidalEmbeddings, apply_rotary_pos_emb")
def _(rows, dtype):
    from local_attention.rotary import SinusoidalEmbeddings, apply_rotary_pos_emb

    x = tensor(rows, dtype, (1, 1, rows, DIM))
    angles, scale = SinusoidalEmbeddings(DIM)(x)
    return rotation(x, apply_rotary_pos_emb(x, x, angles, scale)[0], **HALVES)


@case("mistral_inference", "precompute_freqs_cis")
def _(rows, dtype):
    from mistral_inference.rope import precompute_freqs_cis

    return phasors(precompute_freqs_cis(DIM, rows, 1000000.0), base=1000000)


@case("moshi", "RotaryEmbedding", ("float32", "bfloat16"))
def _(rows, dtype):
    import torch
    from moshi.modules.rope import RotaryEmbedding

    x = tensor(rows, dtype, (1, 1, rows, DIM))
    with torch.no_grad():
        return rotation(x, RotaryEmbedding(interleave=True)(x, x, torch.zeros(1))[0])


@case("ai2-olmo-core", "RotaryEmbedding", ("float32", "bfloat16"))
def _(rows, dtype):
    import torch
    from olmo_core.nn.rope import RoPEConfig

    x = tensor(rows, dtype, (1, 1, rows, DIM))
    module = RoPEConfig(theta=500000).build(DIM)
    with torch.no_grad():
        return rotation(x, module(x, x)[0], base=500000, **HALVES)


@case("openai-whisper", "sinusoids")
def _(rows, dtype):
    from whisper.model import sinusoids

    return sinusoid(sinusoids(rows, DIM), frequency_spacing="endpoints", **HALVES)


@case("positional-encodings", "PositionalEncoding1D", ("float32", "bfloat16"))
def _(rows, dtype):
    import torch
    from positional_encodings.torch_encodings import PositionalEncoding1D

    kind = getattr(torch, dtype)
    return sinusoid(PositionalEncoding1D(DIM).to(kind)(torch.zeros(1, rows, DIM, dtype=kind))[0])


@case("rotary-embedding-torch", "RotaryEmbedding", ("float32", "bfloat16"))
def _(rows, dtype):
    import torch
    from rotary_embedding_torch import RotaryEmbedding

    x = tensor(rows, dtype, (1, 1, rows, DIM))
    module = RotaryEmbedding(dim=DIM, cache_max_seq_len=rows)
    with torch.no_grad():
        return rotation(x, module.rotate_queries_or_keys(x))


@case("rotary-embedding-torch", "RotaryEmbedding, module.bfloat16()", ("bfloat16",))
def _(rows, dtype):
    import torch
    from rotary_embedding_torch import RotaryEmbedding

    x = tensor(rows, dtype, (1, 1, rows, DIM))
    with torch.no_grad():
        return rotation(x, RotaryEmbedding(dim=DIM).bfloat16().rotate_queries_or_keys(x))


@case("timm", "build_rotary_pos_embed, one axis")
def _(rows, dtype):
    from timm.layers.pos_embed_sincos import build_rotary_pos_embed

    # A quarter of the width for each of two axes, of which there is one.
    sin, cos = build_rotary_pos_embed([rows], dim=2 * DIM, in_pixels=False)
    return rope(cos, sin)


@case("torchscale", "fixed_pos_embedding", FLOATS)
def _(rows, dtype):
    import torch
    from torchscale.component.xpos_relative_position import fixed_pos_embedding

    sin, cos = fixed_pos_embedding(torch.zeros(rows, DIM // 2, dtype=getattr(torch, dtype)))
    return rope(cos, sin)


@case("x-transformers", "RotaryEmbedding", ("float32", "bfloat16"))
def _(rows, dtype):
    from x_transformers.x_transformers import RotaryEmbedding, apply_rotary_pos_emb

    x = tensor(rows, dtype, (1, 1, rows, DIM))
    angles, scale = RotaryEmbedding(DIM).forward_from_seq_len(rows)
    return rotation(x, apply_rotary_pos_emb(x, angles, scale).to(x.dtype))


@case("x-transformers", "ScaledSinusoidalEmbedding")
def _(rows, dtype):
    import torch
    from x_transformers.x_transformers import ScaledSinusoidalEmbedding

    table = ScaledSinusoidalEmbedding(DIM)(torch.zeros(1, rows, DIM)).detach()
    return sinusoid(table, amplitude=f"sqrt(1/{DIM})", **HALVES)
