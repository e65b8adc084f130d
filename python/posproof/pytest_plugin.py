"""pytest: `--posproof-report=DIR` keeps every judgement of the tests as JSON, and a page of all of them; the fixture
`assert_claim` puts claims of the ledger to functions."""

from __future__ import annotations

import os
import re

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, TypeAlias

    from posproof.claims import ClaimReport
    from posproof.report import Report

    Judgement: TypeAlias = Report | ClaimReport


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option."""
    group = parser.getgroup("posproof", "judgements of positional encodings")
    group.addoption(
        "--posproof-report",
        metavar="DIR",
        help="keep the JSON of every judgement in this folder, and a page of all of them, index.html",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keeps judgements if that is asked for: nothing is imported otherwise."""
    folder = config.getoption("--posproof-report")
    if folder:
        from pathlib import Path

        config.pluginmanager.register(Keeper(Path(folder).absolute()), "posproof-keeper")


@pytest.fixture
def assert_claim() -> Callable[..., Any]:
    """posproof.assert_claim: puts a claim of the ledger to functions."""
    from posproof import assert_claim

    return assert_claim


class Keeper:
    """Writes judgements as they are made."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._kept: list[tuple[str, str, Judgement]] = []

    def pytest_sessionstart(self) -> None:
        """Listens from here on."""
        from posproof import judging

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            _write(self._folder / self._index(), self._page())
        except OSError as error:
            from pytest import UsageError

            expected = "expected a folder that can be made and written to"
            raise UsageError(f"--posproof-report {self._folder}: {expected}; found: {error.strerror}") from None
        judging.listeners.append(self._keep)

    def pytest_sessionfinish(self) -> None:
        """Writes the page."""
        from posproof import judging

        if self._keep in judging.listeners:
            judging.listeners.remove(self._keep)
            _write(self._folder / self._index(), self._page())

    def _index(self) -> str:
        # Workers of pytest-xdist keep their judgements apart.
        worker = os.environ.get("PYTEST_XDIST_WORKER")
        return f"index{f'-{worker}' if worker else ''}.html"

    def _keep(self, report: Judgement) -> None:
        import json

        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
        self._count += 1
        worker = os.environ.get("PYTEST_XDIST_WORKER")
        short = re.sub(r"\W+", "-", test.rpartition("::")[2])[:60].strip("-")
        name = "-".join(filter(None, [worker, f"{self._count:04}", short])) + ".json"
        _write(self._folder / name, json.dumps({"test": test, **report.to_dict()}, indent=2) + "\n")
        self._kept.append((test, name, report))

    def _page(self) -> str:
        from html import escape

        from posproof import _posproof

        failing = sum(not report.conforms for _, _, report in self._kept)
        parts = []
        for test, name, report in self._kept:
            opened = "" if report.conforms else " open"
            summary = f"{escape(report.grade)}: {escape(test)}"
            link = f'<p><a href="{name}">JSON</a></p>'
            parts.append(f"<details{opened}><summary>{summary}</summary>{link}{report._repr_html_()}</details>\n")
        return _posproof.html_page(f"{len(self._kept)} judgements, {failing} do not conform", "".join(parts))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Says where they are."""
        terminalreporter.write_line(f"posproof: {len(self._kept)} judgements kept in {self._folder}")


def _write(path: Path, text: str) -> None:
    """A file that is there whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
