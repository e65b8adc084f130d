"""Links between the pages of a site."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The ids of a page, the addresses that it links to, and the scripts and styles that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if tag == "a" and name == "href" and value:
                self.links.append(value)
            if (tag, name) in {("script", "src"), ("link", "href")} and value:
                self.loaded.append(value)


def broken(site: Path) -> list[str]:
    """Links of a site to pages, to places on them or to files that are not there, and scripts that a page loads twice."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        for twice in {name for name in page.loaded if page.loaded.count(name) > 1}:
            # A file of ours with the name of one of mdBook's takes its place.
            faults.append(f"{path.relative_to(site.resolve())}: {twice} is loaded twice")
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = pages.get(target)
            named = path.relative_to(site.resolve())
            if found is None and not target.exists():
                faults.append(f"{named}: {link} is not there")
            elif found and parts.fragment and unquote(parts.fragment) not in found.ids and path.name != "print.html":
                # The report reads searches, and claims, from what follows the sign.
                if target.name != "report.html":
                    faults.append(f"{named}: {link} leads to no place on the page")
    return faults
