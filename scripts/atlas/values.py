"""What the real modules compute: cosines and sines of a configuration, and the rotation of probe vectors."""

import inspect

import torch

from modules import LENGTH


class Unmeasured(Exception):
    """Why nothing could be measured."""


class Still(Unmeasured):
    """Nothing rotates, so that there is nothing to measure."""


def cosines(maker, config, label, positions):
    """(cosines, sines) [positions, width] in binary32, of a module made on the processor."""
    made = maker(config)
    ids = torch.tensor(positions)[None]
    x = torch.zeros(1, len(positions), 1)
    named = {"layer_type": label} if label is not None else {}
    with torch.no_grad():
        try:
            result = made(x, ids, **named)
            axes = several(made, x, ids, named, result)
        except (IndexError, RuntimeError, ValueError):
            result = made(x, ids[None].expand(3, 1, -1), **named)
            axes = 3
    if isinstance(result, tuple):
        cos, sin = result
    elif torch.is_complex(result):
        cos, sin = result.real, result.imag
    else:
        raise Unmeasured("neither cosines and sines nor complex numbers")
    while cos.dim() > 2:
        cos, sin = cos[0], sin[0]
    return cos.double(), sin.double(), axes, result


def several(made, x, ids, named, result):
    """3 where positions of three axes make one cache, as in M-RoPE; 1 where they make three, or are not taken."""
    try:
        other = made(x, ids[None].expand(3, 1, -1), **named)
    except Exception:  # noqa: BLE001, whatever a module raises
        return 1
    shape = lambda r: (r[0] if isinstance(r, tuple) else r).shape
    return 3 if shape(other) == shape(result) else 1


class Cache:
    """The frequencies, the gain and the arrangement of a cache."""

    def __init__(self, frequencies, gain, arrangement, axes):
        self.frequencies, self.gain, self.arrangement, self.axes = frequencies, gain, arrangement, axes
        self.pairs = len(frequencies)


def measure(maker, config, label, last=1 << 12):
    """The cache of a configuration. Frequencies come from the sines at two positions: the angle at 1, where it is
    far from 0, else the longest of the powers of two up to `last` at which it is below 1."""
    positions = [0] + [1 << k for k in range(last.bit_length())]
    positions = [p for p in positions if p <= last]
    cos, sin, axes, _ = cosines(maker, config, label, positions)
    if not (torch.isfinite(cos).all() and torch.isfinite(sin).all()):
        raise Unmeasured("not finite")
    width = cos.shape[-1]
    gain = float(cos[0].max())
    arrangement = "pairs"
    columns = list(range(width))
    half = width // 2
    if width % 2 == 0 and width > 1 and torch.equal(cos[:, :half], cos[:, half:]) and torch.equal(sin[:, :half], sin[:, half:]):
        arrangement, columns = "halves", list(range(half))
    elif width % 2 == 0 and width > 1 and torch.equal(cos[:, 0::2], cos[:, 1::2]) and torch.equal(sin[:, 0::2], sin[:, 1::2]):
        arrangement, columns = "repeated", list(range(0, width, 2))
    angles = torch.atan2(sin, cos)[1:, columns]
    steps = torch.tensor(positions[1:], dtype=torch.float64)[:, None]
    guesses = angles / steps
    best = guesses[0]
    for row in range(1, len(guesses)):
        best = torch.where(best.abs() * steps[row] < 1.0, guesses[row], best)
    frequencies = best.tolist()
    return Cache(frequencies, gain, arrangement, axes)


def layout(call, maker, config, label, cache):
    """(layout, first entry of the rotated span, width of the vector) of a recorded rotation, replayed with numbers."""
    _, _, _, made = cosines(maker, config, label, list(range(LENGTH)))
    parts = made if isinstance(made, tuple) else (made,)
    generator = torch.Generator().manual_seed(1)
    vectors = []

    def real(argument):
        kind, value, mark = argument
        if kind == "value":
            return value
        if mark:
            return parts[mark[0]] if call.shape_fits(parts[mark[0]], value) else parts[mark[0]].reshape(value)
        tensor = torch.randn(*value, generator=generator)
        vectors.append(tensor)
        return tensor

    call.shape_fits = lambda tensor, shape: True
    args, kwargs = [real(a) for a in call.args], {key: real(v) for key, v in call.kwargs.items()}
    x = vectors[0].double()
    with torch.no_grad():
        y = call.function(*args, **kwargs)
    y = (y[0] if isinstance(y, tuple) else y).double()
    while x.dim() < y.dim():
        x = x[None]
    if y.shape != x.shape:
        raise Unmeasured(f"a rotation from {tuple(x.shape)} to {tuple(y.shape)}")
    axis = [k for k, size in enumerate(x.shape) if size == LENGTH][0]
    x, y = x.movedim(axis, 0).reshape(LENGTH, -1, x.shape[-1])[:, 0], y.movedim(axis, 0).reshape(LENGTH, -1, y.shape[-1])[:, 0]
    width, pairs = x.shape[-1], cache.pairs
    angle = torch.arange(LENGTH)[:, None].double() * torch.tensor(cache.frequencies).double()
    cos, sin = cache.gain * angle.cos(), cache.gain * angle.sin()
    spans = dict.fromkeys([0, width - 2 * pairs])
    even, odd = torch.arange(0, 2 * pairs, 2), torch.arange(1, 2 * pairs, 2)
    low, high = torch.arange(pairs), torch.arange(pairs, 2 * pairs)
    ways = {"halves": (low, high, low, high), "interleaved": (even, odd, even, odd), "interleaved-to-halves": (even, odd, low, high)}
    for start in spans:
        for sign in (1, -1):
            for name, (first, second, to_first, to_second) in ways.items():
                if start < 0 or start + 2 * pairs > width:
                    continue
                expected = x.clone()
                a, b = x[:, start + first], x[:, start + second]
                expected[:, start + to_first] = a * cos - sign * b * sin
                expected[:, start + to_second] = sign * a * sin + b * cos
                if torch.allclose(expected, y, atol=1e-4, rtol=1e-4):
                    return name, start, width, sign
    raise Unmeasured("a rotation that no layout explains")


def held(config, key):
    """What a configuration has for a key; nothing also where its layers differ in it, which is an error of its own there."""
    try:
        return getattr(config, key, None)
    except Exception:  # noqa: BLE001, whatever a class raises
        return None
