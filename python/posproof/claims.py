"""Claims of the ledger as checks of somebody's functions."""

from __future__ import annotations

import json
from typing import NamedTuple

from posproof import _posproof, judging
from posproof._posproof import InvalidInput
from posproof.boundary import public
from posproof.functions import Library
from posproof.report import framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias, Unpack

    from posproof.options import Code

    Function: TypeAlias = Callable[..., Any]

# Times that a failure is made simpler at most.
STEPS = 64


class Claim(NamedTuple):
    """A claim that asks functions."""

    id: str
    roles: tuple[str, ...]
    """The functions that it asks: 'encode', 'rotate', 'rotate_complex', 'attention', 'layer'."""
    says: str
    """The relation that is compared."""
    sabotage: str
    """The mistake that must be refuted at the same tolerances."""


@public
def claims(role: str | None = None) -> list[Claim]:
    """The claims that ask a function in this role, or in any."""
    return [Claim(id, tuple(roles), says, sabotage) for id, roles, says, sabotage in _posproof.claims(role)]


class ClaimReport:
    """A claim, put to functions. `str` gives it in words, `to_dict()` for scripts."""

    def __init__(self, conforms: bool, grade: str, text: str, document: str) -> None:
        self._conforms = conforms
        self._grade = grade
        self._text = text
        self._document: dict[str, Any] = json.loads(document)

    @property
    def conforms(self) -> bool:
        """True if the claim holds of the functions: every comparison, with the sabotage refuted."""
        return self._conforms

    @property
    def grade(self) -> str:
        """'holds', 'refuted' or 'not-judged'."""
        return self._grade

    @property
    def claim(self) -> str:
        """The id of the claim."""
        return str(self._document["claim"])

    @property
    def worst(self) -> dict[str, Any] | None:
        """The comparison that fails, on the simplest inputs that were found; or that with the largest share of its
        tolerance: 'what', 'index', 'positions', 'left', 'right', 'error', 'tolerance', 'uniform'."""
        found: dict[str, Any] | None = self._document["failing"] or self._document["worst"]
        return found

    @property
    def bound(self) -> float | None:
        """The tolerance of that comparison."""
        return None if self.worst is None else float(self.worst["tolerance"])

    @property
    def sabotage_refuted(self) -> bool:
        """True if the claim's sabotage is refuted at the same tolerances. Where it is not, nothing is judged."""
        return bool(self._document["sabotage_refuted"])

    def to_dict(self) -> dict[str, Any]:
        """The document of `posproof check claim --json` (schema posproof.claim/1)."""
        return dict(self._document)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<posproof.ClaimReport {self.claim} {self.grade}>"

    def _repr_html_(self) -> str:
        return framed(self._text, self._conforms, self._grade == "not-judged")


class ClaimRefuted(AssertionError):
    """A claim that does not hold of the functions, or that could not be judged; its text is the report."""

    def __init__(self, reports: list[ClaimReport]) -> None:
        super().__init__("\n".join(str(report) for report in reports))
        self.reports = reports


@public
def assert_claim(
    claim: str | Iterable[str],
    *,
    encode: Function | None = None,
    rotate: Function | None = None,
    rotate_complex: Function | None = None,
    attention: Function | None = None,
    layer: Function | None = None,
    **options: Unpack[Code],
) -> Any:
    """Puts a claim of the ledger, or several, to functions; an AssertionError whose text is the report if one does not hold.

    `encode(positions) -> [n, dim]`, `rotate(x, positions) -> y` and `rotate_complex` with vectors [n, dim],
    `attention(q, k, v) -> o` and `layer(x) -> y` with matrices [n, dim]. They are called with arrays of the library that
    `positions` is of (NumPy's, unless it is one of PyTorch, JAX or MLX).

    `dim`, `base`, `layout`, `order` state the encoding; `positions=range(4096)` how far it reaches; `compute` the
    precision that the tolerances are of; `dtype` the format of the vectors; `tokens` the rows of a matrix; `error`
    what an entry of a layer may be off by.

    Returns the report of one claim, or a list of those of several.
    """
    __tracebackhide__ = True
    roles = ("encode", "rotate", "rotate_complex", "attention", "layer")
    functions = dict(zip(roles, (encode, rotate, rotate_complex, attention, layer), strict=True))
    given = {role: function for role, function in functions.items() if function is not None}
    names = [claim] if isinstance(claim, str) else list(claim)
    if not names:
        raise InvalidInput("claim: expected at least one id; found none")
    reports = [_put(name, given, dict(options)) for name in names]
    if failing := [report for report in reports if not report.conforms]:
        raise ClaimRefuted(failing)
    return reports[0] if isinstance(claim, str) else reports


def _put(claim: str, functions: dict[str, Function], options: dict[str, Any]) -> ClaimReport:
    """The report of one claim; where it fails, on the simplest inputs that are found."""
    __tracebackhide__ = True
    library = Library(options.get("positions"))
    probe: _posproof.ClaimProbe | None = _posproof.claim_probe("assert_claim", claim, list(functions), options)
    found = None
    for _ in range(STEPS):
        if probe is None:
            break
        conforms, grade, text, document, probe = probe.judge(_answers(claim, probe, functions, library))
        found = ClaimReport(conforms, grade, text, document)
    assert found is not None
    for listener in judging.listeners:
        listener(found)
    return found


def _answers(
    claim: str, probe: _posproof.ClaimProbe, functions: dict[str, Function], library: Library
) -> dict[str, list[Any]]:
    __tracebackhide__ = True
    answers: dict[str, list[Any]] = {}
    for role, arrays, positions in probe.asked():
        vectors = [library.vectors(entries, tuple(shape)) for _, shape, entries in arrays]
        if positions:
            answers[role] = [_called(claim, role, functions[role], [*vectors, library.numbers(positions)])]
        else:
            calls = range(arrays[0][1][0])
            answers[role] = [_called(claim, role, functions[role], [array[call] for array in vectors]) for call in calls]
    return answers


def _called(claim: str, role: str, function: Function, arguments: list[Any]) -> Any:
    __tracebackhide__ = True
    try:
        returned = function(*arguments)
    except Exception as error:
        shapes = ", ".join(str(tuple(argument.shape)) for argument in arguments)
        message = f"{claim}: {role}, called with arrays of shape {shapes}: raised {type(error).__name__}: {error}"
        raise InvalidInput(message) from error
    # Attention may give its weights as well.
    if role == "attention" and isinstance(returned, tuple | list) and returned:
        returned = returned[0]
    if returned is None:
        raise InvalidInput(f"{claim}: {role}: expected an array; found None")
    return returned
