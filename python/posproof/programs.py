"""Programs of torch.export: called with vectors that tell faults apart, in the shapes that they were exported for."""

from __future__ import annotations

import sys

from posproof import _posproof
from posproof._posproof import InvalidInput
from posproof.judging import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from posproof.report import Part

EXPECTED = "expected a program of (positions), (x, positions) or (q, k, positions), the positions integers"


def is_program(subject: Any) -> bool:
    """A program that torch.export made is one."""
    torch = sys.modules.get("torch")
    export = getattr(torch, "export", None)
    return export is not None and isinstance(subject, getattr(export, "ExportedProgram", ()))


def judged(program: Any, options: dict[str, Any]) -> list[Part]:
    """The judgements of what a program returns."""
    import torch

    arguments, keywords = program.example_inputs or ((), {})
    given = [*arguments, *keywords.values()]
    if not 1 <= len(given) <= 3 or not all(isinstance(one, torch.Tensor) for one in given):
        raise InvalidInput(f"the program: {EXPECTED}; found one of {len(given)} inputs")
    *vectors, positions = given
    if positions.is_floating_point() or not all(one.is_floating_point() and one.dim() > 1 for one in vectors):
        raise InvalidInput(f"the program: {EXPECTED}; found inputs of {', '.join(str(one.dtype) for one in given)}")
    rows = positions.shape[-1]
    stated = options.get("positions")
    places = positions.reshape(-1, rows)[0].tolist() if stated is None else _posproof.positions_list(stated)
    if len(places) != rows:
        raise InvalidInput(f"positions: expected {rows}, as many as the program was exported for; found {len(places)}")
    placed = torch.tensor(places).to(positions).expand(positions.shape)
    made = [_vectors(one) for one in vectors]
    # A rotation in place must not change the vectors that it is compared with.
    passed = iter([*(one.clone() for one in made), placed])
    arguments, keywords = tuple(next(passed) for _ in arguments), {name: next(passed) for name in keywords}
    with torch.no_grad():
        returned = program.module()(*arguments, **keywords)
    found = list(returned) if isinstance(returned, tuple | list) else [returned]
    own = {**options, "positions": places}
    if len(found) != 2 and len(made) != len(found):
        raise InvalidInput(f"what the program returns: expected (cos, sin), or what it rotates; found {len(found)} of them")
    if len(made) < 2 and len(found) == 2:
        return parts("assert_rope", "", {"cos": found[0], "sin": found[1]}, own)
    names = ["query", "key"] if len(made) == 2 else [""]
    return [
        part
        for name, x, y in zip(names, made, found, strict=True)
        for part in parts("assert_rope", name, {"x": x, "y": y}, own)
    ]


def _vectors(like: Any) -> Any:
    """Vectors of different entries in the shape and format of others."""
    import torch

    *shape, dim = like.shape
    count = 1
    for length in shape:
        count *= length
    entries = _posproof.probe_vectors(count, dim, str(like.dtype).removeprefix("torch."))
    return torch.from_dlpack(entries).reshape(like.shape).to(like.device)
