"""Hugging Face transformers: caches are judged against what posproof reads in the model's own configuration."""

import importlib

from cases import DIM, case, configured, rotation, sinusoid, tensor

HALVES = {"layout": "halves"}
LONGEST = 131072
LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}


def settings(**more):
    return {"hidden_size": 4 * DIM, "num_attention_heads": 4, "max_position_embeddings": LONGEST, **more}


def cache(module, prefix, rows, dtype, layers=None, **config):
    """The cache that a model's rotary embedding makes for activations of a dtype, and the configuration."""
    import torch

    package = importlib.import_module(f"transformers.models.{module}")
    modeling = importlib.import_module(f"transformers.models.{module}.modeling_{module}")
    config = getattr(package, prefix + "Config")(**settings(**config))
    module = getattr(modeling, prefix + "RotaryEmbedding")(config)
    x = torch.zeros(1, rows, DIM, dtype=getattr(torch, dtype))
    positions = torch.arange(rows)[None]
    cos, sin = module(x, positions) if layers is None else module(x, positions, layers)
    options = {} if layers is None else {"layer_type": layers}
    return configured(cos[0], sin[0], config.to_dict(), **options)


def rule(**parameters):
    """A scaling rule as this version of transformers takes it: one dictionary since 5, two keys before."""
    import transformers

    if int(transformers.__version__.split(".")[0]) >= 5:
        return {"rope_parameters": parameters}
    base = parameters.pop("rope_theta")
    return {"rope_theta": base, "rope_scaling": parameters if parameters["rope_type"] != "default" else None}


@case("transformers", "LlamaRotaryEmbedding", ("float32", "bfloat16", "float16"))
def _(rows, dtype):
    return cache("llama", "Llama", rows, dtype)


@case("transformers", "LlamaModel, cast by .to()", ("bfloat16", "float16"))
def _(rows, dtype):
    import torch
    from transformers import LlamaConfig, LlamaModel

    kind = getattr(torch, dtype)
    config = LlamaConfig(**settings(num_hidden_layers=1, intermediate_size=DIM, vocab_size=DIM))
    x = torch.zeros(1, rows, DIM, dtype=kind)
    cos, sin = LlamaModel(config).to(kind).rotary_emb(x, torch.arange(rows)[None])
    return configured(cos[0], sin[0], config.to_dict())


@case("transformers", "LlamaRotaryEmbedding, linear")
def _(rows, dtype):
    return cache("llama", "Llama", rows, dtype, **rule(rope_type="linear", rope_theta=10000.0, factor=8.0))


@case("transformers", "LlamaRotaryEmbedding, dynamic")
def _(rows, dtype):
    stated = rule(rope_type="dynamic", rope_theta=10000.0, factor=2.0)
    return cache("llama", "Llama", rows, dtype, **stated, **{"max_position_embeddings": 4096})


@case("transformers", "LlamaRotaryEmbedding, llama3")
def _(rows, dtype):
    return cache("llama", "Llama", rows, dtype, **rule(rope_type="llama3", rope_theta=500000.0, **LLAMA3))


@case("transformers", "LlamaRotaryEmbedding, yarn")
def _(rows, dtype):
    stated = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 32.0, "original_max_position_embeddings": 4096}
    return cache("llama", "Llama", rows, dtype, **rule(**stated))


@case("transformers", "LlamaRotaryEmbedding, yarn without truncation")
def _(rows, dtype):
    stated = {"rope_type": "yarn", "rope_theta": 150000.0, "factor": 32.0, "original_max_position_embeddings": 4096}
    return cache("llama", "Llama", rows, dtype, **rule(**stated, truncate=False))


@case("transformers", "DeepseekV3RotaryEmbedding, yarn with mscale")
def _(rows, dtype):
    stated = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 40.0, "original_max_position_embeddings": 4096}
    stated |= {"mscale": 1.0, "mscale_all_dim": 0.8, "beta_fast": 32, "beta_slow": 1}
    return cache("deepseek_v3", "DeepseekV3", rows, dtype, **rule(**stated), qk_rope_head_dim=DIM, head_dim=DIM)


@case("transformers", "Qwen2RotaryEmbedding, base 1000000")
def _(rows, dtype):
    return cache("qwen2", "Qwen2", rows, dtype, **rule(rope_type="default", rope_theta=1000000.0))


@case("transformers", "GPTNeoXRotaryEmbedding, a quarter of the head")
def _(rows, dtype):
    return cache("gpt_neox", "GPTNeoX", rows, dtype)


@case("transformers", "Phi3RotaryEmbedding, longrope")
def _(rows, dtype):
    stated = {"rope_type": "longrope", "rope_theta": 10000.0, "original_max_position_embeddings": 4096}
    stated |= {"short_factor": [1.0] * (DIM // 2), "long_factor": [1.0 + k / 2 for k in range(DIM // 2)]}
    more = {"original_max_position_embeddings": 4096, "pad_token_id": 0}
    return cache("phi3", "Phi3", rows, dtype, **rule(**stated), **more)


@case("transformers", "CohereRotaryEmbedding")
def _(rows, dtype):
    return cache("cohere", "Cohere", rows, dtype)


@case("transformers", "Gemma3RotaryEmbedding, sliding layers")
def _(rows, dtype):
    import torch
    from transformers import Gemma3TextConfig
    from transformers.models.gemma3.modeling_gemma3 import Gemma3RotaryEmbedding

    config = Gemma3TextConfig(**settings(head_dim=DIM))
    cos, sin = Gemma3RotaryEmbedding(config)(torch.zeros(1, rows, DIM), torch.arange(rows)[None], "sliding_attention")
    return configured(cos[0], sin[0], config.to_dict(), layer_type="sliding_attention")


@case("transformers", "Llama apply_rotary_pos_emb", ("float32", "bfloat16"))
def _(rows, dtype):
    import torch
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    x = tensor(rows, dtype, (1, 1, rows, DIM))
    cos, sin = LlamaRotaryEmbedding(LlamaConfig(**settings()))(x, torch.arange(rows)[None])
    return rotation(x, apply_rotary_pos_emb(x, x, cos, sin)[0], **HALVES)


@case("transformers", "GPT-J apply_rotary_pos_emb")
def _(rows, dtype):
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb, create_sinusoidal_positions

    x = tensor(rows, dtype, (1, rows, 1, DIM))
    sin, cos = create_sinusoidal_positions(rows, DIM)[None].chunk(2, dim=-1)
    return rotation(x[0, :, 0], apply_rotary_pos_emb(x, sin, cos)[0, :, 0])


@case("transformers", "M2M100SinusoidalPositionalEmbedding")
def _(rows, dtype):
    from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding

    table = M2M100SinusoidalPositionalEmbedding.get_embedding(rows, DIM)
    return sinusoid(table, frequency_spacing="endpoints", **HALVES)


@case("transformers", "Whisper sinusoids")
def _(rows, dtype):
    from transformers.models.whisper.modeling_whisper import sinusoids

    return sinusoid(sinusoids(rows, DIM), frequency_spacing="endpoints", **HALVES)


@case("transformers", "MusicgenSinusoidalPositionalEmbedding")
def _(rows, dtype):
    from transformers.models.musicgen.modeling_musicgen import MusicgenSinusoidalPositionalEmbedding

    table = MusicgenSinusoidalPositionalEmbedding.get_embedding(rows, DIM)
    return sinusoid(table, order="cos-sin", frequency_spacing="endpoints", **HALVES)


@case("transformers", "MarianSinusoidalPositionalEmbedding")
def _(rows, dtype):
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    return sinusoid(MarianSinusoidalPositionalEmbedding(rows, DIM).create_weight().detach(), **HALVES)


@case("transformers", "SpeechT5ScaledPositionalEncoding")
def _(rows, dtype):
    from transformers.models.speecht5.modeling_speecht5 import SpeechT5ScaledPositionalEncoding

    return sinusoid(SpeechT5ScaledPositionalEncoding(0.0, DIM, rows).pe[0].detach())
