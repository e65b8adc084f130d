"""Runs of a model: a prompt at given positions, a batch whose rows stand at different ones, a step of decoding with a cache, a long
prompt."""

from __future__ import annotations

import inspect
import re

import torch

from posproof import projections
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

# Positions of a long run, and of how many of them the vectors are judged: more than those of the first run, up to the last.
LONG, JUDGED = 1031, 24

# Numbers in a model that runs a long prompt whole.
SMALL = 100_000_000


CACHED = "of the cache"

# Arguments of rotary modules that say where rows stand.
PLACES = re.compile("pos|seq|ids|offset|freq|len|grid|layer|coord")

# Arguments of a forward pass that say nothing of its inputs, or that each run gives.
GIVEN = re.compile("^(input_ids|position_ids|labels|return_dict|past_key_values|cache_position|logits_to_keep)$|^(use|output)_|_mask$")


class Expected:
    """The layers that are to rotate. Where no function that rotates is seen in one, what its modules made and attention took counts."""

    def __init__(self, layers: set[int]) -> None:
        self.layers = layers
        self.sources: projections.Sources = {}

    def complete(self, run: Watched) -> None:
        """Adds the rotations of layers in which none was seen."""
        missing = self.layers - run.layers()
        for place in run.taken:
            if place.layer not in missing:
                continue
            # A layer's first attention is its own, and a later one that of other vectors.
            missing.discard(place.layer)
            for name, taken in zip(("query", "key"), run.taken[place], strict=False):
                x = projections.source(place, name, taken, run.made, self.sources)
                if x is not None:
                    run.seen.append(Seen(name, {"x": x, "y": taken}, place=place))
        run.made.clear()


def prompt(model: Any, positions: list[int], expected: Expected) -> Watched:
    """The run of one row of tokens at some positions."""
    device, _ = place(model)
    ids = torch.tensor([positions], device=device)
    return given(model, {"input_ids": _tokens(model, ids), **_placed(model, ids)}, len(positions), expected)


def texts(model: Any, ids: Any) -> dict[str, Any]:
    """Tokens at some positions as arguments of a model, those of its decoder too where it has one."""
    tokens = _tokens(model, ids)
    decodes = "decoder_input_ids" in inspect.signature(model.forward).parameters
    return {"input_ids": tokens, **({"decoder_input_ids": tokens} if decodes else {})}


def counts(model: Any) -> bool:
    """A model counts positions itself if it takes none, or its rotary modules do."""
    whole = (model, getattr(model, "base_model", model))
    makers = [one for one in model.modules() if any("inv_freq" in name for name, _ in one.named_buffers(recurse=False))]
    taken = [parameter for one in makers for parameter in inspect.signature(one.forward).parameters.values()]
    placed = any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) or PLACES.search(one.name) for one in taken)
    return bool(makers) and not placed or all("position_ids" not in inspect.signature(one.forward).parameters for one in whole)


def _placed(model: Any, ids: Any) -> dict[str, Any]:
    """The positions, for a model that takes them."""
    return {} if counts(model) else {"position_ids": ids}


def given(model: Any, inputs: dict[str, Any], rows: int, expected: Expected) -> Watched:
    """The run of inputs of as many positions."""
    with watched(model, rows) as run, torch.no_grad():
        try:
            model(**inputs, **_uncached(model))
        except Exception as error:
            raise InvalidInput(_stopped(model, inputs, error)) from error
    expected.complete(run)
    return run


def length(inputs: dict[str, Any]) -> int | None:
    """The number of positions of inputs of tokens, or of vectors in their place: those that are decoded, where there are two."""
    for name in ("decoder_input_ids", "input_ids", "decoder_inputs_embeds", "inputs_embeds"):
        if isinstance(inputs.get(name), torch.Tensor) and inputs[name].dim() > 1:
            return int(inputs[name].shape[1])
    return None


def _uncached(model: Any) -> dict[str, Any]:
    """That no cache is wanted, where a model takes a word on it."""
    taken = inspect.signature(model.forward).parameters
    takes = "use_cache" in taken or any(one.kind is one.VAR_KEYWORD for one in taken.values())
    return {"use_cache": False} if takes else {}


def batch(model: Any, expected: Expected, unjudged: list[str]) -> Iterator[Run]:
    """Two rows of tokens, the second at later positions."""
    if counts(model):
        unjudged.append("a batch at different positions: the model takes no position_ids, and counts its positions itself")
        return
    device, _ = place(model)
    ids = torch.stack([torch.arange(ROWS), torch.arange(ROWS) + AHEAD]).to(device)
    with watched(model, ROWS, batch=2) as run, torch.no_grad():
        try:
            model(input_ids=_tokens(model, ids).expand(2, -1), position_ids=ids, **_uncached(model))
        except Exception as error:
            unjudged.append(f"a batch of two: {ended(error)}")
            return
    for row, name in enumerate(("in the first row of a batch", "in the second row of a batch")):
        first = AHEAD * row
        own = _of_row(run, row)
        expected.complete(own)
        yield name, own, lambda x, first=first: list(range(first, first + x.shape[-2])), True  # type: ignore[misc]


def padded(model: Any, expected: Expected, unjudged: list[str]) -> Iterator[Run]:
    """Two rows of tokens with their mask, the first padded on the left, at the positions that `generate` gives them."""
    if counts(model):
        return
    device, _ = place(model)
    mask = torch.ones(2, ROWS, dtype=torch.long, device=device)
    mask[0, :AHEAD] = 0
    ids = (mask.cumsum(-1) - 1).clamp(min=0)
    with watched(model, ROWS, batch=2) as run, torch.no_grad():
        try:
            model(input_ids=_tokens(model, ids).expand(2, -1), attention_mask=mask, position_ids=ids, **_uncached(model))
        except Exception as error:
            unjudged.append(f"a row that is padded on the left: {ended(error)}")
            return
    own = _of_row(run, 0)
    expected.complete(own)
    own = _of_positions(own, list(range(AHEAD, ROWS)))
    yield "in a row that is padded on the left", own, lambda x: list(range(x.shape[-2])), False


def long(model: Any, expected: Expected, unjudged: list[str]) -> Iterator[Run]:
    """A prompt of more positions than the first, of which the last are judged."""
    longest = getattr(getattr(model, "config", None), "max_position_embeddings", None)
    rows = min(LONG, longest) if isinstance(longest, int) and longest > 1 else LONG
    if (run := _lean(model, rows, unjudged)) is None:
        return
    expected.complete(run)
    # The first, by which a temperature is known that grows with the position, and the last.
    kept = [0, *range(max(1, rows - JUDGED), rows)]
    own = _of_positions(run, kept, rows)
    yield f"in a prompt of {rows} positions", own, lambda _: kept, False


def _lean(model: Any, rows: int, unjudged: list[str]) -> Watched | None:
    """The run of a long prompt, without what has no part in a rotation; a small model runs whole where that cannot be left out."""
    device, _ = place(model)
    ids = torch.arange(rows, device=device)[None]
    small = sum(one.numel() for one in model.parameters()) <= SMALL
    for lean in (True, False) if small else (True,):
        with watched(model, rows, lean=lean) as run, torch.no_grad():
            try:
                model(input_ids=_tokens(model, ids), **_placed(model, ids), **_uncached(model))
                return run
            except Exception as error:
                problem = f"a prompt of {rows} positions: {ended(error)}"
    unjudged.append(problem)
    return None


def grid(model: Any, axes: int, expected: Expected, unjudged: list[str]) -> Iterator[tuple[Watched, list[list[int]]]]:
    """A prompt whose tokens stand at other positions along each axis, as those of pictures do; with the positions by tokens. They reach as
    far as the model does: slow pairs turn by less than rounding errors along a short prompt."""
    device, _ = place(model)
    near = [[row + 3 * axis if axis % 2 else 2 * row % (ROWS - axis) for axis in range(axes)] for row in range(ROWS)]
    step = max(1, (_longest(model) - 1) // max(map(max, near)))
    rows = [[step * position for position in row] for row in near]
    ids = torch.tensor(rows, device=device).T[:, None]
    with watched(model, ROWS) as run, torch.no_grad():
        try:
            model(input_ids=_tokens(model, ids[0]), position_ids=ids, **_uncached(model))
        except Exception as error:
            unjudged.append(f"positions of {axes} axes: {ended(error)}")
            return
    expected.complete(run)
    yield run, rows


def _longest(model: Any) -> int:
    """The number of positions that a model states for text, or else those of a long run."""
    config: Any = getattr(model, "config", None)
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    longest = getattr(text, "max_position_embeddings", None)
    return longest if isinstance(longest, int) and longest > 1 else LONG


def _of_positions(run: Watched, kept: list[int], rows: int = ROWS) -> Watched:
    """What a run of so many positions showed of some of them."""
    own = Watched(len(kept))
    own.entered, own.learned = run.entered, run.learned
    for seen in run.seen:
        if "x" in seen.arrays and seen.arrays["x"].shape[-2] == rows:
            own.seen.append(Seen(seen.name, {name: array[..., kept, :] for name, array in seen.arrays.items()}, place=seen.place))
    own.taken = {
        place: (query[..., kept, :], key[..., kept, :], scale)
        for place, (query, key, scale) in run.taken.items()
        if query.shape[-2] == key.shape[-2] == rows
    }
    return own


def _of_row(run: Watched, row: int) -> Watched:
    """What a run showed of one row of its two."""
    own, only = Watched(ROWS), slice(row, row + 1)
    own.entered, own.learned = run.entered, run.learned
    for seen in run.seen:
        if seen.layer is not None and len(seen.arrays["x"]) == 2:
            arrays = {name: array[only] for name, array in seen.arrays.items()}
            own.seen.append(Seen(seen.name, arrays, place=seen.place))
    for place, (query, key, scale) in run.taken.items():
        if len(query) == len(key) == 2:
            own.taken[place] = query[only], key[only], scale
    own.made = {layer: [(name, one[only]) for name, one in made if len(one) == 2] for layer, made in run.made.items()}
    return own


def decoding(model: Any, expected: Expected, unjudged: list[str], *, told: bool = False) -> Iterator[Run]:
    """A prompt, and one token after it with the cache, at positions that the model counts itself, or is told."""
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
            given = {"position_ids": ids[:, ROWS:]} if told else {}
            model(input_ids=tokens[:, ROWS:], past_key_values=cache, use_cache=True, **given)
    except Exception as error:
        unjudged.append(f"decoding: {ended(error)}")
        return
    expected.complete(before)
    kept = _kept(before, step)
    step.taken = {place: (q, k[..., -1:, :], scale) for place, (q, k, scale) in step.taken.items() if q.shape[-2] == 1}
    expected.complete(step)
    yield "in decoding", step, lambda x: list(range(ROWS + 1 - x.shape[-2], ROWS + 1)), True
    if kept.seen:
        yield CACHED, kept, lambda x: list(range(ROWS - x.shape[-2], ROWS)), False


def _kept(before: Watched, step: Watched) -> Watched:
    """The keys of the prompt as attention took them, and as it takes them in the step, where these are others."""
    found = Watched(ROWS)
    # Keys of other attentions, of an encoder's vectors say, are not those of the cache.
    rotated = {seen.place for seen in before.seen if seen.place is not None}
    for place in sorted(rotated & before.taken.keys() & step.taken.keys()):
        first, later = before.taken[place][1], step.taken[place][1][..., :-1, :]
        rows = min(later.shape[-2], ROWS)
        first, later = first[..., first.shape[-2] - rows :, :], later[..., later.shape[-2] - rows :, :]
        if rows and first.shape == later.shape and not torch.equal(first, later):
            found.seen.append(Seen("key", {"x": first, "y": later}, place=place))
    return found


def ended(error: Exception) -> str:
    """The end of a run, with the first line of what a library says of it."""
    line = next(filter(None, str(error).splitlines()), "")
    return f"the run ended with {type(error).__name__}{f': {line[:160]}' if line else ''}"


def _taken(model: Any) -> str:
    """The arguments of a forward pass beside those that each run gives, in words."""
    named = [one.name for one in inspect.signature(model.forward).parameters.values() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    return ", ".join([name for name in named if not GIVEN.search(name)][:8])


def _stopped(model: Any, inputs: dict[str, Any], error: Exception) -> str:
    """The sentence about a run that a library's exception ended."""
    if inputs.keys() <= {"input_ids", "position_ids"}:
        return f"{not_run(model, 'one that does not')}; {ended(error)}"
    return f"{type(model).__name__}: inputs: expected what its forward pass takes ({_taken(model)}); found {', '.join(inputs)}; {ended(error)}"


def not_run(model: Any, found: str) -> str:
    """The sentence about a model that text alone does not run."""
    taken = _taken(model)
    return (
        f"{type(model).__name__}: expected a model that runs on input_ids and position_ids alone; found {found}; "
        f"pass inputs={{…}}, what its forward pass takes{f' ({taken})' if taken else ''}, or judge its rotary module, "
        "the function that rotates, or a pair (cos, sin)"
    )


def _tokens(model: Any, ids: Any) -> Any:
    """A token for each position; not that of padding, whose vectors are zero and turn into themselves."""
    try:
        table = model.get_input_embeddings()
    except (AttributeError, NotImplementedError) as error:
        raise InvalidInput(not_run(model, "one without embeddings of tokens")) from error
    count = getattr(table, "num_embeddings", None)
    if not isinstance(count, int) or count < 1:
        raise InvalidInput(not_run(model, f"one whose embeddings of tokens are {type(table).__name__}"))
    known = [token for token in range(min(count, 4096)) if token != getattr(table, "padding_idx", None)]
    return torch.tensor(known, device=ids.device)[torch.arange(ids.shape[1]) % len(known)][None]


