"""Graphs of ONNX: the rotations of their nodes, judged by their attributes and constant caches, and not run. A node whose caches the
graph computes of its positions is run by itself, where onnxruntime is there.

Three operators rotate: RotaryEmbedding of ONNX (opset 23) and of com.microsoft, and com.microsoft's GroupQueryAttention with `do_rotary`.
Each is applied, as its specification defines it, to vectors that tell faults apart.
"""

from __future__ import annotations

import os
import re
import sys

from posproof import _posproof, onnx_runs
from posproof._posproof import InvalidInput
from posproof.functions import LAST
from posproof.judging import parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from posproof.report import Part

# Rows of a cache that are judged: the first, and others up to the last.
ROWS = 512

OPERATORS = ("RotaryEmbedding", "GroupQueryAttention")

# The number of a layer in a node's name: in digits, and no more of them than layers could have.
LAYER = re.compile(r"layers?[._/]?([0-9]{1,6})(?![0-9])")


class Rotation:
    """A node that rotates: its name, its caches [positions, pairs], whether it pairs neighbours, and its positions' name."""

    def __init__(self, name: str, node: Any, inputs: tuple[str, str, str], interleaved: bool, width: int) -> None:
        self.name, self.node, self.inputs = name, node, inputs
        self.cos, self.sin, self.positions = inputs
        self.interleaved, self.width = interleaved, width


def is_graph(subject: Any) -> bool:
    """A file of ONNX, by its name, or a model that the package has read, is one."""
    if isinstance(subject, str | os.PathLike):
        return str(os.fspath(subject)).endswith(".onnx")
    onnx = sys.modules.get("onnx")
    return onnx is not None and isinstance(subject, onnx.ModelProto)


def judged(subject: Any, options: dict[str, Any]) -> tuple[list[Part], list[str]]:
    """The judgements of a graph's rotations, and what of it was not judged."""
    model, folder, onnx = _read(subject)
    graph = model.graph
    found = list(_rotations(graph, onnx))
    if not found:
        raise InvalidInput(
            "the graph: expected nodes RotaryEmbedding, or GroupQueryAttention with do_rotary; found none: a rotation that is written "
            "out in other operators is judged by its outputs (check_rotation), or by its caches (check_rope)"
        )
    constants = _constants(graph, folder, onnx)
    inputs = {one.name for one in graph.input}
    judgements: list[Part] = []
    unjudged: list[str] = []
    for rotation in found:
        cos, sin = constants(rotation.cos), constants(rotation.sin)
        if cos is None or sin is None:
            try:
                judgements += _ran(rotation, model, folder, options)
            except onnx_runs.NotRun as error:
                unjudged.append(f"{rotation.name}: its caches {rotation.cos} and {rotation.sin} are no constants of the graph: {error}")
            continue
        judgements += _judged(rotation, cos, sin, options)
        if rotation.positions and rotation.positions not in inputs:
            stated = constants(rotation.positions)
            told = "computed in the graph" if stated is None else f"a constant, {stated.reshape(-1)[:4].tolist()}…"
            unjudged.append(f"{rotation.name}: its positions {rotation.positions} are {told}")
    if not judgements:
        raise InvalidInput(f"the graph: expected caches that are constants, or computed of positions; found none: {'; '.join(unjudged)}")
    return judgements, unjudged


def _read(subject: Any) -> tuple[Any, str, Any]:
    """A model, the folder of its tensors, and the package that reads it."""
    try:
        import onnx
    except ImportError as error:
        raise InvalidInput("onnx is not installed: expected it, to read a graph: pip install onnx") from error
    if not isinstance(subject, str | os.PathLike):
        return subject, "", onnx
    path = os.fspath(subject)
    try:
        return onnx.load(path, load_external_data=False), os.path.dirname(os.path.abspath(path)), onnx
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror or error}") from error
    except Exception as error:
        raise InvalidInput(f"{path}: expected a graph of ONNX; found {type(error).__name__}: {str(error)[:200]}") from error


def _graphs(graph: Any, onnx: Any) -> Iterator[Any]:
    """A graph and those within it."""
    yield graph
    for node in graph.node:
        for one in node.attribute:
            if one.type == onnx.AttributeProto.GRAPH:
                yield from _graphs(one.g, onnx)


def _rotations(graph: Any, onnx: Any) -> Iterator[Rotation]:
    """The nodes that rotate, of the graph and of the graphs within it."""
    nodes = [(place, node) for one in _graphs(graph, onnx) for place, node in enumerate(one.node)]
    for place, node in nodes:
        attributes = {one.name: one for one in node.attribute}
        numbers = {one.name: int(one.i) for one in node.attribute}
        names = [*node.input, *[""] * 9]
        # A name that is no text comes as bytes.
        name = (node.name if isinstance(node.name, str) else repr(node.name)) or f"{node.op_type} {place}"
        kind = node.op_type, node.domain
        for key in ("interleaved", "rotary_interleaved") if node.op_type in OPERATORS else ():
            if numbers.get(key, 0) not in (0, 1):
                raise InvalidInput(f"{name}: {key}: expected 0 or 1; found {numbers[key]}")
        if kind == ("RotaryEmbedding", "com.microsoft"):
            if "scale" in attributes and attributes["scale"].f != 1:
                raise InvalidInput(f"{name}: scale: expected 1; found {attributes['scale'].f}")
            yield Rotation(name, node, (names[2], names[3], names[1]), bool(numbers.get("interleaved", 0)), numbers.get("rotary_embedding_dim", 0))
        elif kind in (("RotaryEmbedding", ""), ("RotaryEmbedding", "ai.onnx")):
            yield Rotation(name, node, (names[1], names[2], names[3]), bool(numbers.get("interleaved", 0)), numbers.get("rotary_embedding_dim", 0))
        elif kind == ("GroupQueryAttention", "com.microsoft") and numbers.get("do_rotary", 0):
            yield Rotation(name, node, (names[7], names[8], ""), bool(numbers.get("rotary_interleaved", 0)), 0)


def _constants(graph: Any, folder: str, onnx: Any) -> Callable[[str], Any]:
    """The constant of a name, as an array; none where nothing constant has it."""
    tensors: dict[str, Any] = {}
    # A name means one thing in a graph and in those within it.
    for own in _graphs(graph, onnx):
        tensors |= {one.name: one for one in own.initializer}
        for node in own.node:
            # Damaged nodes lack their result, or what they pass on.
            if node.op_type == "Constant":
                tensors |= {name: one.t for name in node.output[:1] for one in node.attribute if one.name == "value"}
            elif node.op_type in ("Identity", "Cast"):
                tensors |= {name: tensors[given] for name, given in zip(node.output, node.input, strict=False) if given in tensors}

    def constant(name: str) -> Any:
        if name not in tensors:
            return None
        try:
            return onnx.numpy_helper.to_array(tensors[name], base_dir=folder)
        except Exception as error:
            raise InvalidInput(f"{name}: expected a tensor; found {type(error).__name__}: {str(error)[:200]}") from error

    return constant


def _judged(rotation: Rotation, cos: Any, sin: Any, options: dict[str, Any]) -> list[Part]:
    """The judgement of vectors that a node rotates, as its operator defines that."""
    import numpy

    if cos.ndim not in (2, 3) or cos.shape != sin.shape or cos.dtype != sin.dtype or 0 in cos.shape:
        raise InvalidInput(f"{rotation.name}: expected caches [positions, pairs] of one shape; found {cos.shape} and {sin.shape}")
    if cos.dtype.kind != "f" and cos.dtype.name != "bfloat16":
        raise InvalidInput(f"{rotation.name}: expected caches of floating-point numbers; found {cos.dtype.name}")
    # Those of the first row of a batch.
    cos, sin = (one[0] if one.ndim == 3 else one for one in (cos, sin))
    last = len(cos) - 1
    stated = options.get("positions")
    positions = _posproof.probe_positions(last) if stated is None and last > ROWS else None
    positions = list(range(last + 1)) if positions is None and stated is None else positions
    positions = _posproof.positions_list(stated) if stated is not None else positions
    if not positions or max(positions) > last:
        raise InvalidInput(f"{rotation.name}: positions: expected at least one, and none above {last}, where its cache ends")
    own = _layered(rotation, options) | {"positions": positions}
    rotated = 2 * cos.shape[-1]
    if rotation.width not in (0, rotated):
        raise InvalidInput(f"{rotation.name}: rotary_embedding_dim: expected {rotated}, twice its cache's pairs; found {rotation.width}")
    width = max(rotated, _width(own))
    # A graph of narrow numbers computes in them.
    narrow = cos.dtype.name if cos.dtype.name in ("float16", "bfloat16") else None
    if narrow is not None:
        own |= {"dtype": own.get("dtype") or narrow, "compute": own.get("compute") or narrow}
    own_format = cos.dtype if narrow else numpy.dtype(numpy.float32)
    entries = numpy.asarray(_posproof.probe_vectors(len(positions), width, narrow or "float32"))
    x = entries.reshape(1, len(positions), width).astype(own_format)
    y = x.copy()
    first, second = (slice(0, rotated, 2), slice(1, rotated, 2)) if rotation.interleaved else (slice(0, rotated // 2), slice(rotated // 2, rotated))
    cos, sin = (one[positions].astype(own_format) for one in (cos, sin))
    # Caches that are no cosines may overflow, which is judged.
    with numpy.errstate(all="ignore"):
        y[..., first] = x[..., first] * cos - x[..., second] * sin
        y[..., second] = x[..., second] * cos + x[..., first] * sin
    return parts("assert_rope", rotation.name, {"x": x, "y": y}, own)


def _ran(rotation: Rotation, model: Any, folder: str, options: dict[str, Any]) -> list[Part]:
    """The judgement of vectors that a node rotated when it was run, with what of the graph computes its caches."""
    import numpy

    if rotation.node.op_type != "RotaryEmbedding":
        raise onnx_runs.NotRun("a node of attention is not run")
    own = _layered(rotation, options)
    stated = options.get("positions")
    # Caches that are looked up have an end.
    tried = [_posproof.positions_list(stated)] if stated is not None else [_posproof.probe_positions(LAST), list(range(ROWS))]
    for positions in tried:
        x = numpy.asarray(_posproof.probe_vectors(len(positions), _width(own), "float32")).reshape(1, 1, len(positions), -1)
        try:
            y = onnx_runs.rotated(model, folder, rotation.node, rotation.inputs, x, positions)
        except onnx_runs.NotRun:
            if positions is tried[-1]:
                raise
            continue
        return parts("assert_rope", rotation.name, {"x": x[0], "y": y[0]}, own | {"positions": positions})
    raise AssertionError("the last positions are judged, or raise")


def _layered(rotation: Rotation, options: dict[str, Any]) -> dict[str, Any]:
    """The options with the layer that a node's name says, where layers may differ."""
    layer = LAYER.search(rotation.name)
    if options.get("config") is not None and options.get("layer") is None and options.get("layer_type") is None and layer:
        return options | {"layer": int(layer[1])}
    return dict(options)


def _width(options: dict[str, Any]) -> int:
    """The width of the vectors that are stated to rotate."""
    import json

    return max(int(json.loads(convention)["dim"]) for _, convention in _posproof.conventions("assert_rope", False, options))
