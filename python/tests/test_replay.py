"""Public bugs, replayed: each is noticed and named first, and its fix is accepted."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import posproof
import pytest

from replay import modules, name, summary, thread
from replay.__main__ import README, readme

MODULES = modules()

# How a module is judged, from best to worst; all but the first need an entry below.
NAMED = "named first, the fix accepted"
NOTICED = "noticed, not named first, the fix accepted"
REFUSED = "not judged: the specification is refused"
MISSED = "not noticed"
ACCUSED = "noticed, but so is the fix"

# What is not (yet) as it should be, and why. An entry that has healed fails the test.
PINNED: dict[str, tuple[str, str]] = {}


def findings(module: ModuleType, subject: object) -> list[str] | None:
    """The codes of the report's findings in their order, or None where the subject conforms."""
    if module.SUBJECT == "table":
        report = posproof.check_sinusoid(subject, **module.SPEC)
        text = None if report.conforms else str(report)
    else:
        try:
            posproof.assert_rope(subject, **module.SPEC)
            text = None
        except AssertionError as failure:
            text = str(failure)
    if text is None:
        return None
    codes = re.findall(r"^  ([a-z][a-z0-9-]*): ", text, re.MULTILINE)
    return [code for code in codes if code != "worst"]


@cache
def outcome(module: ModuleType) -> str:
    try:
        of_broken, of_fixed = (findings(module, subject()) for subject in (module.broken, module.fixed))
    except posproof.InvalidInput:
        return REFUSED
    if of_broken is None:
        return MISSED
    if of_fixed is not None:
        return ACCUSED
    return NAMED if of_broken[:1] == [module.FINDING] else NOTICED


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_bug_is_named_and_fix_accepted(module: ModuleType) -> None:
    expected, reason = PINNED.get(name(module), (NAMED, ""))
    assert outcome(module) == expected, reason or f"{thread(module)}: {summary(module)}"


def test_score(record_property: Callable[[str, object], None]) -> None:
    """At least 56 of 60 noticed, 50 of 60 named first, every fix accepted: of those that can be stated."""
    tally = Counter(outcome(module) for module in MODULES)
    record_property("score", dict(tally))
    stated = len(MODULES) - tally[REFUSED]
    assert stated >= 60
    assert tally[ACCUSED] == 0
    assert (tally[NAMED] + tally[NOTICED]) * 60 >= 56 * stated, tally
    assert tally[NAMED] * 60 >= 50 * stated, tally


def test_pinned_names_exist() -> None:
    assert PINNED.keys() <= {name(module) for module in MODULES}
    assert all(expected != NAMED and reason for expected, reason in PINNED.values())


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_module_says_what_it_replays(module: ModuleType) -> None:
    assert re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", thread(module))
    assert re.match(r"\S.* .*\S", summary(module))
    assert module.SUBJECT in ("cache", "function", "rotation", "query and key", "table")
    assert len(Path(str(module.__file__)).read_text(encoding="utf-8").splitlines()) <= 40


def test_threads_and_summaries_differ() -> None:
    assert len({thread(module) for module in MODULES}) == len(MODULES)
    assert len({summary(module) for module in MODULES}) == len(MODULES)


@pytest.mark.parametrize("module", [module for module in MODULES if module.SUBJECT in ("cache", "table")], ids=name)
def test_broken_differs_from_fixed(module: ModuleType) -> None:
    broken, fixed = (np.asarray(subject(), np.float64) for subject in (module.broken, module.fixed))
    assert not np.array_equal(broken, fixed)


def test_readme_is_current() -> None:
    assert README.read_text(encoding="utf-8") == readme(), "write it anew: python -m replay, in python/tests"
