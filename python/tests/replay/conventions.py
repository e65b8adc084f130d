"""What the replayed bugs depart from: frequencies, caches and rotations, in NumPy."""

from collections.abc import Callable
from math import log, pi

import numpy as np

Array = np.ndarray
Cache = tuple[Array, Array]
Rotation = Callable[[Array, Array], Array]
PairRotation = Callable[[Array, Array, Array], tuple[Array, Array]]


def frequencies(dim: int, base: float = 10000.0) -> Array:
    """base^(−2k/dim) for k = 0 … dim/2 − 1."""
    return (base ** -(np.arange(0, dim, 2) / dim)).astype(np.float32)


def angles(positions: Array, inv_freq: Array) -> Array:
    """Position times frequency, [positions, pairs], in f32."""
    return np.outer(np.asarray(positions, np.float32), np.asarray(inv_freq, np.float32))


def cache(positions: Array, inv_freq: Array, amplitude: float = 1.0) -> Cache:
    """Cosines and sines, [positions, pairs]."""
    theta = angles(positions, inv_freq)
    return np.float32(amplitude) * np.cos(theta), np.float32(amplitude) * np.sin(theta)


def rotate_halves(x: Array, cos: Array, sin: Array) -> Array:
    """Turns the pairs (k, k + dim/2)."""
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def rotate_interleaved(x: Array, cos: Array, sin: Array) -> Array:
    """Turns the pairs (2k, 2k + 1)."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return interleave(even * cos - odd * sin, odd * cos + even * sin)


def interleave(even: Array, odd: Array) -> Array:
    """Columns 0, 1, 2, 3 … from those of even and of odd number."""
    return np.stack([even, odd], axis=-1).reshape(*even.shape[:-1], -1)


def rotation(inv_freq: Array, rotate: Callable = rotate_halves, place: Callable = np.asarray) -> Rotation:
    """(x, positions) → y, where row i is turned as position place(positions)[i]."""
    return lambda x, positions: rotate(x, *cache(place(positions), inv_freq))


def both(rotate: Rotation) -> PairRotation:
    """The same rotation of query and key."""
    return lambda q, k, positions: (rotate(q, positions), rotate(k, positions))


def llama3(inv_freq: Array, factor: float, low: float, high: float, length: int) -> Array:
    """Llama 3's bands: long wavelengths are divided by the factor, short ones stay, a blend between."""
    smooth = np.clip((length * inv_freq / (2 * pi) - low) / (high - low), 0, 1)
    return (inv_freq * (smooth + (1 - smooth) / factor)).astype(np.float32)


def yarn_ramp(dim: int, base: float, length: int, truncate: bool = True, last: float | None = None) -> Array:
    """YaRN's ramp, from 0 for pairs of 32 turns or more to 1 for those of one turn or less; its end is at most last."""
    low, high = (dim * log(length / (turns * 2 * pi)) / (2 * log(base)) for turns in (32, 1))
    low, high = (np.floor(low), np.ceil(high)) if truncate else (low, high)
    low, high = max(low, 0), min(high, dim - 1 if last is None else last)
    return np.clip((np.arange(dim // 2) - low) / (high - low), 0, 1)


def yarn(inv_freq: Array, factor: float, ramp: Array) -> Array:
    """Frequencies divided by the factor where the ramp is 1."""
    return (inv_freq * (1 - ramp + ramp / factor)).astype(np.float32)


def attention_factor(factor: float, mscale: float = 1.0) -> float:
    """YaRN's factor of cosines and sines."""
    return 0.1 * mscale * log(factor) + 1
