"""Judgements: what was judged, how good it is, and what is wrong with it."""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal, TypeAlias

    from posproof._posproof import Judgement
    from posproof.vocabulary import Code, Confidence, Grade, Status

    Part: TypeAlias = tuple[str, Judgement]


class Finding(dict[str, "Any"]):
    """A finding of a report's document, whose keys are attributes too: `finding.code` is `finding["code"]`."""

    code: Code
    message: str
    status: Status
    explains: int
    where: dict[str, Any] | None
    detail: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"a finding has no {name!r}; it has {', '.join(self)}") from None


class Report:
    """The judgement of one array or of several: of query and key, of layers.

    `str` gives it in words, `to_dict()` for scripts.
    """

    def __init__(self, parts: Sequence[Part], unjudged: Sequence[str] = ()) -> None:
        """Judgements by the names of what was judged: '' where there is only one; what was not judged, and why."""
        if not parts:
            raise ValueError("a report of nothing: expected at least one judgement")
        self._parts = tuple(parts)
        # The worst first; of equals in the order of judging.
        self._ranked = sorted(self._parts, key=lambda part: -part[1].rank)
        self._documents: list[dict[str, Any]] | None = None
        self._unjudged = list(unjudged)

    @property
    def conforms(self) -> bool:
        """Whether everything that was judged conforms."""
        return all(judged.conforms for _, judged in self._parts)

    @property
    def grade(self) -> Grade:
        """The grade, the worst of several: 'correctly-rounded', 'faithful', 'within-bound', 'not-judged', 'degraded',
        'other-convention' or 'wrong'."""
        grade: Grade = self._ranked[0][1].grade
        return grade

    @property
    def judged(self) -> list[str]:
        """The names of what was judged."""
        return [name for name, _ in self._parts]

    @property
    def unjudged(self) -> list[str]:
        """What of a model was not judged, and why: a run that it does not take."""
        return list(self._unjudged)

    @property
    def findings(self) -> list[Finding]:
        """What is wrong, the most important first: each with 'code', 'message', 'status', 'explains', 'where', 'detail', as keys
        and as attributes; 'part' says which of several judgements it is of. 'where' is None for
        a fault of a whole array."""
        named = zip(self._ranked, self._read(), strict=True)
        several = len(self._parts) > 1
        return [
            Finding({**finding, "part": name} if several else finding)
            for (name, _), document in named
            for finding in document["findings"]
        ]

    @property
    def worst(self) -> dict[str, Any] | None:
        """The entry with the largest quotient of error and bound."""
        found: list[dict[str, Any]] = [document["worst"] for document in self._read() if document["worst"]]
        # The first that is not finite has an error of null.
        return max(found, key=_excess, default=None)

    @property
    def entries(self) -> int:
        """How many entries were compared: all of them."""
        return sum(document["entries"] for document in self._read())

    @property
    def mend(self) -> dict[str, Any] | None:
        """The options under which all that was judged conforms, in place of those that were stated; None where nothing
        near them does, or where the parts need different ones. Of several axes they are `convention`, and what is not as
        stated: `compute`, `dtype`, `positions`, `step` and `zero_point`."""
        mends = [_mend(judged) for _, judged in self._parts if not judged.conforms]
        if not mends or any(mend != mends[0] for mend in mends):
            return None
        return mends[0]

    def to_dict(self, version: Literal[1, 2] = 1) -> dict[str, Any]:
        """The document of `posproof check --json` (schema posproof.check/1, of several axes posproof.check-axes/1), or of `--json=2`,
        which has one schema for both; of several judgements, a document with all of them as 'reports', each with its name as 'of'."""
        one = version_of(version) == 1
        documents: list[dict[str, Any]] = [json.loads(judged.json if one else judged.second) for _, judged in self._parts]
        if len(documents) == 1 and not self._parts[0][0]:
            return documents[0]
        named = [{"of": name, **document} for (name, _), document in zip(self._parts, documents, strict=True)]
        return {"schema": f"posproof.checks/{version}", "grade": self.grade, "conforms": self.conforms, "reports": named}

    def __str__(self) -> str:
        chosen = dict.fromkeys(judged.chosen for _, judged in self._parts if judged.chosen)
        notes = "".join(f"  {note}\n" for note in [*chosen, *(f"not judged: {why}" for why in self._unjudged)])
        if len(self._parts) == 1:
            name, judged = self._parts[0]
            return (f"{name}: " if name else "") + judged.text + notes
        failing = [(name, judged) for name, judged in self._ranked if not judged.conforms]
        lines = [f"{len(self._parts)} judged, {len(failing) or 'all'} {'do not conform' if failing else 'conform'}"]
        grades: dict[str, list[str]] = {}
        for name, judged in self._parts:
            grades.setdefault(judged.grade, []).append(name)
        lines += [f"  {grade:17} {listed}" for grade, names in grades.items() for listed in _places(names)]
        whole = "\n".join(lines) + "\n" + notes
        causes: dict[str, list[Part]] = {}
        for name, judged in failing:
            causes.setdefault(_cause(judged), []).append((name, judged))
        # The cause of most is told in full, and the exceptions after it.
        groups = sorted(causes.values(), key=len, reverse=True)
        for group in groups[:WHOLE]:
            name, judged = group[0]
            whole += f"\n{name}: {judged.text}"
            if others := [name for name, _ in group[1:]]:
                places = _places(others)
                whole += "".join(f"  likewise: {listed}\n" for listed in places[:SHORT])
                if len(places) > SHORT:
                    whole += f"  likewise: {len(places) - SHORT} more, which findings name by part\n"
        for group in groups[WHOLE:SHORT]:
            whole += f"\n{'; '.join(_places([name for name, _ in group]))}: {group[0][1].text.splitlines()[0]}"
        if len(groups) > SHORT:
            whole += f"\nand {len(groups) - SHORT} other causes: see findings"
        return whole

    def __repr__(self) -> str:
        return f"<posproof.Report {self.grade}>"

    def plot_data(self, of: str | None = None) -> dict[str, Any]:
        """Errors beside their bounds, as columns for a plot: 'rows' and 'pairs', each a dictionary of lists, 'of' which part.

        Rows have 'position', 'error', 'bound', 'share' (error over bound), 'pair', 'component', 'slab', 'row' and 'exceeding':
        of each row the entry with the largest share. There are some hundred, the worst and the ends of what findings explain
        among them; a vector of frequencies has none. A position along several axes is a tuple. Pairs have 'pair', 'error', 'share' and
        'exceeding', the largest of all rows. An entry that is not finite has an infinite error and share.

        `of` is one of `judged`; without it, the worst part.
        """
        name, judged = self._ranked[0] if of is None else (of, dict(self._parts).get(of))
        if judged is None:
            raise KeyError(f"{of!r}: expected one of {', '.join(map(repr, self.judged))}")
        profile = json.loads(judged.profile)
        for row in profile["rows"]:
            row["position"] = _place(row["position"])
        return {"of": name, "rows": _columns(profile["rows"], ROW), "pairs": _columns(profile["pairs"], PAIR)}

    def plot(self, of: str | None = None) -> Any:
        """Errors beside their bounds, by position and by pair: a figure of matplotlib, or without it a `Picture`, which a notebook
        shows. `of` is as in `plot_data`."""
        from posproof.plotting import drawn

        return drawn(self.plot_data(of), self._repr_html_())

    def _repr_html_(self) -> str:
        return self._ranked[0][1].html(str(self))

    def _read(self) -> list[dict[str, Any]]:
        if self._documents is None:
            self._documents = [json.loads(judged.json) for _, judged in self._ranked]
        return self._documents


# Columns of `plot_data()`.
ROW = ("row", "position", "slab", "pair", "component", "error", "bound", "share", "exceeding")
PAIR = ("pair", "error", "share", "exceeding")


def _columns(lines: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, list[Any]]:
    """Lines of a table as its columns. JSON has no infinity: it writes null."""
    infinite = ("error", "share")
    return {
        name: [float("inf") if line[name] is None and name in infinite else line[name] for line in lines] for name in names
    }


def _place(position: list[float]) -> float | tuple[float, ...] | None:
    """A position as it is stated: a whole number, or another one, of several axes a tuple; None for a row without one."""
    numbers = tuple(int(x) if x == int(x) else x for x in position)
    return numbers[0] if len(numbers) == 1 else numbers or None


def versioned(documents: Sequence[str], version: int) -> dict[str, Any]:
    """The document of a version, from those of all of them."""
    document: dict[str, Any] = json.loads(documents[version_of(version) - 1])
    return document


def version_of(version: int) -> int:
    """The version of a document, if there is one of this number."""
    if version not in (1, 2):
        raise ValueError(f"version: expected 1 or 2; found {version!r}")
    return version


def framed(text: str, good: bool, open: bool) -> str:
    """A report for a notebook, with a line in the colour of its answer."""
    from html import escape

    colour = "#1a7f37" if good else "#b35900" if open else "#b3261e"
    return f'<pre style="border-left: 4px solid {colour}; padding-left: 1em">{escape(text)}</pre>'


# Causes that are told in full, and those that are told at all: together they fill a screen.
WHOLE, SHORT = 2, 8

MEASURED = re.compile(r" \(measured [^)]*\)")
LAYER = re.compile(r"layer (\d+), ")


def _cause(judged: Judgement) -> str:
    """The same text for parts that fail alike: the grade, and each finding with the message that names its cause. What was measured
    differs a little from part to part."""
    found = json.loads(judged.json)["findings"]
    return json.dumps([judged.grade, [(one["code"], MEASURED.sub("", one["message"])) for one in found]])


def _places(names: Sequence[str]) -> list[str]:
    """Names in which numbers of layers are joined: `layers 0–3, 5, query`."""
    layers: dict[str, list[int]] = {}
    for name in names:
        numbered = LAYER.match(name)
        layers.setdefault(name[numbered.end() :] if numbered else name, [])
        if numbered:
            layers[name[numbered.end() :]].append(int(numbered[1]))
    return [f"layer{'s' * (len(set(found)) > 1)} {_runs(found)}, {rest}" if found else rest for rest, found in layers.items()]


def _runs(numbers: list[int]) -> str:
    """Ascending numbers as ranges."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][-1] == number - 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("–".join(map(str, run)) for run in runs)


def _mend(judged: Judgement) -> dict[str, Any] | None:
    """The options that mend what was stated, as keywords."""
    if judged.mend is not None:
        return dict(judged.mend)
    stated = json.loads(judged.second)["mend"]
    if stated is None:
        return None
    levels = stated.get("levels") or {}
    options = {
        "convention": stated["convention"],
        "compute": stated["compute"],
        "dtype": stated.get("storage"),
        "positions": stated["positions"],
        "step": levels.get("step"),
        "zero_point": levels.get("zero_point"),
    }
    return {name: value for name, value in options.items() if value is not None}


def _excess(entry: dict[str, Any]) -> float:
    error, bound = entry["error"], entry["bound"]
    return float("inf") if error is None else error / bound if bound else error


class Identification:
    """Which convention something follows."""

    def __init__(self, documents: list[str], text: str, remaining: list[list[tuple[str, str]]]) -> None:
        self._documents = documents
        self._document = json.loads(documents[0])
        self._text = text
        self._remaining = remaining

    @property
    def confidence(self) -> Confidence:
        """'established', 'ambiguous' or 'unexplained'; 'ambiguous' too of slots that turn together at unknown positions."""
        if "groups" in self._document:
            return "ambiguous" if self._document["groups"] else "unexplained"
        confidence: Confidence = self._document["confidence"]
        return confidence

    @property
    def convention(self) -> dict[str, Any] | None:
        """The convention, the simplest if several remain; None if none was found."""
        found: dict[str, Any] | None = self._document.get("convention")
        return found

    @property
    def bases(self) -> list[int] | None:
        """Whole numbers as far below and above the base with which every entry respects the bound that is named as well, if any."""
        open_bases: list[int] | None = self.to_dict(2).get("bases")
        return open_bases

    @property
    def options(self) -> list[dict[str, Any]]:
        """The options that state each convention that remains: `check_rope(cos, sin, **options[0])`; of several axes, its JSON."""
        value = {"convention": json.loads}
        return [{name: value.get(name, str)(stated) for name, stated in one} for one in self._remaining]

    def to_dict(self, version: Literal[1, 2] = 1) -> dict[str, Any]:
        """The document of `posproof identify --json` (schema posproof.identify/1), or of `--json=2`."""
        return versioned(self._documents, version)

    def __str__(self) -> str:
        # The JSON of a convention is told already.
        stated = [one for one in self.options if "convention" not in one]
        called = [", ".join(f"{name}={value}" for name, value in one.items()) for one in stated]
        return self._text + "".join(f"  as options: {one}\n" for one in called)

    def __repr__(self) -> str:
        return f"<posproof.Identification {self.confidence}>"

    def _repr_html_(self) -> str:
        return framed(str(self), self.confidence == "established", self.confidence == "ambiguous")
