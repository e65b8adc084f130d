"""The attentions of a model, by their layers."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """The attention of a layer. Encoder and decoder have layers of one number, a layer may have several attentions, and one may run
    several times."""

    layer: int
    owner: str
    turn: int = 1
