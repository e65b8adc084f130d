"""The pages of the score sheet, HTML and Markdown, from what was measured. The HTML has the design of the report."""

from __future__ import annotations

import shlex
from collections import defaultdict
from html import escape
from pathlib import Path
from typing import Any

from written import WRITTEN

ROOT = Path(__file__).resolve().parents[2]
SCORES = ROOT / "docs" / "scores.json"
STYLE = ROOT / "templates" / "report.css"
PRINT = ROOT / "templates" / "print.css"

# The grades from best to worst, as `posproof check` has them.
GRADES = ("correctly-rounded", "faithful", "within-bound", "not-judged", "degraded", "other-convention", "wrong")

TITLE = "Score sheet of libraries"
READING = (
    "Each cell is one function of one library, asked for one encoding in one dtype at positions from 0 to below a length, "
    "and judged entry by entry against the convention that its documentation states, with angles in binary32. Worst is the "
    "largest quotient of an entry's error and its bound: at most 1 for what conforms. A cell says nothing of other "
    "functions, dtypes, devices and lengths."
)
# The verdict stands where a narrow screen shows it.
COLUMNS = ("case", "grade", "finding", "dtype", "length", "worst error ÷ bound", "convention", "where", "repeat")

# Tables of many columns take the width that there is.
WIDE = """.bar, main, footer { max-width: 96rem; }
.tiles { grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
.wordy td { min-width: 5rem; }
.wordy td.number { min-width: 0; }
"""

Cell = dict[str, Any]
Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def repeat(cell: Cell) -> str:
    """The command that repeats a cell."""
    name = f"{cell['library']}: {cell['case']}, {cell['dtype']}, {cell['length']}"
    return f"python3 scripts/scores --only {shlex.quote(name)}"


def ratio(cell: Cell) -> str:
    return "not finite, or no bound" if cell["ratio"] is None else f"{cell['ratio']:.3g}"


def codes(cell: Cell) -> str:
    return ", ".join(finding["code"] for finding in cell["findings"]) or "–"


def row(cell: Cell) -> tuple[str, ...]:
    """A cell as a row of the sheet."""
    where = "–" if cell["position"] is None else f"position {cell['position']}, pair {cell['pair']}"
    verdict = (cell["grade"], codes(cell))
    return (cell["case"], *verdict, cell["dtype"], str(cell["length"]), ratio(cell), cell["convention"], where, repeat(cell))


def by_library(cells: list[Cell]) -> dict[str, list[Cell]]:
    """The cells of each library, of all its versions."""
    grouped: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        grouped[cell["library"]].append(cell)
    return dict(grouped)


def summary(cells: list[Cell]) -> Table:
    """One row for each library and version."""
    rows = []
    for library, of in by_library(cells).items():
        for version in sorted({cell["version"] for cell in of}):
            one = [cell for cell in of if cell["version"] == version]
            fallen = [cell for cell in one if not cell["conforms"]]
            worst = max(one, key=lambda cell: GRADES.index(cell["grade"]))["grade"]
            found = sorted({finding["code"] for cell in fallen for finding in cell["findings"]})
            rows.append((library, worst, ", ".join(found) or "–", version, str(len(one)), str(len(one) - len(fallen))))
    return ("library", "worst grade", "findings", "version", "cells", "conform"), rows


def findings(cells: list[Cell]) -> Table:
    """The findings in words: of each case and dtype that does not conform, at its greatest length."""
    last: dict[tuple[str, ...], Cell] = {}
    for cell in cells:
        key = (cell["library"], cell["version"], cell["case"], cell["dtype"])
        if not cell["conforms"] and (key not in last or last[key]["length"] < cell["length"]):
            last[key] = cell
    rows = []
    for (library, version, case, dtype), cell in last.items():
        said = "; ".join(f"{one['code']}: {one['message']}" for one in cell["findings"])
        rows.append((f"{library} {version}", case, dtype, str(cell["length"]), ratio(cell), said or "–"))
    return ("library", "case", "dtype", "length", "worst error ÷ bound", "what posproof says"), rows


def versions(cells: list[Cell]) -> Table:
    """The cells that came out otherwise in another version of the library."""
    same: dict[tuple[str, ...], list[Cell]] = defaultdict(list)
    for cell in cells:
        same[(cell["library"], cell["case"], cell["dtype"], str(cell["length"]))].append(cell)
    rows = []
    for key, of in same.items():
        told = {(cell["grade"], ratio(cell), codes(cell)) for cell in of}
        if len(told) > 1:
            each = "; ".join(f"{cell['version']}: {cell['grade']}, {ratio(cell)}, {codes(cell)}" for cell in of)
            rows.append((*key, each))
    return ("library", "case", "dtype", "length", "grade, worst error ÷ bound and finding by version"), rows


def compared(cells: list[Cell]) -> list[str]:
    """The libraries of which several versions were measured."""
    return [name for name, of in by_library(cells).items() if len({cell["version"] for cell in of}) > 1]


def counts(sheet: dict[str, Any]) -> list[tuple[str, int]]:
    cells = sheet["cells"]
    conform = sum(cell["conforms"] for cell in cells)
    libraries = len(by_library(cells))
    return [("Libraries", libraries), ("Cells", len(cells)), ("Conform", conform), ("Do not", len(cells) - conform)]


def between(sheet: dict[str, Any]) -> str:
    """What can be said of versions."""
    several = compared(sheet["cells"])
    if not several:
        return "Of no library were several versions measured."
    return f"Measured in several versions: {', '.join(several)}. Cells that are not listed came out the same."


def judges(sheet: dict[str, Any]) -> str:
    """The versions of posproof that judged the cells."""
    return "posproof " + ", ".join(sorted({cell["posproof"] for cell in sheet["cells"]}))


def headline(sheet: dict[str, Any]) -> str:
    (_, libraries), (_, cells), (_, conform), _ = counts(sheet)
    return f"{libraries} libraries, {cells} cells: {conform} conform"


def markdown(sheet: dict[str, Any]) -> str:
    """The page in Markdown."""
    cells = sheet["cells"]
    page = [f"# {TITLE}\n\n{headline(sheet)}. Judged by {judges(sheet)}. Repeat: `sh scripts/scores/run`.\n"]
    page += [f"{READING}\n", f"## Libraries\n\n{_markdown(summary(cells))}"]
    page += [f"## Findings\n\nAs the report words them.\n\n{_markdown(findings(cells))}"]
    page.append("## Written up\n")
    for one in WRITTEN:
        page.append(f"### {one.library}: {one.title}\n\n{one.said}\n\n```python\n{one.program}```\n\n{one.mend}\n")
    page += [f"## Versions\n\n{between(sheet)}\n\n{_markdown(versions(cells))}"]
    for library, of in by_library(cells).items():
        for version in sorted({cell["version"] for cell in of}):
            rows = [row(cell) for cell in of if cell["version"] == version]
            page.append(f"## {library} {version}\n\n{_markdown((COLUMNS, rows))}")
    return "\n".join(page)


def _markdown(table: Table) -> str:
    columns, rows = table
    if not rows:
        return "None.\n"
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    for cells in rows:
        shown = [f"`{cell}`" if name == "repeat" else cell for name, cell in zip(columns, cells, strict=True)]
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in shown) + " |")
    return "\n".join(lines) + "\n"


def html(sheet: dict[str, Any]) -> str:
    """The page in HTML: one file that asks nothing of the network."""
    cells = sheet["cells"]
    tiles = "".join(f"<div><dt>{name}</dt><dd>{count}</dd></div>\n" for name, count in counts(sheet))
    page = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        '<meta name="color-scheme" content="light dark">\n',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n",
        f'<title>posproof: {TITLE.lower()}</title>\n<link rel="icon" href="data:,">\n',
        f"<style>\n/* templates/report.css, which scripts/scores/run puts here */\n{STYLE.read_text(encoding='utf-8')}{WIDE}{PRINT.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n",
        '<a class="skip" href="#main">Skip to the sheet</a>\n<header>\n<div class="bar">\n',
        '<p class="brand">posproof <span>scores</span></p>\n<nav aria-label="Sections">\n<ul>\n',
        '<li><a href="#libraries">Libraries</a></li>\n<li><a href="#findings">Findings</a></li>\n',
        '<li><a href="#written">Written up</a></li>\n<li><a href="#versions">Versions</a></li>\n<li><a href="#cells">Cells</a></li>\n</ul>\n</nav>\n</div>\n</header>\n',
        '<main id="main" tabindex="-1">\n<section class="hero" aria-labelledby="heading">\n',
        f'<h1 id="heading">{escape(headline(sheet))}</h1>\n<p class="lead">{escape(READING)}</p>\n',
        f'<dl class="tiles">\n{tiles}</dl>\n<p class="repeat">Repeat with <code>sh scripts/scores/run</code></p>\n</section>\n',
        _section("libraries", "Libraries", _html("Cells of each library", summary(cells))),
        _section("findings", "Findings", _html("What does not conform", findings(cells))),
        _section("versions", "Versions", f"<p>{escape(between(sheet))}</p>\n" + _html("Cells that differ between versions", versions(cells))),
    ]
    written = "".join(
        f"<h3>{escape(one.library)}: {escape(one.title)}</h3>\n<p>{_code(one.said)}</p>\n"
        f'<div class="scroll" role="region" aria-label="Program of {escape(one.library)}: {escape(one.title)}" tabindex="0">\n<pre><code>{escape(one.program)}</code></pre>\n</div>\n'
        f"<p>{_code(one.mend)}</p>\n"
        for one in WRITTEN
    )
    page.insert(-1, _section("written", "Written up", written))
    details = []
    for library, of in by_library(cells).items():
        for version in sorted({cell["version"] for cell in of}):
            rows = [row(cell) for cell in of if cell["version"] == version]
            name = f"{library} {version}"
            table = _html(name, (COLUMNS, rows))
            details.append(f'<details class="configuration"><summary><h3>{escape(name)}</h3></summary>\n{table}</details>\n')
    page.append(_section("cells", "Cells", "".join(details)))
    page.append(f"</main>\n<footer>\n<p>Judged by {escape(judges(sheet))}. The same numbers stand in <code>scores.json</code>")
    page.append(" and, as Markdown, in <code>scores.md</code>.</p>\n</footer>\n</body>\n</html>\n")
    return "".join(page)


def _code(text: str) -> str:
    """Text with what stands between backticks as code."""
    parts = [escape(part) for part in text.split("`")]
    return "".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts))


def _section(name: str, heading: str, body: str) -> str:
    return f'<section id="{name}" aria-labelledby="{name}-heading">\n<h2 id="{name}-heading">{heading}</h2>\n{body}</section>\n'


NUMBERS = {"cells", "conform", "length", "worst error ÷ bound"}


def _html(caption: str, table: Table) -> str:
    columns, rows = table
    if not rows:
        return "<p>None.</p>\n"

    def kind(name: str) -> str:
        return ' class="number"' if name in NUMBERS else ""

    def entry(name: str, cell: str) -> str:
        shown = f"<code>{escape(cell)}</code>" if name == "repeat" else escape(cell)
        return f"<td{kind(name)}>{shown}</td>"

    head = "".join(f'<th scope="col"{kind(name)}>{escape(name)}</th>' for name in columns)
    lines = []
    for cells in rows:
        rest = "".join(entry(name, cell) for name, cell in zip(columns[1:], cells[1:], strict=True))
        lines.append(f'<tr><th scope="row">{escape(cells[0])}</th>{rest}</tr>\n')
    region = f'<div class="scroll" role="region" aria-label="{escape(caption)}" tabindex="0">\n<table class="wordy">\n'
    return f'{region}<caption class="unseen">{escape(caption)}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{"".join(lines)}</tbody>\n</table>\n</div>\n'
