"""The options that state an encoding and how it is judged: those of the command line, as keywords.

Only type checkers import this module.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

Number: TypeAlias = int | float | str | Fraction | Decimal
"""A real number; text such as '1/8' is taken exactly."""

Positions: TypeAlias = Any
"""`range(4096)`, a list, an array of integers, or text such as '0..64,127'."""

DType: TypeAlias = Any
"""'float32', 'bf16', or a dtype of NumPy, JAX or PyTorch."""

ArrayLike: TypeAlias = Any
"""Anything with `__dlpack__`, the buffer protocol or `__array__`."""


class Configuration(Protocol):
    """A model's configuration, as transformers has them."""

    def to_dict(self) -> dict[str, Any]: ...


Config: TypeAlias = Configuration | Mapping[str, Any] | str | PathLike[str]


class Scaling(TypedDict, total=False):
    """The parameters of a scaling rule, beside its name."""

    factor: Number | None
    original_max_position_embeddings: int | None
    sequence_length: int | None
    beta_fast: Number | None
    beta_slow: Number | None
    truncate: bool | None
    attention_factor: Number | None
    mscale: Number | None
    mscale_all_dim: Number | None
    low_freq_factor: Number | None
    high_freq_factor: Number | None
    short_factor: Sequence[Number] | None
    long_factor: Sequence[Number] | None
    partial_rotary_factor: Number | None


class Parameters(Scaling, total=False):
    """An encoding, of whatever layer."""

    dim: int | None
    base: Number | None
    layout: Literal["interleaved", "halves", "interleaved-to-halves"] | None
    order: Literal["sin-cos", "cos-sin"] | None
    position_offset: Number | None
    angle_scale: Number | None
    amplitude: Number | None
    frequency_origin: Literal[0, 1] | None
    frequency_spacing: Literal["paper", "endpoints"] | None
    direction: Literal["counter-clockwise", "clockwise"] | None
    rotary_dim: int | None
    config: Config | None
    convention: Mapping[str, Any] | None
    layer_type: str | None
    part: str | None
    scaling: str | Mapping[str, Any] | None
    positions: Positions


class Encoding(Parameters, total=False):
    """An encoding, of a layer where they differ."""

    layer: int | None


class Axes(TypedDict, total=False):
    """What states an encoding of several axes, beside `dim`, `base`, `layout` and the like; `positions` are [rows, axes]."""

    axes: Sequence[Mapping[str, Any] | str] | None
    sections: Sequence[int] | None
    sections_order: Literal["blocked", "interleaved"] | None
    slots: Literal["pairs", "entries"] | None
    span: tuple[int, int] | list[int] | None
    index: Literal["pairs"] | None
    positions_axes: Literal["first", "last"] | None


class Decoding(Encoding, Axes, total=False):
    """An encoding, and how rows are decoded."""

    domain: range | str | Mapping[str, range | str] | None
    step: Number | None
    expected: Positions
    dtype: DType
    compute: DType
    path: Literal["any", "rounded", "f64", "pow", "exp", "repeated", "recurrence"] | None
    sequence_axis: int | None


class Judged(Encoding, Axes, total=False):
    """An encoding, and how its implementation is judged."""

    dtype: DType
    compute: DType
    ulp: Mapping[str, float] | str | None
    path: Literal["any", "rounded", "f64", "pow", "exp", "repeated", "recurrence"] | None
    duplication: Literal["none", "halves", "repeated"] | None
    sequence_axis: int | None
    step: float | None
    zero_point: float | None


class Formatted(Encoding, total=False):
    """An encoding, and the format of its entries."""

    dtype: DType


class Table(Formatted, Axes, total=False):
    """An encoding, and the format of its table."""


class Tolerated(Formatted, Axes, total=False):
    """An encoding, and how its implementation computes."""

    compute: DType
    ulp: Mapping[str, float] | str | None
    path: Literal["any", "rounded", "f64", "pow", "exp", "repeated", "recurrence"] | None


class Code(Parameters, total=False):
    """An encoding, and what is stated of the code that claims are put to; `layer` is a role there."""

    dtype: DType
    compute: DType
    tokens: int | None
    error: float | None
    seed: int | None


class Kernel(TypedDict, total=False):
    """Attention as a kernel computes it; `order` is that of its steps."""

    dim: int | None
    config: Config | None
    layer_type: str | None
    part: str | None
    order: Literal["plain", "online"] | None
    accumulator: str | PathLike[str] | Mapping[str, Any]
    dtype: DType
    keys: int | None
    scales: Literal["e4m3", "e8m0"] | None
    flush: int | None
    tile: int | None
    splits: int | None
    mask: Literal["causal", "none"] | None
    logits: DType
    output: DType
    weights: DType
    softmax: DType
    exp_ulp: float | None
    query_length: float | None
    key_length: float | None
    value: float | None


class Program(Formatted, Axes, total=False):
    """An encoding, and the program whose errors are bounded."""

    path: Literal["pow", "exp", "repeated", "f64", "rounded"] | None
    angle: DType
    frequency_format: DType
    position_format: DType
    ulp: float | None
    rotation: Literal["plain", "fused"] | None
    accumulate: DType
    pairs: Sequence[int] | None
    component: Literal["sin", "cos"] | None
    worst: bool | None
    error: float | None
