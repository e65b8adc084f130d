"""The book's pages lead to each other, and a link that leads nowhere is found."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BOOK = Path(__file__).resolve().parents[2] / "scripts" / "book"


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, as a module."""
    monkeypatch.syspath_prepend(str(BOOK))
    monkeypatch.delitem(sys.modules, "links", raising=False)
    found = importlib.util.spec_from_file_location("book", BOOK / "__main__.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_links_between_files_become_links_between_pages(book: ModuleType, tmp_path: Path) -> None:
    guide, beside = tmp_path / "docs" / "guide.md", tmp_path / "CHANGES.md"
    pages = {guide: "guide.md", beside: "changes.md"}
    text = "[a](../CHANGES.md#b) [c](https://example.org/d) [e](#f) [g](../src/h.rs) ![i](j.svg)"
    expected = "[a](changes.md#b) [c](https://example.org/d) [e](#f) g ![i](j.svg)"
    assert book.relinked(text, guide, pages, "guide.md") == expected
    assert book.relinked("[k](CHANGES.md)", beside, pages, "claims/l.md") == "[k](../changes.md)"


def test_a_link_that_leads_nowhere_is_found(book: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "a.html").write_text('<h1 id="top">a</h1><a href="below/b.html#there">b</a><a href="#top">a</a>', encoding="utf-8")
    (tmp_path / "below" / "b.html").write_text('<p id="there"></p><a href="../a.html">a</a><a href="https://example.org/">c</a>', encoding="utf-8")
    assert book.broken(tmp_path) == []
    (tmp_path / "a.html").write_text('<a href="below/b.html#nowhere">b</a><a href="c.html">c</a><a href="#gone">d</a>', encoding="utf-8")
    assert [fault.split(": ")[0] for fault in book.broken(tmp_path)] == ["a.html"] * 3


def test_every_guide_is_in_the_book(book: ModuleType) -> None:
    listed = {name for names in book.PARTS.values() for name in names}
    assert listed <= {path.stem for path in (book.ROOT / "docs").glob("*.md")}
    assert all((book.ROOT / f"{name}.md").exists() for name in book.BESIDE)
