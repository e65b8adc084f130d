"""Families that rotate without a module for their cosines (GPT-J, CodeGen, RoFormer): seen at the logits.

A model is built in which every projection gives the same known vector v of one head, at every position and for every head.
What reaches the product of queries and keys at position p is then R(p)·v, rotated part, gain and all.
"""

import contextlib
import inspect

import torch

import experiments
import modules
import values

SMALL = {"vocab_size": 64, "num_hidden_layers": 1, "intermediate_size": 16, "n_inner": 16, "n_layer": 1}
LAST = 512  # the last position that is asked for
WAYS = ("halves", "interleaved", "interleaved-to-halves")


class Reached(Exception):
    """The logits were reached: nothing after them is computed."""


@contextlib.contextmanager
def projections(width, seen, wanted):
    """Linear maps give a known vector of a head's width; the first operands of matrix products are kept."""
    start, forward, matmul = torch.nn.Linear.__init__, torch.nn.Linear.forward, torch.matmul

    def light(self, *args, **kwargs):
        start(self, *args, **kwargs | {"device": "meta"})

    def known(self, x):
        row = probe(width)[torch.arange(self.out_features) % width]
        return row.expand(*x.shape[:-1], -1).clone()

    def kept(one, other):
        # Logits are products of [positions, entries] and [entries, positions]; others follow them.
        if one.dim() == 4 and one.shape[-1] == other.shape[-2] and other.shape[-1] == one.shape[-2] != one.shape[-1]:
            seen.append(one[0, 0])
            if len(seen) == wanted:
                raise Reached
        return matmul(one, other)

    torch.nn.Linear.__init__, torch.nn.Linear.forward, torch.matmul = light, known, kept
    try:
        yield
    finally:
        torch.nn.Linear.__init__, torch.nn.Linear.forward, torch.matmul = start, forward, matmul


def probe(width):
    return torch.randn(width, generator=torch.Generator().manual_seed(width))


def queries(models, config, width, layers=1):
    """What the first layers compare, [positions, entries] each."""
    seen = []
    config._attn_implementation = "eager"
    with projections(width, seen, layers), torch.no_grad(), contextlib.suppress(Reached):
        model = models[0](config).eval()
        last = min(LAST, (getattr(config, "max_position_embeddings", None) or LAST + 1) - 1)
        model(input_ids=torch.zeros(1, last + 1, dtype=torch.long), use_cache=False)
    if not seen:
        raise values.Unmeasured("no product of queries and keys was seen")
    return [query.double() for query in seen]


class Cache(values.Cache):
    """Frequencies and gain with the layout in which they were seen."""

    def __init__(self, frequencies, gain, layout, width):
        super().__init__(frequencies, gain, "rotated vectors", 1)
        self.layout, self.width = layout, width


def rotation(vector, rows):
    """The cache whose rotation takes the vector to these rows, one for each position."""
    width = len(vector)
    positions = torch.arange(len(rows), dtype=torch.float64)
    turned = (rows - rows[0]).abs().amax(dim=0) > 1e-5
    if not turned.any():
        raise values.Unmeasured("no entry of the queries depends on the position")
    pairs = (int(turned.nonzero().max()) + 2) // 2
    even, low = torch.arange(0, 2 * pairs, 2), torch.arange(pairs)
    ways = zip(WAYS, ((low, low + pairs, low, low + pairs), (even, even + 1, even, even + 1), (even, even + 1, low, low + pairs)))
    for name, (first, second, to_first, to_second) in ways:
        if int(max(second.max(), to_second.max())) >= width:
            continue
        before = torch.complex(vector[first], vector[second])
        ratio = torch.complex(rows[:, to_first], rows[:, to_second]) / before
        gain = float(ratio[0].abs().mean())
        best = torch.angle(ratio[1] / ratio[0])
        for step in (1 << k for k in range(1, len(rows).bit_length()) if 1 << k < len(rows)):
            best = torch.where(best.abs() * step < 1.0, torch.angle(ratio[step] / ratio[0]) / step, best)
        expected = vector.expand(len(rows), -1).clone()
        angles = torch.outer(positions, best)
        turn = gain * before * torch.complex(angles.cos(), angles.sin())
        expected[:, to_first], expected[:, to_second] = turn.real, turn.imag
        if torch.allclose(expected, rows, atol=1e-3, rtol=1e-3):
            return Cache(best.tolist(), gain, name, width)
    raise values.Unmeasured("a rotation that no layout explains")


def still(module, models, config):
    """Whether the layers ran and called none of the module's functions that rotate. Where methods rotate, or none has the name of a
    rotation, that would say nothing."""
    own = [value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == module.__name__]
    if any(modules.ROTATES.match(name) for value in own for name in vars(value)) or not any(map(modules.ROTATES.match, vars(module))):
        return False
    try:
        layers = modules.run(module, models, config).layers
    except Exception:  # noqa: BLE001, whatever a model raises
        return False
    return bool(layers) and not any(layers.values())


class Seen(experiments.Family):
    """A family whose rotation is seen at the logits."""

    def __init__(self, module, config_class, models):
        if modules.parts(config_class):
            raise values.Unmeasured("what of it rotates is in its parts")
        if still(module, models, config_class()):
            raise values.Still("its layers ran, and none rotated")
        self.module, self.cls, self.models, self.completion, self.known = module, config_class, models, {}, {}
        self.extras = {}
        self.labels, self.makers, self.calls, self.trace = [None], {None: models[0]}, {}, modules.Trace()
        cache = self.measured(self.config({}), None)
        if isinstance(cache, str):
            raise values.Unmeasured(cache)
        layers = queries(models, self.config(SMALL | {"num_hidden_layers": 4, "n_layer": 4}), cache.width, layers=4)
        if len(layers) < 4 or any(not torch.equal(layers[0], other) for other in layers[1:]):
            raise values.Unmeasured("layers that differ")

    def measured(self, config, label):
        for key, value in SMALL.items():
            if hasattr(config, key):
                setattr(config, key, value)
        width = queries(self.models, config, 2)[0].shape[-1]
        return rotation(probe(width).double(), queries(self.models, config, width)[0])

    def layout(self, label, config, cache):
        return cache.layout, 0, cache.width, 1

    def beyond(self, label, config, positions):
        raise values.Unmeasured("positions beyond the longest")
