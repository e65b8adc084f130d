"""Builds the book: the guides, and a page for each claim, as one static site with an address for each.

    python3 scripts/book                      target/book/index.html
    python3 scripts/book --source-only DIR    the pages as Markdown, for another tool

The pages of claims are those of `posproof report`, with the test that repeats the claim and its citation. It takes mdBook
(`sh scripts/setup --book`) and a built posproof. Links that lead nowhere end it with status 1.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from links import broken

ROOT = Path(__file__).resolve().parents[2]

# The guides in reading order, by part. A page that is not listed stands in the last part.
PARTS = {
    "Validate the mathematics": ["ledger", "literature", "claims", "claims-as-checks", "uniform", "report"],
    "Judge an implementation": [
        *["python", "python-models", "python-references", "python-tests", "checking", "findings", "dumps", "identifying", "positions", "axes"],
        *["lint", "configurations", "atlas", "vectors", "scores", "models", "sensitivity"],
    ],
    "Bound an error": ["bounds", "graphs", "logits", "attention", "kernels", "tables", "sweeps"],
    "Reference": ["glossary", "stability"],
}
# Pages of the repository that are pages of the book.
BESIDE = ["ARCHITECTURE", "CONTRIBUTING", "CHANGELOG", "SECURITY"]

LINK = re.compile(r"(?<!\!)\[([^\]]+)\]\(([^)\s]+)\)")


def titled(text: str, name: str) -> str:
    """The first heading of a page."""
    heading = re.search(r"^# +(.+)$", text, re.MULTILINE)
    return heading[1].replace("`", "") if heading else name


def relinked(text: str, place: Path, pages: dict[Path, str], here: str) -> str:
    """Links between files of the repository as links between pages; links to other files as their names."""

    def replaced(match: re.Match[str]) -> str:
        words, target = match[1], match[2]
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match[0]
        path, _, anchor = target.partition("#")
        found = pages.get((place.parent / path).resolve())
        if found is None:
            return words
        up = "../" * here.count("/")
        return f"[{words}]({up}{found}{'#' + anchor if anchor else ''})"

    return LINK.sub(replaced, text)


def cited(posproof: Path, claim: str) -> str:
    """The page's last part: the test that repeats the claim, and its citation."""
    bibtex = subprocess.run([posproof, "cite", claim], check=True, capture_output=True, text=True).stdout
    return f"\n## Test\n\n```console\n$ cargo test {claim}\n```\n\n## Citation\n\n```bibtex\n{bibtex}```\n"


def assembled(source: Path, posproof: Path, report: Path) -> None:
    """Writes the pages, and their order."""
    guides = {path.stem: path for path in sorted((ROOT / "docs").glob("*.md"))}
    listed = [name for names in PARTS.values() for name in names]
    if missing := sorted(set(listed) - set(guides)):
        sys.exit(f"scripts/book: docs/ has no page {', '.join(missing)}")
    parts = PARTS | {"Reference": PARTS["Reference"] + sorted(set(guides) - set(listed))}
    pages = {path: f"{name}.md" for name, path in guides.items()} | {ROOT / "README.md": "index.md"}
    pages |= {ROOT / f"{name}.md": f"{name.lower()}.md" for name in BESIDE}
    claims = sorted(path.stem for path in (report / "claims").glob("*.md"))
    called = re.compile("`(" + "|".join(map(re.escape, claims)) + ")`")
    for path, page in pages.items():
        text = relinked(path.read_text(encoding="utf-8"), path, pages, page)
        if page in ("ledger.md", "literature.md"):
            text = called.sub(lambda match: f"[`{match[1]}`](claims/{match[1]}.md)", text)
        (source / page).write_text(text, encoding="utf-8")
    (source / "claims").mkdir()
    for claim in claims:
        text = (report / "claims" / f"{claim}.md").read_text(encoding="utf-8")
        text = LINK.sub(lambda match: match[0] if ":" in match[2] else match[1], text)
        (source / "claims" / f"{claim}.md").write_text(text + cited(posproof, claim), encoding="utf-8")
    summary = ["# Summary", "", "[posproof](index.md)", ""]
    ledgers = {"ledger": "documents", "literature": "literature"}
    for part, names in parts.items():
        summary += [f"# {part}", ""]
        for name in names:
            summary.append(f"- [{titled((source / f'{name}.md').read_text(encoding='utf-8'), name)}]({name}.md)")
            if name in ledgers:
                of = listing(posproof, ledgers[name])
                summary += [f"  - [{claim}](claims/{claim}.md)" for claim in of if claim in claims]
        summary.append("")
    summary += ["# Work on it", ""] + [f"- [{name.capitalize()}]({name.lower()}.md)" for name in BESIDE]
    (source / "SUMMARY.md").write_text("\n".join(summary) + "\n", encoding="utf-8")


def listing(posproof: Path, ledger: str) -> list[str]:
    """The ids of a ledger, in its order."""
    listed = subprocess.run([posproof, "list", "--ledger", ledger, "--json"], check=True, capture_output=True, text=True)
    return [claim["id"] for claim in json.loads(listed.stdout)["claims"]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/book")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "book")
    parser.add_argument("--posproof", type=Path, default=ROOT / "target" / "debug" / "posproof")
    parser.add_argument("--effort", default="standard", help="of the claims' evidence")
    parser.add_argument("--source-only", type=Path, metavar="DIR")
    stated = parser.parse_args()
    if not stated.source_only and not shutil.which("mdbook"):
        print("scripts/book: mdBook is not installed: sh scripts/setup --book", file=sys.stderr)
        sys.exit(4)
    with tempfile.TemporaryDirectory() as folder:
        report, book = Path(folder) / "report", Path(folder) / "book"
        subprocess.run([stated.posproof, "report", "--effort", stated.effort, "--out", report], check=True)
        source = stated.source_only or book / "src"
        source.mkdir(parents=True)
        assembled(source, stated.posproof, report)
        if stated.source_only:
            return
        for name in ["book.toml", "access.css", "access.js"]:
            shutil.copy(ROOT / "scripts" / "book" / name, book)
        subprocess.run(["mdbook", "build", book, "--dest-dir", stated.out.resolve()], check=True)
        # The report's page stands in the book too, with its figures.
        shutil.copy(report / "index.html", stated.out / "report.html")
    faults = broken(stated.out)
    print("\n".join(faults), file=sys.stderr)
    print(f"{stated.out}/index.html: {len(list(stated.out.rglob('*.html')))} pages, {len(faults)} broken links")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
