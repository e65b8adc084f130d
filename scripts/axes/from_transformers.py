"""Modules of transformers."""

import importlib

import numpy as np

from dump import array, cache, coordinates, grid, module, rotation, table, vectors

MODELS = "transformers.models."


def path(model, name):
    return f"{MODELS}{model}.modeling_{model}.{name}"


def named(model, name, where="modeling"):
    return getattr(importlib.import_module(f"{MODELS}{model}.{where}_{model}"), name)


def configured(model, config, **settings):
    return named(model, config, "configuration")(**settings)


def ids(positions):
    import torch

    return torch.from_numpy(np.ascontiguousarray(positions))


def zeros():
    import torch

    return torch.zeros(1)


def sections(model, prefix, *, rows=None, config=None, **settings):
    """The cache of a text model whose axes share one list of frequencies: position_ids [axes, 1, rows]."""
    rows = coordinates(3) if rows is None else rows
    made = named(model, prefix + "RotaryEmbedding")(configured(model, config or prefix + "Config", **settings))
    cos, sin = made(zeros(), ids(rows.T)[:, None])
    return cache(rows, cos, sin)


def turned(model, dumped, dim):
    """The vectors that the model's own rotation makes of others, with the cache of a dump."""
    rows, x = dumped["positions"], vectors(len(dumped["positions"]), dim)
    # [batch, heads, rows, dim].
    y, _ = named(model, "apply_rotary_pos_emb")(x[None, None], x[None, None], ids(dumped["cos"])[None], ids(dumped["sin"])[None])
    return rotation(rows, x, y)


def rope(base, **more):
    return {"rope_type": "default", "rope_theta": base, **more}


QWEN2 = path("qwen2_vl", "Qwen2VLRotaryEmbedding")


def qwen2_vl():
    rope_parameters = rope(1e6, mrope_section=[16, 24, 24])
    config = "Qwen2VLTextConfig"
    return sections("qwen2_vl", "Qwen2VL", config=config, hidden_size=256, num_attention_heads=2, rope_parameters=rope_parameters)


@module("qwen2-vl", QWEN2)
def _():
    return qwen2_vl()


@module("qwen2-vl-rotation", path("qwen2_vl", "apply_rotary_pos_emb"), family="qwen2-vl")
def _():
    return turned("qwen2_vl", qwen2_vl(), 128)


@module("qwen3-vl", path("qwen3_vl", "Qwen3VLTextRotaryEmbedding"))
def _():
    rope_parameters = rope(5e6, mrope_section=[24, 20, 20], mrope_interleaved=True)
    return sections("qwen3_vl", "Qwen3VLText", head_dim=128, rope_parameters=rope_parameters)


@module("qwen3.5", path("qwen3_5", "Qwen3_5TextRotaryEmbedding"))
def _():
    rope_parameters = rope(1e7, mrope_section=[11, 11, 10], mrope_interleaved=True, partial_rotary_factor=0.25)
    return sections("qwen3_5", "Qwen3_5Text", head_dim=256, rope_parameters=rope_parameters)


def glm4v():
    rope_parameters = rope(1e4, mrope_section=[8, 12, 12], partial_rotary_factor=0.5)
    return sections("glm4v", "Glm4vText", hidden_size=256, num_attention_heads=2, rope_parameters=rope_parameters)


@module("glm4v", path("glm4v", "Glm4vTextRotaryEmbedding"))
def _():
    return glm4v()


@module("glm4v-rotation", path("glm4v", "apply_rotary_pos_emb"), family="glm4v")
def _():
    return turned("glm4v", glm4v(), 128)


@module("glm-image", path("glm_image", "GlmImageTextRotaryEmbedding"))
def _():
    rope_parameters = rope(1e4, mrope_section=[8, 12, 12], partial_rotary_factor=0.5)
    return sections("glm_image", "GlmImageText", hidden_size=256, num_attention_heads=2, rope_parameters=rope_parameters)


def ernie():
    rope_parameters = rope(5e5, mrope_section=[22, 22, 20])
    model = "ernie4_5_vl_moe"
    return sections(model, "Ernie4_5_VLMoeText", hidden_size=256, num_attention_heads=2, rope_parameters=rope_parameters)


@module("ernie4.5-vl", path("ernie4_5_vl_moe", "Ernie4_5_VLMoeTextRotaryEmbedding"))
def _():
    return ernie()


@module("ernie4.5-vl-rotation", path("ernie4_5_vl_moe", "apply_rotary_pos_emb"), family="ernie4.5-vl")
def _():
    return turned("ernie4_5_vl_moe", ernie(), 128)


def hunyuan():
    rope_parameters = rope(1e4, mrope_section=[16] * 4)
    config = "HunYuanVLTextConfig"
    return sections("hunyuan_vl", "HunYuanVL", rows=coordinates(4), config=config, head_dim=128, rope_parameters=rope_parameters)


@module("hunyuan-vl", path("hunyuan_vl", "HunYuanVLRotaryEmbedding"))
def _():
    return hunyuan()


@module("hunyuan-vl-rotation", path("hunyuan_vl", "apply_rotary_pos_emb"), family="hunyuan-vl")
def _():
    return turned("hunyuan_vl", hunyuan(), 128)


@module("neomme", path("neomme", "NeoMMERotaryEmbedding"))
def _():
    config = configured("neomme", "NeoMMEConfig", head_dim=64)
    layer = next(name for name, said in config.rope_parameters.items() if said and said["rope_theta"] == 10000)
    rows = coordinates(2)
    return cache(rows, *named("neomme", "NeoMMERotaryEmbedding")(config)(zeros(), ids(rows.T)[:, None], layer_type=layer))


def vision(model, prefix, dim, *, axes=2, base=1e4, config=None, kind="axial", batched=False, **settings):
    """The cache of a vision part: position_ids [rows, axes], in some [1, rows, axes]."""
    rows = coordinates(axes)
    config = configured(model, config or prefix + "VisionConfig", rope_parameters={"rope_type": kind, "rope_theta": base}, **settings)
    config.head_dim = dim
    made = named(model, prefix + "RotaryEmbedding" if prefix.endswith("ViT") else prefix + "VisionRotaryEmbedding")(config)
    return cache(rows, *made(zeros(), ids(rows)[None] if batched else ids(rows)))


@module("qwen2-vision", path("qwen2_vl", "Qwen2VLVisionRotaryEmbedding"))
def _():
    return vision("qwen2_vl", "Qwen2VL", 80)


@module("glm4v-vision", path("glm4v", "Glm4vVisionRotaryEmbedding"), family="qwen2-vision")
def _():
    return vision("glm4v", "Glm4v", 80)


@module("qwen3-vision", path("qwen3_vl", "Qwen3VLVisionRotaryEmbedding"), family="qwen2-vision")
def _():
    return vision("qwen3_vl", "Qwen3VL", 80)


@module("pixtral", path("pixtral", "PixtralVisionRotaryEmbedding"))
def _():
    return vision("pixtral", "Pixtral", 64)


def gemma():
    return vision("gemma4", "Gemma4", 64, base=100.0, batched=True)


@module("gemma4-vision", path("gemma4", "Gemma4VisionRotaryEmbedding"))
def _():
    return gemma()


@module("gemma4-vision-rotation", path("gemma4", "apply_multidimensional_rope"), family="gemma4-vision")
def _():
    dumped = gemma()
    rows, x = dumped["positions"], vectors(len(dumped["positions"]), 64)
    # [batch, rows, heads, dim].
    apply = named("gemma4", "apply_multidimensional_rope")
    y = apply(x[None, :, None], ids(dumped["cos"])[None], ids(dumped["sin"])[None], ids(rows)[None])
    return rotation(rows, x, y)


@module("kimi-k25-vision", path("kimi_k25", "Kimi_K25VisionRotaryEmbedding"))
def _():
    return vision("kimi_k25", "Kimi_K25", 72)


@module("step3p7-vision", path("step3p7", "Step3p7VisionRotaryEmbedding"))
def _():
    return vision("step3p7", "Step3p7", 64)


def minimax():
    return vision("minimax_m3_vl", "MiniMaxM3VL", 80, axes=3)


@module("minimax-m3-vision", path("minimax_m3_vl", "MiniMaxM3VLVisionRotaryEmbedding"))
def _():
    return minimax()


@module("minimax-m3-vision-rotation", path("minimax_m3_vl", "apply_rotary_pos_emb_vision"), family="minimax-m3-vision")
def _():
    dumped = minimax()
    rows, x = dumped["positions"], vectors(len(dumped["positions"]), 80)
    apply = named("minimax_m3_vl", "apply_rotary_pos_emb_vision")
    y, _ = apply(x[:, None], x[:, None], ids(dumped["cos"]), ids(dumped["sin"]))
    return rotation(rows, x, y)


@module("sam3", path("sam3", "Sam3ViTRotaryEmbedding"))
def _():
    return vision("sam3", "Sam3ViT", 64, config="Sam3ViTConfig")


@module("llama4-vision", path("llama4", "Llama4VisionRotaryEmbedding"))
def _():
    said = {"rope_type": "default", "rope_theta": 10000}
    settings = {"hidden_size": 88, "num_attention_heads": 1, "image_size": 12 * 14, "patch_size": 14, "rope_parameters": said}
    made = named("llama4", "Llama4VisionRotaryEmbedding")(configured("llama4", "Llama4VisionConfig", **settings))
    angles = made(zeros())
    # Columns and rows of a raster; the class token, last, has no position.
    rows = np.concatenate([grid(12, 12)[:, ::-1].astype(float), [[np.nan, np.nan]]])
    return cache(rows, angles.real, angles.imag)


@module("efficientloftr", path("efficientloftr", "EfficientLoFTRRotaryEmbedding"))
def _():
    import torch

    config = configured("efficientloftr", "EfficientLoFTRConfig")
    side = config.q_aggregation_stride
    made = named("efficientloftr", "EfficientLoFTRRotaryEmbedding")(config)
    return cache(grid(9, 11), *made(torch.zeros(1, 1, 9 * side, 11 * side)))


@module("dinov3", path("dinov3_vit", "DINOv3ViTRopePositionEmbedding"))
def _():
    import torch

    config = configured("dinov3_vit", "DINOv3ViTConfig", hidden_size=128, num_attention_heads=2, patch_size=16, rope_theta=100.0)
    made = named("dinov3_vit", "DINOv3ViTRopePositionEmbedding")(config).eval()
    return cache(grid(14, 20), *made(torch.zeros(1, 3, 14 * 16, 20 * 16)))


@module("vjepa2", path("vjepa2", "rotate_queries_or_keys"))
def _():
    rows = coordinates(1)
    x = vectors(len(rows), 24)
    y = named("vjepa2", "rotate_queries_or_keys")(x[None, None], ids(rows).float()[:, 0])
    return rotation(rows, x, y)


@module("deepseek-v4", path("deepseek_v4", "apply_rotary_pos_emb"))
def _():
    said = {"rope_type": "default", "rope_theta": 10000, "partial_rotary_factor": 0.5}
    config = configured("deepseek_v4", "DeepseekV4Config", head_dim=128)
    config.head_dim, config.rope_parameters = 128, {"main": said}
    rows = coordinates(1)
    x = vectors(len(rows), 128)
    cos, sin = named("deepseek_v4", "DeepseekV4RotaryEmbedding")(config)(zeros(), ids(rows.T), layer_type="main")
    return rotation(rows, x, named("deepseek_v4", "apply_rotary_pos_emb")(x[None, None], cos, sin))


@module("deepseek-v3", path("deepseek_v3", "apply_rotary_pos_emb_interleave"))
def _():
    config = configured("deepseek_v3", "DeepseekV3Config", qk_rope_head_dim=64, rope_parameters=rope(1e4))
    config.head_dim = 64
    rows = coordinates(1)
    x = vectors(len(rows), 64)[None, None]
    cos, sin = named("deepseek_v3", "DeepseekV3RotaryEmbedding")(config)(zeros(), ids(rows.T))
    y, _ = named("deepseek_v3", "apply_rotary_pos_emb_interleave")(x, x, cos, sin)
    return rotation(rows, x, y)


@module("mae", path("vit_mae", "ViTMAEEmbeddings"), compute="f64")
def _():
    config = configured("vit_mae", "ViTMAEConfig", hidden_size=96, image_size=11 * 16, patch_size=16)
    made = named("vit_mae", "ViTMAEEmbeddings")(config)
    made.initialize_weights()
    # The class token, first, has no position.
    rows = np.concatenate([[[np.nan, np.nan]], grid(11, 11)])
    return table(rows, made.position_embeddings[0])


@module("aimv2", path("rt_detr", "build_2d_sinusoidal_position_embedding"), compute="f64")
def _():
    return table(grid(9, 13), named("rt_detr", "build_2d_sinusoidal_position_embedding")(9, 13, 96))


@module("detr", path("detr", "DetrSinePositionEmbedding"))
def _():
    import torch

    made = named("detr", "DetrSinePositionEmbedding")(num_position_features=64, normalize=True)
    entries = made(torch.Size([1, 3, 25, 34]), "cpu", torch.float32)
    return table(grid(25, 34), entries[0].permute(1, 2, 0))
