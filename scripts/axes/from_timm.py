"""Modules of timm."""

import numpy as np

from dump import array, cache, grid, module, side_by_side, table

PATH = "timm.layers.pos_embed_sincos."


def layers():
    import timm.layers.pos_embed_sincos

    return timm.layers.pos_embed_sincos


@module("timm-dinov3", PATH + "RotaryEmbeddingDinoV3")
def _():
    made = layers().RotaryEmbeddingDinoV3(64, min_period=0.5, max_period=40, normalize_coords="max")
    return side_by_side(grid(10, 16), made.get_embed([10, 16]))


@module("eva02", PATH + "RotaryEmbeddingCat")
def _():
    made = layers().RotaryEmbeddingCat(64, in_pixels=False, feat_shape=[24, 32], ref_feat_shape=[16, 16])
    return side_by_side(grid(24, 32), made.get_embed())


@module("timm-pixels", PATH + "RotaryEmbeddingCat")
def _():
    made = layers().RotaryEmbeddingCat(64, max_res=224, linear_bands=True)
    return side_by_side(grid(14, 18), made.get_embed([14, 18]))


@module("mixed", PATH + "RotaryEmbeddingMixed")
def _():
    import torch

    torch.manual_seed(15)
    made = layers().RotaryEmbeddingMixed(64, depth=1, num_heads=1)
    # Coordinates (x, y); rows in raster order.
    positions = grid(6, 7)[:, ::-1]
    omega = array(made.freqs).reshape(2, 32)
    return side_by_side(positions, made.get_embed([6, 7])) | {"omega_x": omega[0], "omega_y": omega[1]}


INTERLEAVED = [
    {"name": "t", "pairs": ["0..24:3", "24..32"], "index": "pairs"},
    {"name": "h", "pairs": "1..24:3", "index": "pairs"},
    {"name": "w", "pairs": "2..24:3", "index": "pairs"},
]


@module(
    "timm-mrope",
    PATH + "RotaryEmbeddingMRope",
    convention={"encoding": "rope", "dim": 64, "layout": "halves", "base": 10000, "axes": INTERLEAVED},
)
def _():
    made = layers().RotaryEmbeddingMRope(64, mrope_section=(16, 8, 8))
    positions = np.concatenate([np.zeros((99, 1), int), grid(9, 11)], axis=1)
    return side_by_side(positions, made.get_embed([9, 11]))


@module("timm-sincos2d", PATH + "build_sincos2d_pos_embed")
def _():
    return table(grid(9, 13), layers().build_sincos2d_pos_embed([9, 13], dim=96))
