"""Modules of diffusers."""

import numpy as np

from dump import array, cache, coordinates, cross, grid, module, table

TRANSFORMERS = "diffusers.models.transformers.transformer_"
EMBEDDINGS = "diffusers.models.embeddings."


def made(path, *arguments, **more):
    """An instance of a class, or what a function returns."""
    import importlib

    folder, _, name = path.rpartition(".")
    return getattr(importlib.import_module(folder), name)(*arguments, **more)


def latents(*shape):
    import torch

    return torch.zeros(1, 1, *shape)


def ids(positions):
    import torch

    return torch.from_numpy(np.asarray(positions))


FLUX = TRANSFORMERS + "flux.FluxPosEmbed"


@module("flux", FLUX, compute="f64")
def _():
    positions = coordinates(3, signed=True)
    return cache(positions, *made(FLUX, 10000, [16, 56, 56])(ids(positions)))


FLUX2 = TRANSFORMERS + "flux2.Flux2PosEmbed"


@module("flux2", FLUX2, compute="f64")
def _():
    positions = coordinates(4, signed=True)
    return cache(positions, *made(FLUX2, 2000, [32] * 4)(ids(positions)))


HUNYUAN = TRANSFORMERS + "hunyuan_video.HunyuanVideoRotaryPosEmbed"


@module("hunyuan-video", HUNYUAN)
def _():
    return cache(grid(5, 7, 9), *made(HUNYUAN, 2, 1, [16, 56, 56])(latents(5, 14, 18)))


LUMINA = TRANSFORMERS + "lumina2.Lumina2RotaryPosEmbed"


@module("lumina2", LUMINA, compute="f64")
def _():
    import torch

    # A caption of 17 tokens, and an image of 5 × 7 behind it.
    turned = made(LUMINA, 10000, [32, 32, 32])(latents(10, 14), torch.ones(1, 17, dtype=torch.int32))[3][0]
    caption = np.stack([np.arange(17), np.zeros(17, int), np.zeros(17, int)], axis=-1)
    image = np.concatenate([np.full((35, 1), 17), grid(5, 7)], axis=1)
    return cache(np.concatenate([caption, image]), turned.real, turned.imag)


Z_IMAGE = TRANSFORMERS + "z_image.RopeEmbedder"


@module("z-image", Z_IMAGE)
def _():
    positions = coordinates(3, most=2999)
    turned = made(Z_IMAGE, 256.0, [32, 48, 48], [3000] * 3)(ids(positions))
    return cache(positions, turned.real, turned.imag)


HIDREAM = TRANSFORMERS + "hidream_image.HiDreamImageEmbedND"


@module("hidream", HIDREAM, compute="f64")
def _():
    positions = coordinates(3, signed=True)
    turned = made(HIDREAM, 10000, [64, 32, 32])(ids(positions)[None])
    return cache(positions, turned[..., 0, 0], turned[..., 1, 0])


WAN = TRANSFORMERS + "wan.WanRotaryPosEmbed"


@module("wan", WAN, compute="f64")
def _():
    return cache(grid(5, 7, 9), *made(WAN, 128, (1, 2, 2), 1024)(latents(5, 14, 18)))


COGVIDEO = EMBEDDINGS + "get_3d_rotary_pos_embed"


@module("cogvideox", COGVIDEO)
def _():
    import torch

    (top, left), (bottom, right), (height, width), frames = (3, 5), (33, 65), (7, 9), 5
    turned = made(COGVIDEO, 64, ((top, left), (bottom, right)), (height, width), frames)
    # The rows of a crop are those of a linspace in binary32: its numbers are the coordinates.
    t, h, w = grid(frames, height, width).T
    t_at = array(torch.linspace(0, frames * (frames - 1) / frames, frames, dtype=torch.float32))
    h_at = array(torch.linspace(top, bottom * (height - 1) / height, height, dtype=torch.float32))
    w_at = array(torch.linspace(left, right * (width - 1) / width, width, dtype=torch.float32))
    return cache(np.stack([t_at[t], h_at[h], w_at[w]], axis=-1), *turned)


ALLEGRO = EMBEDDINGS + "get_3d_rotary_pos_embed_allegro"


@module("allegro", ALLEGRO)
def _():
    import torch

    # A table for each axis, with its coordinates.
    tables = made(ALLEGRO, 96, ((0, 0), (21, 27)), (7, 9), 5, interpolation_scale=(2.0, 2.0, 2.0))
    index = grid(5, 7, 9).T
    axes = [torch.from_numpy(at.copy()) for at in index]
    cos, sin = (torch.cat([part[which][at] for part, at in zip(tables[:3], axes)], dim=-1) for which in (0, 1))
    positions = np.stack([array(part)[at] for part, at in zip(tables[3:], index)], axis=-1)
    return cache(positions, cos, sin)


COSMOS = TRANSFORMERS + "cosmos.CosmosRotaryPosEmbed"


@module("cosmos", COSMOS)
def _():
    return cache(grid(5, 7, 9), *made(COSMOS, 128)(latents(5, 14, 18), fps=30))


COGVIEW = TRANSFORMERS + "cogview4.CogView4RotaryPosEmbed"


@module("cogview4", COGVIEW)
def _():
    return cache(grid(7, 9) * 256 // [7, 9], *made(COGVIEW, 128, 2, (256, 256))(latents(14, 18)))


KANDINSKY = TRANSFORMERS + "kandinsky.Kandinsky5RoPE3D"


@module("kandinsky5", KANDINSKY)
def _():
    import torch

    at = [torch.arange(side) for side in (5, 7, 9)]
    turned = made(KANDINSKY, (16, 24, 24))((1, 5, 7, 9), at, (1.0, 2.0, 2.0))
    return cache(grid(5, 7, 9), turned[..., 0, 0], turned[..., 1, 0])


LTX = TRANSFORMERS + "ltx.LTXVideoRotaryPosEmbed"


@module("ltx-video", LTX)
def _():
    turned = made(LTX, 512)(latents(1), 5, 7, 9, rope_interpolation_scale=(8 / 25, 32, 32))
    return cache(grid(5, 7, 9), *turned, most=8)


LTX2 = TRANSFORMERS + "ltx2.LTX2AudioVideoRotaryPosEmbed"


@module("ltx2", LTX2)
def _():
    rope = made(LTX2, 512, rope_type="split", num_attention_heads=8)
    at = rope.prepare_video_coords(1, 5, 7, 9, "cpu")
    # Coordinates are the centres of the patches; the heads of a row lie side by side.
    cos, sin = (part[0].swapaxes(0, 1) for part in rope(at))
    return cache(array(at.mean(dim=-1))[0].T, cos, sin, most=8)


ERNIE = TRANSFORMERS + "ernie_image.ErnieImageEmbedND3"


@module("ernie-image", ERNIE)
def _():
    positions = coordinates(3)
    # The module returns angles; attention takes their cosines and sines.
    angles = made(ERNIE, 128, 256, (32, 48, 48))(ids(positions).float()[None])
    return cache(positions, angles.cos(), angles.sin())


QWEN = TRANSFORMERS + "qwenimage.QwenEmbedRope"


@module("qwen-image", QWEN, family="flux")
def _():
    turned = made(QWEN, 10000, [16, 56, 56], scale_rope=True)((1, 7, 9), max_txt_seq_len=6, device="cpu")
    # Rows and columns are counted from the middle of the image.
    image = grid(1, 7, 9) - [0, 7 - 7 // 2, 9 - 9 // 2]
    text = np.repeat(max(7 // 2, 9 // 2) + np.arange(6), 3).reshape(6, 3)
    both = [np.concatenate([array(part.real), array(part.imag)], axis=-1) for part in turned]
    cos, sin = ids(np.concatenate(both)).chunk(2, dim=-1)
    return cache(np.concatenate([image, text]), cos, sin)


MOCHI = TRANSFORMERS + "mochi.MochiRoPE"
MIXED = [{"name": axis, "pairs": "0..32", "frequencies": f"omega_{axis}"} for axis in "thw"]


@module("mochi", MOCHI, convention={"encoding": "rope", "dim": 64, "axes": MIXED})
def _():
    import torch

    # Learned; here of a fixed seed.
    omega = torch.from_numpy(np.random.default_rng(15).uniform(-1, 1, (3, 1, 32)).astype(np.float32))
    rope = made(MOCHI)
    positions = array(rope._get_positions(5, 7, 9, device="cpu", dtype=torch.float32))
    held = {f"omega_{axis}": array(omega)[at, 0] for at, axis in enumerate("thw")}
    # Each slot turns by a sum of the axes, which only rows that differ along one of them take apart.
    both = rope(omega, 5, 7, 9, device="cpu", dtype=torch.float32)
    return cache(positions, *both, kept=cross(5, 7, 9)) | held


SD3 = EMBEDDINGS + "PatchEmbed"


@module("sd3", SD3)
def _():
    patches = made(SD3, height=128, width=128, patch_size=2, in_channels=1, embed_dim=96, pos_embed_max_size=96)
    return table(grid(7, 9) + [(96 - 7) // 2, (96 - 9) // 2], patches.cropped_pos_embed(14, 18))


COG3D = EMBEDDINGS + "get_3d_sincos_pos_embed"


@module("cogvideox-sincos3d", COG3D)
def _():
    return table(grid(5, 7, 9), made(COG3D, 128, (9, 7), 5, spatial_interpolation_scale=1.875))
