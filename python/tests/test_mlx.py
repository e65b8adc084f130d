"""Arrays of MLX, and functions that compute with them."""

from typing import Any

import numpy as np
import posproof
import pytest

from conftest import angles

mx = pytest.importorskip("mlx.core", reason="NOT TESTED: MLX, which is not installed (sh scripts/setup --torch)")
SPEC: dict[str, Any] = dict(dim=64, layout="halves")


def rotate(x: Any, positions: Any) -> Any:
    theta = positions.astype(mx.float32)[:, None] * mx.array((10000.0 ** -(np.arange(32) / 32)).astype(np.float32))
    cos, sin = mx.cos(theta), mx.sin(theta)
    first, second = mx.split(x, 2, axis=-1)
    return mx.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_functions(dtype: str) -> None:
    seen = []

    def watched(x: Any, positions: Any) -> Any:
        seen.append((type(x), x.dtype, type(positions)))
        return rotate(x.astype(mx.float32), positions).astype(x.dtype)

    assert posproof.assert_rope(watched, positions=mx.arange(256), dtype=dtype, **SPEC).conforms
    assert seen == [(mx.array, getattr(mx, dtype), mx.array)]
    with pytest.raises(AssertionError, match="layout"):
        posproof.assert_rope(watched, positions=mx.arange(256), dtype=dtype, dim=64)


def test_the_library_own() -> None:
    """`mlx.nn.RoPE`, as it is."""
    nn = pytest.importorskip("mlx.nn")
    interleaved, halves = (nn.RoPE(64, traditional=traditional) for traditional in (True, False))
    posproof.assert_rope(lambda x, p: interleaved(x), dim=64, layout="interleaved", positions=mx.arange(300))
    posproof.assert_rope(lambda x, p: halves(x), dim=64, layout="halves", positions=mx.arange(300))


def test_gradients() -> None:
    positions = mx.arange(256)
    assert posproof.assert_rope(rotate, positions=positions, gradient=True, **SPEC).judged == ["", "gradient"]
    for severed in (mx.stop_gradient, lambda x: 2 * x - mx.stop_gradient(x)):
        with pytest.raises(AssertionError, match="gradient"):
            posproof.assert_rope(lambda x, p, cut=severed: rotate(cut(x), p), positions=positions, gradient=True, **SPEC)


def test_caches() -> None:
    theta = angles(300, 64)
    for dtype in (mx.float32, mx.bfloat16, mx.float16):
        cos, sin = (mx.array(wave(theta)).astype(dtype) for wave in (np.cos, np.sin))
        assert posproof.check_rope(cos, sin, dim=64).conforms
