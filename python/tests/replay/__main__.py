"""Writes README.md: `python -m replay`, in python/tests."""

from pathlib import Path

from replay import modules, name, summary, thread

README = Path(__file__).with_name("README.md")
HEAD = """\
# Public bugs, replayed

Each module here reproduces one public bug of a positional encoding in a few lines of NumPy, beside its fix, and states
what the encoding should have been. `test_replay.py` has both judged: `broken()` must be noticed, its finding named
first, and `fixed()` must pass; exceptions are pinned there, with reasons. The code is written for this corpus: only the
facts are those of the threads. `python -m replay`, in `python/tests`, writes this page.

A module has `SUBJECT`, what is judged (`cache`: cosines and sines; `function`: positions → cosines and sines;
`rotation`: vectors and positions → vectors; `query and key`: the same of two; `table`: sinusoids), `SPEC`, what its
user would state, `FINDING`, the code that should come first, `broken()` and `fixed()`.

| module | thread | what was wrong | finding |
| --- | --- | --- | --- |
"""


def readme() -> str:
    """The page: one row a module."""
    rows = []
    for module in modules():
        repository, _, number = thread(module).partition("#")
        link = f"[{thread(module)}](https://github.com/{repository}/issues/{number})"
        cells = f"[{name(module)}]({name(module)}.py)", link, summary(module), f"`{module.FINDING}`"
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    README.write_text(readme(), encoding="utf-8")
