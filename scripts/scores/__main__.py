#!/usr/bin/env python3
"""The score sheet of libraries: measured, kept in docs/scores.json, and written as docs/scores.md and docs/scores.html.

    sh scripts/scores/run                                    everything, in environments of its own
    python3 scripts/scores                                   the libraries that are installed here
    python3 scripts/scores --only 'timm: build_rotary'       the cells whose names contain that: their reports, nothing is written
    python3 scripts/scores --pages                           the pages alone, from docs/scores.json

Cells of other versions of a library stay in docs/scores.json: the pages show what differs between versions.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from measure import measured, merged
from page import SCORES, html, markdown

DOCS = SCORES.parent


def replace(path: Path, text: str) -> None:
    """A file that is there whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def main() -> int:
    parser = argparse.ArgumentParser(prog="scores", description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="TEXT", help="cells whose names contain this; prints their reports")
    parser.add_argument("--pages", action="store_true", help="write the pages from what was measured before")
    parser.add_argument("--library", metavar="NAME", default="", help="measure the cells of this library alone")
    given = parser.parse_args()
    if given.only is not None:
        cells = list(measured(wanted=given.only, words=True))
        return 2 if not cells else int(not all(cell["conforms"] for cell in cells))
    sheet = json.loads(SCORES.read_text(encoding="utf-8")) if SCORES.exists() else {"cells": []}
    if not given.pages:
        sheet = {"cells": merged(sheet["cells"], list(measured(given.library)))}
        replace(SCORES, json.dumps(sheet, indent=1, ensure_ascii=False) + "\n")
    replace(DOCS / "scores.md", markdown(sheet))
    replace(DOCS / "scores.html", html(sheet))
    return 0


if __name__ == "__main__":
    sys.exit(main())
