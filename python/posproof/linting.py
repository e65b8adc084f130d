"""What configurations mean."""

from __future__ import annotations

import json

from posproof import _posproof
from posproof.boundary import public
from posproof.report import framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from posproof.options import Config


class Lint:
    """What a configuration means for every kind of layer, what it leaves to defaults, and what contradicts it: a list of
    notes, one for each kind of layer."""

    def __init__(self, conforms: bool, text: str, document: str) -> None:
        self.conforms = conforms
        self._text = text
        self._document = json.loads(document)

    @property
    def kinds(self) -> list[dict[str, Any]]:
        """One entry for each kind of layer: its convention, and where every value comes from. What the list holds."""
        return list(self._document["kinds"])

    def __len__(self) -> int:
        return len(self._document["kinds"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.kinds)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.kinds[index]

    @property
    def notes(self) -> list[dict[str, Any]]:
        """What else is to be said of the configuration: 'kind', 'key', 'message'."""
        return list(self._document["notes"])

    def to_dict(self) -> dict[str, Any]:
        """An element of `files` in the document of `posproof lint --json` (schema posproof.lint/1)."""
        return dict(self._document)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<posproof.Lint {'conforms' if self.conforms else 'contradicted'}>"

    def _repr_html_(self) -> str:
        return framed(str(self), self.conforms, False)


@public
def lint(
    config: Config,
    against: Config | None = None,
    *,
    layout: str | None = None,
    part: str | None = None,
    error: float = 1e-2,
) -> Lint:
    """Says what a configuration means; `against` is another one that is said to be of the same model.

    `layout` says which entries form a pair where the family is not known; `part` is the key of the
    part that is meant in a composite configuration (`text_config`); `error` is the figure up to which it is said
    how far an encoding is guaranteed to be right.
    """
    return Lint(*_posproof.lint(config, against, layout, part, error))
