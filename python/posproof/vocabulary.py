"""Types of a report's words: grades, codes of findings, and statuses."""

from typing import Literal, TypeAlias

Grade: TypeAlias = Literal[
    "correctly-rounded", "faithful", "within-bound", "not-judged", "degraded", "other-convention", "wrong"
]
"""Grades of entries, the best first: see the schema posproof.check/1."""

Code: TypeAlias = Literal[
    "low-precision-frequencies",
    "low-precision-positions",
    "low-precision-angles",
    "low-precision-storage",
    "low-precision-trigonometry",
    "other-base",
    "frequency-origin",
    "frequency-spacing",
    "position-offset",
    "position-scale",
    "frequency-scaling",
    "amplitude",
    "layout",
    "order",
    "direction",
    "partial-rotary",
    "axis-arrangement",
    "axes-exchanged",
    "axis-lost",
    "frequency-index",
    "frequency-dim",
    "row-shift",
    "null-row",
    "positions",
    "stale-positions",
    "clamped-positions",
    "softmax-scale",
    "no-rotation",
    "local",
    "not-a-rotation",
    "duplication",
    "rounding-mode",
    "quantisation",
    "not-judged",
    "not-finite",
    "shape",
    "unexplained",
]
"""The fault that a finding names: docs/findings.md lists them."""

Status: TypeAlias = Literal["confirmed", "partial", "unexplained"]
"""Part of the departing entries that a finding explains."""

Confidence: TypeAlias = Literal["established", "ambiguous", "unexplained"]
"""Certainty of an identification."""
