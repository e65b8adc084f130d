"""Changes of a model while it is judged: of what makes the cosines, of the rotation, after it, of the cache, of positions."""

import contextlib
import functools
import inspect
import re
import sys
import types

import torch
from posproof.consumed import changed_attribute

import modules

LONGEST = 8192  # positions of a small model
NEW = "turned_by_another_name"  # no library has it


class Without(Exception):
    """The model has nothing that the fault could be put into."""


def makers(model, name=modules.MAKES):
    """The modules that make cosines of positions."""
    takes = lambda module: "position_ids" in inspect.signature(type(module).forward).parameters
    return [one for one in model.modules() if name.search(type(one).__name__) and takes(one)]


def rotations(model):
    """(module of Python, name) of every function that rotates."""
    spaces = {type(module).__module__ for module in model.modules()}
    found = [(space, name) for space in sorted(spaces) for name, value in vars(sys.modules[space]).items() if modules.ROTATES.match(name) and inspect.isfunction(value)]
    if not found:
        raise Without("no function that rotates")
    return found


def attribute(owner, name, value):
    """A context in which an attribute has another value."""
    return changed_attribute(owner, name, lambda _: value)


def stacked(contexts):
    stack = contextlib.ExitStack()
    for context in contexts:
        stack.enter_context(context)
    return stack


def positions(change):
    """Other positions for what makes the cosines."""

    def enter(model):
        def patched(module):
            forward, place = module.forward, list(inspect.signature(module.forward).parameters).index("position_ids")

            @functools.wraps(forward)
            def other(*arguments, **keywords):
                if "position_ids" in keywords:
                    keywords["position_ids"] = change(keywords["position_ids"])
                else:
                    arguments = (*arguments[:place], change(arguments[place]), *arguments[place + 1 :])
                return forward(*arguments, **keywords)

            return attribute(module, "forward", other)

        # Where no module makes cosines of positions, the layers look them up.
        found = makers(model) or makers(model, re.compile("Att"))
        if not found:
            raise Without("no module that takes positions")
        return stacked(patched(module) for module in found)

    return enter


def cosines(change):
    """Other cosines and sines."""

    def enter(model):
        def patched(module):
            forward = module.forward

            @functools.wraps(forward)
            def other(*arguments, **keywords):
                made = forward(*arguments, **keywords)
                if isinstance(made, torch.Tensor) and made.is_complex():
                    return torch.complex(*(one.contiguous() for one in change(made.real, made.imag)))
                if isinstance(made, tuple) and len(made) == 2:
                    return tuple(change(*made))
                raise Without("what makes cosines makes something else")

            return attribute(module, "forward", other)

        def taken(function):
            names = list(inspect.signature(function).parameters)

            def other(*arguments, **keywords):
                given = dict(zip(names, arguments)) | keywords
                given["cos"], given["sin"] = change(given["cos"], given["sin"])
                return function(**given)

            return other

        if found := makers(model):
            return stacked(patched(module) for module in found)
        return stacked(
            attribute(sys.modules[space], name, taken(function))
            for space, name in rotations(model)
            if {"cos", "sin"} <= inspect.signature(function := getattr(sys.modules[space], name)).parameters.keys()
        )

    return enter


def frequencies(change):
    """Other frequencies in the buffers."""

    def enter(model):
        buffers = {id(one): one for module in model.modules() for name, one in module.named_buffers(recurse=False) if "inv_freq" in name and one.numel() > 2}
        if not buffers:
            raise Without("no buffer of frequencies")

        @contextlib.contextmanager
        def changed(buffer):
            before = buffer.clone()
            buffer.copy_(change(before))
            try:
                yield
            finally:
                buffer.copy_(before)

        return stacked(changed(one) for one in buffers.values())

    return enter


def codes(function):
    """A function, and those that it wraps."""
    found, opened = [], [function]
    while opened:
        one = opened.pop()
        if isinstance(one, types.FunctionType) and one not in found:
            found.append(one)
            opened += [cell.cell_contents for cell in one.__closure__ or () if inspect.isfunction(cell.cell_contents)]
    return found


@contextlib.contextmanager
def renamed(space, name, function):
    """Calls a function under a name of its own where the classes of a module call that of this name."""
    module, changed = sys.modules[space], []
    for owner in [value for value in vars(module).values() if inspect.isclass(value)]:
        for value in vars(owner).values():
            for one in codes(value) if inspect.isfunction(value) else ():
                if name in one.__code__.co_names and one.__globals__ is vars(module):
                    changed.append((one, one.__code__))
                    one.__code__ = one.__code__.replace(co_names=tuple(NEW + name if used == name else used for used in one.__code__.co_names))
    setattr(module, NEW + name, function)
    try:
        yield
    finally:
        for one, code in changed:
            one.__code__ = code
        delattr(module, NEW + name)


def still(*arguments, **keywords):
    """No rotation: as many vectors as the function of this name returns."""
    given = [one for one in (*arguments, *keywords.values()) if isinstance(one, torch.Tensor)]
    return given[:2] if len(given) > 1 and given[0].dim() == given[1].dim() == 4 and given[0].shape[-1] == given[1].shape[-1] else given[0]


def as_many(function, replaced):
    """A function in the place of another, which returns as many tensors as that one."""

    def other(*arguments, **keywords):
        before = function(*arguments, **keywords)
        given = [one for one in (*arguments, *keywords.values()) if isinstance(one, torch.Tensor)]
        if isinstance(before, (tuple, list)):
            return tuple(replaced(x, y, place) for place, (x, y) in enumerate(zip(given, before)))
        return replaced(given[0], before, None)

    return other


class Counted:
    """Says of the calls of a function that takes one tensor which are those of keys: every second, the first or the other."""

    def __init__(self, model):
        sources = (inspect.getsource(type(one)) for one in model.modules() if "Att" in type(one).__name__)
        calls = [call for source in sources for call in re.findall(r"(\w+) = _?apply_rot\w*\(", source)]
        self.calls, self.first = 0, bool(calls) and calls[0].startswith("k")

    def key(self, place):
        if place is not None:
            return place == 1
        self.calls += 1
        return (self.calls % 2 == 1) == self.first


def rotated(replaced):
    """Other vectors than the functions that rotate return."""

    def enter(model):
        count = Counted(model)
        return stacked(
            attribute(sys.modules[space], name, as_many(getattr(sys.modules[space], name), lambda x, y, place: replaced(x, y, count.key(place)))) for space, name in rotations(model)
        )

    return enter


def late(change):
    """Keys changed after the rotation, where attention has them and no function that is known."""

    def enter(model):
        count = Counted(model)

        def after(space, name):
            def call(*arguments, **keywords):
                made = getattr(sys.modules[space], name)(*arguments, **keywords)
                if isinstance(made, (tuple, list)):
                    return made[0], change(made[1]), *made[2:]
                return change(made) if count.key(None) else made

            return call

        return stacked(renamed(space, name, after(space, name)) for space, name in rotations(model))

    return enter


def elsewhere(wrap):
    """Functions that do nothing, called by other names, or wrapped."""

    def enter(model):
        def nothing(space, name):
            return wrap(as_many(getattr(sys.modules[space], name), lambda x, y, place: x if x.shape == y.shape else y))

        if wrap is None:
            return stacked(
                renamed(space, name, as_many(getattr(sys.modules[space], name), lambda x, y, place: x if x.shape == y.shape else y)) for space, name in rotations(model)
            )
        return stacked(attribute(sys.modules[space], name, nothing(space, name)) for space, name in rotations(model))

    return enter


def one_layer(change):
    """Other cosines in one layer alone, the second of those that are given some."""

    def enter(model):
        given = []

        def entered(module):
            forward = module.forward

            @functools.wraps(forward)
            def other(*arguments, **keywords):
                pair = keywords.get("position_embeddings")
                if isinstance(pair, tuple) and len(pair) == 2:
                    if module not in given:
                        given.append(module)
                    if len(given) > 1 and module is given[1]:
                        keywords["position_embeddings"] = tuple(change(*pair))
                return forward(*arguments, **keywords)

            return attribute(module, "forward", other)

        layers = [one for one in model.modules() if isinstance(getattr(one, "layer_idx", None), int) and "position_embeddings" in inspect.signature(one.forward).parameters and "Att" in type(one).__name__]
        if len(layers) < 2:
            raise Without("no two layers that are given cosines")
        return stacked(entered(one) for one in layers)

    return enter


def scaled(times):
    def enter(model):
        layers = [one for one in model.modules() if isinstance(getattr(one, "scaling", None), float) and "Att" in type(one).__name__]
        if not layers:
            raise Without("no factor of the logits")
        return stacked(attribute(one, "scaling", one.scaling * times) for one in layers)

    return enter


def cached(change):
    """Keys of before changed when they are taken from the cache."""

    def enter(model):
        from transformers.cache_utils import Cache

        classes = [one for one in [Cache, *Cache.__subclasses__()] if "update" in vars(one)]

        def patched(owner):
            update = owner.update

            def other(self, key, *rest, **named):
                made = update(self, key, *rest, **named)
                if key.shape[-2] != 1 or made[0].shape[-2] == 1:
                    return made
                return torch.cat([change(made[0][..., :-1, :]), made[0][..., -1:, :]], -2), *made[1:]

            return attribute(owner, "update", other)

        return stacked(patched(one) for one in classes)

    return enter


def sections(model):
    """Sections of several axes in the reverse order."""
    found = [one for one in model.modules() if isinstance(getattr(one, "mrope_section", None), (list, tuple)) and list(one.mrope_section) != list(one.mrope_section)[::-1]]
    if not found:
        raise Without("no sections")
    return stacked(attribute(one, "mrope_section", one.mrope_section[::-1]) for one in found)


def decoded(change):
    return positions(lambda ids: change(ids) if ids.shape[-1] == 1 else ids)


def repaired(model):
    """Halves paired in the place of neighbours, or the reverse."""

    def other(function):
        def call(*arguments, **keywords):
            width = next((one.shape[-1] for one in (*arguments, *keywords.values()) if isinstance(one, torch.Tensor)), 0)
            unit = lambda one, place: torch.zeros_like(one).index_fill(-1, torch.tensor([place], device=one.device), 1.0) if isinstance(one, torch.Tensor) and one.dim() == 4 and one.shape[-1] == width else one

            def shown(place):
                """The entries that a function makes of a unit vector somewhere."""
                made = function(*(unit(one, place) for one in arguments), **{key: unit(one, place) for key, one in keywords.items()})
                made = made[0] if isinstance(made, (tuple, list)) else made
                return set(made.reshape(-1, made.shape[-1]).abs().amax(0).nonzero().flatten().tolist())

            turned = sum(len(shown(place)) > 1 for place in range(width))
            order, rest = torch.arange(turned), torch.arange(turned, width)
            mixed, back = torch.cat([order[::2], order[1::2]]), torch.stack([order[: turned // 2], order[turned // 2 :]], -1).flatten()
            if 0 in shown(1):
                # It pairs neighbours, and may leave them as halves.
                mixed, back = back, mixed if 1 in shown(1) else order
            mixed, back = torch.cat([mixed, rest]), torch.cat([back, rest])
            mix = lambda one, way: one[..., way] if isinstance(one, torch.Tensor) and one.dim() == 4 and one.shape[-1] == width else one
            made = function(*(mix(one, mixed) for one in arguments), **{key: mix(one, mixed) for key, one in keywords.items()})
            return tuple(mix(one, back) for one in made) if isinstance(made, (tuple, list)) else mix(made, back)

        return call

    return stacked(attribute(sys.modules[space], name, other(getattr(sys.modules[space], name))) for space, name in rotations(model))
