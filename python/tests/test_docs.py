"""The examples of the documentation run, and say what they say they do."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDES = ["docs/python.md", "docs/python-models.md", "docs/python-references.md", "docs/python-tests.md"]
PAGES = [*GUIDES, "docs/claims-as-checks.md", "docs/kernels.md", "python/README.md", "README.md"]
# What the command line is shown with needs a model in a folder.
ELSEWHERE = 'from_pretrained("model")'
BLOCK = re.compile(r"(<!-- needs (\w+) -->\n)?```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str) -> None:
    blocks = [found.groups() for found in BLOCK.finditer((ROOT / page).read_text(encoding="utf-8"))]
    blocks = [(needed, code) for _, needed, code in blocks if ELSEWHERE not in code]
    assert blocks
    namespace: dict[str, object] = {}
    missing = set()
    for needed, code in blocks:
        if needed and find_spec(needed) is None:
            missing.add(needed)
        else:
            exec(compile(code, page, "exec"), namespace)
    if missing:
        pytest.skip(f"NOT TESTED: the examples of {page} that need {', '.join(missing)}, which is not installed")


def test_every_name_is_documented() -> None:
    import posproof

    pages = "".join((ROOT / page).read_text(encoding="utf-8") for page in GUIDES)
    functions = [name for name in posproof.__all__ if name[0].islower()]
    assert [name for name in functions if f"{name}(" not in pages] == []
