"""Tables of sinusoids in modules and models of PyTorch: found and judged, and once more as tokens are given them."""

from __future__ import annotations

import re

import torch

from posproof import _posproof, runs
from posproof._posproof import InvalidInput
from posproof.decoding import positions as decoded
from posproof.judging import identify, parts
from posproof.watching import host, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from posproof.report import Part

# Names of modules, of their classes and of their tables.
NAMED = re.compile(r"pos(ition|_|$)|sinus|timing|(^|\.)pe$", re.IGNORECASE)

# Arguments that no configuration states: a library's choice, read from the entries where it is not stated.
CHOICES = ("layout", "order", "frequency_spacing")

# Tokens of a run: fewer than the rows of small tables.
TOKENS = 23


def judged(model: Any, options: dict[str, Any]) -> tuple[list[Part], list[str]]:
    """The judgements of a model's tables and of what tokens are given of them, and what was not judged."""
    __tracebackhide__ = True
    inputs = options.pop("inputs", None)
    found: list[Part] = []
    unjudged: list[str] = []
    judging: dict[str, dict[str, Any]] = {}
    for name, owner, table, trained in _tables(model):
        own = {"dim": table.shape[-1], **_chosen(table, options), **options}
        if trained and identify(table=table).confidence != "established":
            unjudged.append(f"{name}: it is trained, and holds no sinusoids")
            continue
        judging[owner] = own
        notes = [f"{own[choice]} as found" for choice in CHOICES if choice in own and choice not in options]
        padding = getattr(model.get_submodule(owner), "padding_idx", None)
        if isinstance(padding, int) and 0 <= padding < len(table) and not table[padding].any() and "positions" not in options:
            kept = [row for row in range(len(table)) if row != padding]
            table, own = table[kept], {**own, "positions": kept}
            notes.append(f"without row {padding} of padding")
        name += f" ({', '.join(notes)})" if notes else ""
        found += parts("assert_sinusoid", name, {"table": table}, own, sinusoid=True)
    if not found:
        raise InvalidInput(f"{type(model).__name__}: expected a table of sinusoids; found none{''.join(f'; {one}' for one in unjudged)}")
    return found + _given(model, inputs, judging, unjudged), unjudged


def _tables(model: Any) -> Iterator[tuple[str, str, Any, bool]]:
    """Tables by their names, with the module that each is of and whether it is trained."""
    for owner, module in model.named_modules():
        held = dict(module.named_buffers(recurse=False)) | dict(module.named_parameters(recurse=False))
        held |= {key: one for key, one in vars(module).items() if isinstance(one, torch.Tensor)}
        for key, one in held.items():
            name = f"{owner}.{key}".strip(".")
            if not (NAMED.search(name) or NAMED.search(type(module).__name__)) or not one.is_floating_point():
                continue
            shape = list(one.shape)
            if len(shape) < 2 or min(shape[-2:]) < 4 or shape[-1] % 2 or shape[-2] * shape[-1] != one.numel():
                continue
            yield name, owner, host(one.detach().reshape(shape[-2:])), one.requires_grad


def _chosen(table: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The choices of a library that nothing states, as the entries show them."""
    if options.get("convention") is not None:
        return {}
    shown = identify(table=table).options[:1]
    return {key: value for one in shown for key, value in one.items() if key in CHOICES and options.get(key) is None}


def _given(model: Any, inputs: dict[str, Any] | None, judging: dict[str, dict[str, Any]], unjudged: list[str]) -> list[Part]:
    """The judgements of what modules with tables return for a prompt, or for the inputs that are given."""
    returned: dict[str, Any] = {}

    def keep(owner: str) -> Any:
        def kept(_: Any, __: Any, output: Any) -> None:
            if isinstance(output, torch.Tensor):
                returned.setdefault(owner, output.detach())

        return kept

    modules = dict(model.named_modules())
    hooks = [modules[owner].register_forward_hook(keep(owner)) for owner in judging if owner]
    try:
        device, _ = place(model)
        with torch.no_grad():
            model(**(inputs or runs.texts(model, torch.arange(TOKENS, device=device)[None])))
    except InvalidInput:
        unjudged.append(f"tokens: {type(model).__name__} has no embeddings of them; its tables alone were judged")
    except Exception as error:
        unjudged.append(f"a prompt: {runs.ended(error)}")
    finally:
        for hook in hooks:
            hook.remove()
    found: list[Part] = []
    for owner, output in returned.items():
        own, count = judging[owner], output.shape[-2] if output.dim() > 1 else 0
        if output.shape[-1] != own["dim"] or output.numel() != count * own["dim"]:
            unjudged.append(f"{owner}: it returns {list(output.shape)}, which are no rows of one sequence")
            continue
        rows = host(output.reshape(count, own["dim"]))
        stated = {key: value for key, value in own.items() if key != "positions"}
        first = _first(rows, stated)
        name = f"{owner} as tokens are given it, from position {first}"
        found += parts("assert_sinusoid", name, {"table": rows}, {**stated, "positions": range(first, first + count)}, sinusoid=True)
    return found


def _first(rows: Any, options: dict[str, Any]) -> int:
    """The position of the first token, where its entries have one."""
    try:
        at: Any = decoded(table=rows[:1], **options).positions[0, 0]
    except _posproof.InvalidInput:
        return 0
    return int(at) if at == at and at >= 0 else 0
