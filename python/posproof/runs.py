"""Runs of a model: a prompt at given positions, a batch whose rows stand at different ones, a step of decoding with a cache."""

from __future__ import annotations

import torch

from posproof._posproof import InvalidInput
from posproof.watching import Seen, Watched, place, watched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    # In words what the vectors are of, the run, the positions of some vectors, and whether all that rotates is to be there.
    Run = tuple[str, Watched, Callable[[Any], list[int]], bool]

# Positions of a short run, a number that is seldom one of heads; what the second row of a batch stands ahead.
ROWS, AHEAD = 23, 7


def prompt(model: Any, positions: list[int]) -> Watched:
    """The run of one row of tokens at some positions."""
    device, _ = place(model)
    ids = torch.tensor([positions], device=device)
    with watched(model, len(positions)) as run, torch.no_grad():
        tokens = _tokens(model, ids)
        try:
            model(input_ids=tokens, position_ids=ids, use_cache=False)
        except Exception as error:
            raise InvalidInput(_not_run(model, f"{type(error).__name__}: {error}")) from error
    return run


def batch(model: Any, unjudged: list[str]) -> Iterator[Run]:
    """Two rows of tokens, the second at later positions."""
    device, _ = place(model)
    ids = torch.stack([torch.arange(ROWS), torch.arange(ROWS) + AHEAD]).to(device)
    with watched(model, ROWS) as run, torch.no_grad():
        try:
            model(input_ids=_tokens(model, ids).expand(2, -1), position_ids=ids, use_cache=False)
        except Exception as error:
            unjudged.append(f"a batch of two: {type(error).__name__}: {error}")
            return
    for row, name in enumerate(("in the first row of a batch", "in the second row of a batch")):
        first = AHEAD * row
        yield name, _of_row(run, row), lambda x, first=first: list(range(first, first + x.shape[-2])), True  # type: ignore[misc]


def _of_row(run: Watched, row: int) -> Watched:
    """What a run showed of one row of its two."""
    own, only = Watched(ROWS), slice(row, row + 1)
    own.entered = run.entered
    for seen in run.seen:
        if seen.layer is not None and len(seen.arrays["x"]) == 2:
            arrays = {name: array[only] for name, array in seen.arrays.items()}
            own.seen.append(Seen(seen.name, arrays, layer=seen.layer))
    for layer, (query, key, scale) in run.taken.items():
        if len(query) == len(key) == 2:
            own.taken[layer] = query[only], key[only], scale
    return own


def decoding(model: Any, unjudged: list[str]) -> Iterator[Run]:
    """A prompt, and one token after it with the cache, at positions that the model counts itself."""
    device, _ = place(model)
    ids = torch.arange(ROWS + 1, device=device)[None]
    try:
        with watched(model, ROWS) as before, torch.no_grad():
            tokens = _tokens(model, ids)
            cache = getattr(model(input_ids=tokens[:, :ROWS], use_cache=True), "past_key_values", None)
        if cache is None:
            unjudged.append("decoding: the model returns no cache")
            return
        with watched(model, 1) as step, torch.no_grad():
            model(input_ids=tokens[:, ROWS:], past_key_values=cache, use_cache=True)
    except Exception as error:
        unjudged.append(f"decoding: {type(error).__name__}: {error}")
        return
    kept = _kept(before, step)
    step.taken = {layer: (q, k[..., -1:, :], scale) for layer, (q, k, scale) in step.taken.items() if q.shape[-2] == 1}
    yield "in decoding", step, lambda x: list(range(ROWS + 1 - x.shape[-2], ROWS + 1)), True
    if kept.seen:
        yield "of the cache", kept, lambda x: list(range(ROWS - x.shape[-2], ROWS)), False


def _kept(before: Watched, step: Watched) -> Watched:
    """The keys of the prompt as attention takes them in the step, where these are others than it took in the prompt."""
    found = Watched(ROWS)
    for seen in before.seen:
        if seen.name != "key" or seen.layer not in before.taken or seen.layer not in step.taken:
            continue
        first, later = before.taken[seen.layer][1], step.taken[seen.layer][1][..., :-1, :]
        rows, heads = later.shape[-2], seen.arrays["x"].shape[1]
        own, first = seen.arrays["y"], first[..., first.shape[-2] - rows :, :]
        if not 0 < rows <= ROWS or first.shape != later.shape or first.shape[1] % heads or torch.equal(first, later):
            continue
        later, first = (one[:, :: one.shape[1] // heads] for one in (later, first))
        if own.shape == (*first.shape[:2], ROWS, first.shape[-1]) and torch.equal(own[..., ROWS - rows :, :], first):
            found.seen.append(Seen("key", {"x": seen.arrays["x"][..., ROWS - rows :, :], "y": later}, layer=seen.layer))
    return found


def _not_run(model: Any, found: str) -> str:
    """The sentence about a model that text alone does not run."""
    return (
        f"{type(model).__name__}: expected a model that runs on input_ids and position_ids alone; found {found}; "
        "give its rotary module, the function that rotates, or a pair (cos, sin)"
    )


def _tokens(model: Any, ids: Any) -> Any:
    """A token for each position; not that of padding, whose vectors are zero and turn into themselves."""
    try:
        table = model.get_input_embeddings()
    except (AttributeError, NotImplementedError) as error:
        raise InvalidInput(_not_run(model, "one without embeddings of tokens")) from error
    count = getattr(table, "num_embeddings", None)
    if not isinstance(count, int) or count < 1:
        raise InvalidInput(_not_run(model, f"one whose embeddings of tokens are {type(table).__name__}"))
    known = [token for token in range(min(count, 4096)) if token != getattr(table, "padding_idx", None)]
    return torch.tensor(known, device=ids.device)[torch.arange(ids.shape[1]) % len(known)][None]


