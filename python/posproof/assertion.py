"""assert_rope: pairs of arrays, functions, modules, whole models."""

from __future__ import annotations

import sys

from posproof import functions
from posproof._posproof import InvalidInput
from posproof.boundary import public
from posproof.judging import parts, told
from posproof.report import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Unpack

    from posproof.options import Judged
    from posproof.report import Part

EXPECTED = (
    "expected a pair (cos, sin), a function of (positions), (x, positions) or (q, k, positions), a module that is called "
    "with (x, position_ids) and returns (cos, sin), a model, a program of torch.export, or a file of ONNX"
)


class NotConforming(AssertionError):
    """What was asserted does not conform; its text is the report."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report


@public
def assert_rope(
    subject: Any, *, gradient: bool = False, inputs: Mapping[str, Any] | None = None, **options: Unpack[Judged]
) -> Report:
    """Judges a rotary encoding; an AssertionError whose text is the report if it does not conform.

    `subject`: a pair of arrays (cos, sin); a function `(positions) -> (cos, sin)`, `(x, positions) -> y` or
    `(q, k, positions) -> (q, k)`, which is called with arrays of the library that `positions` is of (NumPy's, unless it
    is one of PyTorch, JAX or MLX), vectors as [heads, positions, dim], of positions [sequences, rows] as [sequences, heads, rows,
    dim]; a module of PyTorch that returns (cos, sin) when called
    with `(x, position_ids)`; a whole model of transformers, whose rotary modules and attention layers are found and judged
    layer by layer, in a prompt, in a batch whose rows stand at different positions, and in a step of decoding. A model in
    which nothing is found to judge is an `InvalidInput`.

    A file of ONNX (`.onnx`), or its model, is read and not run: its nodes RotaryEmbedding (of ONNX or com.microsoft), and those of
    GroupQueryAttention with `do_rotary`, are judged by their attributes and constant caches. Where the graph computes caches of positions,
    the node is run with what computes them, if onnxruntime is installed.

    A program of `torch.export`, of the arguments of such a function, is called in the shapes that it was exported for.

    A model that text alone does not run takes `inputs`, the arguments of its forward pass: it is run once, on these. Their
    positions are `position_ids` among them, or `positions`, or else count from 0.

    With `gradient=True` the backward pass of a function `(x, positions) -> y` of PyTorch, JAX or MLX is judged too: that of a
    rotation is the rotation back.

    The report that is returned lists what was judged.
    """
    __tracebackhide__ = True
    found, unjudged = judged(subject, {**options, **({} if inputs is None else {"inputs": dict(inputs)})})
    if gradient:
        found += functions.gradient(subject, dict(options))
    report = told(Report(found, unjudged))
    if not report.conforms:
        raise NotConforming(report)
    return report


@public
def assert_sinusoid(subject: Any, *, inputs: Mapping[str, Any] | None = None, **options: Unpack[Judged]) -> Report:
    """Judges sinusoids that are added; an AssertionError whose text is the report if they do not conform.

    `subject`: a table [..., positions, dim]; a function of (positions) that returns one, called with positions of the library that
    `positions` is of (NumPy's, unless it is one of PyTorch, JAX or MLX); a module or a whole model of PyTorch. A model's tables are
    found by the names of modules, buffers and parameters. Each is judged, and again as a prompt's tokens are given it, at the
    positions that its first row shows; `inputs` are the arguments of a model that text alone does not run. Trained tables that
    hold no sinusoids are listed as not judged, and a row of padding is left out.

    `dim` is the table's width unless it is stated. A model's layout, order and spacing of frequencies are read from the entries
    where they are not stated, and named in the report; base and all else are the paper's unless stated.
    """
    __tracebackhide__ = True
    stated = dict(options)
    torch = sys.modules.get("torch")
    unjudged: list[str] = []
    if torch is not None and isinstance(subject, torch.nn.Module):
        from posproof import sinusoids

        found, unjudged = sinusoids.judged(subject, {**stated, **({} if inputs is None else {"inputs": dict(inputs)})})
    elif inputs is not None:
        raise InvalidInput(f"inputs: expected a model of PyTorch beside them; found {type(subject).__name__}")
    else:
        if callable(subject):
            subject, stated = functions.sinusoids(subject, stated)
        shape = getattr(subject, "shape", None)
        if shape is None and not hasattr(subject, "__dlpack__") and not hasattr(subject, "__array__"):
            expected = "a table [..., positions, dim], a function of (positions) that returns one, a module or a model"
            raise InvalidInput(f"expected {expected}; found {type(subject).__name__}")
        if shape and stated.get("dim") is None and stated.get("convention") is None:
            stated["dim"] = int(shape[-1])
        found = parts("assert_sinusoid", "", {"table": subject}, stated, sinusoid=True)
    report = told(Report(found, unjudged))
    if not report.conforms:
        raise NotConforming(report)
    return report


def judged(subject: Any, options: dict[str, Any]) -> tuple[list[Part], list[str]]:
    """The judgements of whatever it is, and what of it was not judged."""
    __tracebackhide__ = True
    if isinstance(subject, tuple | list):
        if len(subject) != 2:
            raise InvalidInput(f"{EXPECTED}; found {len(subject)} arrays")
        cos, sin = subject
        return parts("assert_rope", "", {"cos": cos, "sin": sin}, options), []
    from posproof import onnx_graphs, programs

    if onnx_graphs.is_graph(subject):
        return onnx_graphs.judged(subject, options)
    if programs.is_program(subject):
        return programs.judged(subject, options), []
    # Only who has imported PyTorch has modules of it.
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(subject, torch.nn.Module):
        from posproof import models

        return models.judged(subject, options)
    if "inputs" in options:
        raise InvalidInput(f"inputs: expected a model of PyTorch beside them; found {type(subject).__name__}")
    if callable(subject):
        return functions.judged(subject, options), []
    raise InvalidInput(f"{EXPECTED}; found {type(subject).__name__}")
