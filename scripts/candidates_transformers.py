"""Candidates from Hugging Face transformers: see judge_python.py.

Caches are judged against the convention that posproof reads from the model's own configuration.
"""

from candidates import DIM, ROWS, candidate, vectors

LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}


def settings(**more):
    return {"hidden_size": 4 * DIM, "num_attention_heads": 4, "max_position_embeddings": ROWS, **more}


def array(tensor):
    """A NumPy array, of dtype V2 for bfloat16."""
    import torch

    tensor = tensor.detach().contiguous()
    return tensor.view(torch.int16).numpy().view("V2") if tensor.dtype == torch.bfloat16 else tensor.numpy()


def cache(module, prefix, dtype=None, **config):
    """The cache that a model's rotary embedding makes, and its configuration."""
    import importlib

    import torch

    package = importlib.import_module(f"transformers.models.{module}")
    modeling = importlib.import_module(f"transformers.models.{module}.modeling_{module}")
    config = getattr(package, prefix + "Config")(**settings(**config))
    rope = getattr(modeling, prefix + "RotaryEmbedding")(config)
    x = torch.zeros(1, ROWS, DIM, dtype=dtype or torch.float32)
    cos, sin = rope(x, torch.arange(ROWS)[None])
    return "rope", {"cos": array(cos[0]), "sin": array(sin[0])}, ["--config", config.to_dict()]


@candidate("transformers.LlamaRotaryEmbedding")
def _():
    return cache("llama", "Llama")


@candidate("transformers.LlamaRotaryEmbedding, bfloat16 activations")
def _():
    import torch

    return cache("llama", "Llama", dtype=torch.bfloat16)


@candidate("transformers.LlamaModel, cast to bfloat16 by .to()")
def _():
    import torch
    from transformers import LlamaConfig, LlamaModel

    config = LlamaConfig(**settings(num_hidden_layers=1, intermediate_size=DIM, vocab_size=DIM))
    model = LlamaModel(config).to(torch.bfloat16)
    cos, sin = model.rotary_emb(torch.zeros(1, ROWS, DIM, dtype=torch.bfloat16), torch.arange(ROWS)[None])
    return "rope", {"cos": array(cos[0]), "sin": array(sin[0])}, ["--config", config.to_dict()]


@candidate("transformers.LlamaModel, built in bfloat16")
def _():
    import torch
    from transformers import AutoModel, LlamaConfig

    config = LlamaConfig(**settings(num_hidden_layers=1, intermediate_size=DIM, vocab_size=DIM))
    model = AutoModel.from_config(config, dtype=torch.bfloat16)
    cos, sin = model.rotary_emb(torch.zeros(1, ROWS, DIM, dtype=torch.bfloat16), torch.arange(ROWS)[None])
    return "rope", {"cos": array(cos[0]), "sin": array(sin[0])}, ["--config", config.to_dict()]


@candidate("transformers.LlamaRotaryEmbedding, linear")
def _():
    return cache("llama", "Llama", rope_parameters={"rope_type": "linear", "rope_theta": 10000.0, "factor": 8.0})


@candidate("transformers.LlamaRotaryEmbedding, dynamic")
def _():
    rule = {"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0}
    return cache("llama", "Llama", rope_parameters=rule, max_position_embeddings=4096)


@candidate("transformers.LlamaRotaryEmbedding, llama3")
def _():
    return cache("llama", "Llama", rope_parameters={"rope_type": "llama3", "rope_theta": 500000.0, **LLAMA3})


@candidate("transformers.LlamaRotaryEmbedding, yarn")
def _():
    rule = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 4096}
    return cache("llama", "Llama", rope_parameters=rule)


@candidate("transformers.LlamaRotaryEmbedding, yarn without truncation")
def _():
    rule = {"rope_type": "yarn", "rope_theta": 150000.0, "factor": 32.0, "original_max_position_embeddings": 4096}
    return cache("llama", "Llama", rope_parameters={**rule, "truncate": False})


@candidate("transformers.DeepseekV3RotaryEmbedding, yarn with mscale")
def _():
    rule = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 40.0, "original_max_position_embeddings": 4096}
    rule |= {"mscale": 1.0, "mscale_all_dim": 0.8, "beta_fast": 32, "beta_slow": 1}
    return cache("deepseek_v3", "DeepseekV3", rope_parameters=rule, qk_rope_head_dim=DIM, head_dim=DIM)


@candidate("transformers.Qwen2RotaryEmbedding, base 1000000")
def _():
    return cache("qwen2", "Qwen2", rope_parameters={"rope_type": "default", "rope_theta": 1000000.0})


@candidate("transformers.GPTNeoXRotaryEmbedding, a quarter of the head")
def _():
    return cache("gpt_neox", "GPTNeoX")


@candidate("transformers.Phi3RotaryEmbedding, longrope")
def _():
    rule = {"rope_type": "longrope", "rope_theta": 10000.0, "original_max_position_embeddings": 4096}
    rule |= {"short_factor": [1.0] * (DIM // 2), "long_factor": [1.0 + k / 2 for k in range(DIM // 2)]}
    return cache("phi3", "Phi3", rope_parameters=rule, original_max_position_embeddings=4096, pad_token_id=0)


@candidate("transformers.CohereRotaryEmbedding")
def _():
    return cache("cohere", "Cohere")


@candidate("transformers.FalconRotaryEmbedding")
def _():
    return cache("falcon", "Falcon")


def gemma3(layers):
    import torch
    from transformers import Gemma3TextConfig
    from transformers.models.gemma3.modeling_gemma3 import Gemma3RotaryEmbedding

    config = Gemma3TextConfig(**settings(head_dim=DIM))
    cos, sin = Gemma3RotaryEmbedding(config)(torch.zeros(1, ROWS, DIM), torch.arange(ROWS)[None], layers)
    options = ["--config", config.to_dict(), "--layer-type", layers]
    return "rope", {"cos": array(cos[0]), "sin": array(sin[0])}, options


@candidate("transformers.Gemma3RotaryEmbedding, global layers")
def _():
    return gemma3("full_attention")


@candidate("transformers.Gemma3RotaryEmbedding, local layers")
def _():
    return gemma3("sliding_attention")


@candidate("transformers.Llama rotation in halves")
def _():
    import torch
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb

    x = vectors((1, 2, ROWS, DIM))
    cos, sin = LlamaRotaryEmbedding(LlamaConfig(**settings()))(torch.from_numpy(x), torch.arange(ROWS)[None])
    y, _ = apply_rotary_pos_emb(torch.from_numpy(x), torch.from_numpy(x), cos, sin)
    return "rotation", {"x": x, "y": y.numpy()}, ["--layout", "halves"]


@candidate("transformers.GPT-J create_sinusoidal_positions")
def _():
    from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions

    return "sinusoid", {"table": create_sinusoidal_positions(ROWS, DIM).numpy()}, ["--layout", "halves"]


@candidate("transformers.GPT-J rotation of neighbours")
def _():
    import torch
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb, create_sinusoidal_positions

    x = vectors((1, ROWS, 2, DIM))
    sin, cos = create_sinusoidal_positions(ROWS, DIM)[None].chunk(2, dim=-1)
    y = apply_rotary_pos_emb(torch.from_numpy(x), sin, cos)
    return "rotation", {"x": x.swapaxes(1, 2), "y": y.numpy().swapaxes(1, 2)}, []


@candidate("transformers.M2M100SinusoidalPositionalEmbedding")
def _():
    from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding

    table = M2M100SinusoidalPositionalEmbedding.get_embedding(ROWS, DIM)
    return "sinusoid", {"table": table.numpy()}, ["--layout", "halves", "--frequency-spacing", "endpoints"]


@candidate("transformers.Whisper sinusoids")
def _():
    from transformers.models.whisper.modeling_whisper import sinusoids

    table = sinusoids(ROWS, DIM)
    return "sinusoid", {"table": table.numpy()}, ["--layout", "halves", "--frequency-spacing", "endpoints"]


@candidate("transformers.MusicgenSinusoidalPositionalEmbedding")
def _():
    from transformers.models.musicgen.modeling_musicgen import MusicgenSinusoidalPositionalEmbedding

    table = MusicgenSinusoidalPositionalEmbedding.get_embedding(ROWS, DIM)
    options = ["--layout", "halves", "--order", "cos-sin", "--frequency-spacing", "endpoints"]
    return "sinusoid", {"table": table.numpy()}, options


@candidate("transformers.MarianSinusoidalPositionalEmbedding")
def _():
    from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

    table = MarianSinusoidalPositionalEmbedding(ROWS, DIM).create_weight()
    return "sinusoid", {"table": array(table)}, ["--layout", "halves"]


@candidate("transformers.SpeechT5ScaledPositionalEncoding")
def _():
    from transformers.models.speecht5.modeling_speecht5 import SpeechT5ScaledPositionalEncoding

    return "sinusoid", {"table": array(SpeechT5ScaledPositionalEncoding(0.0, DIM, ROWS).pe[0])}, []
