"""A node of an ONNX graph that rotates by caches which the graph computes: run by onnxruntime, alone with what it needs of the graph."""

from __future__ import annotations

import importlib.util

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Operators by which graphs compute cosines and sines of positions. No others are run: a file may ask for anything.
COMPUTES = frozenset(
    "Add Cast Concat Constant Cos Div Einsum Exp Expand Gather Identity MatMul Mul Neg Pow Reciprocal Reshape Shape Sin Slice Split Squeeze Sub "
    "Transpose Unsqueeze".split()
)

# Tensors of the graph that are taken along have as many bytes together.
BYTES = 1 << 28


class NotRun(Exception):
    """The node cannot be run by itself; the text says why."""


def rotated(model: Any, folder: str, node: Any, caches: tuple[str, str, str], x: Any, positions: list[int]) -> Any:
    """The vectors that a node makes of `x` [1, 1, rows, width] at some positions."""
    import onnx

    if importlib.util.find_spec("onnxruntime") is None:
        raise NotRun("onnxruntime, which would run the node, is not installed")
    if not node.output or all(node.output[0] not in one.output for one in model.graph.node):
        raise NotRun("the node is of a graph within the graph")
    if not all(isinstance(name, str) for one in (node, *model.graph.node) for name in (*one.input, *one.output)):
        raise NotRun("the graph has names that are no text")
    nodes, tensors, names = _needed(model.graph, [name for name in caches if name])
    given = _placed(model.graph, names, positions)
    if sum(one.ByteSize() for one in tensors) > BYTES:
        raise NotRun(f"they need tensors of more than {BYTES >> 20} MiB")
    for one in tensors:
        if onnx.external_data_helper.uses_external_data(one):
            try:
                onnx.external_data_helper.load_external_data_for_tensor(one, folder)
            except Exception as error:
                raise NotRun(f"{one.name} is in a file that is not read ({type(error).__name__})") from error
    inputs = [onnx.helper.make_tensor_value_info(node.input[0], onnx.TensorProto.FLOAT, x.shape)]
    inputs += [one for one in model.graph.input if one.name in given]
    made = onnx.helper.make_tensor_value_info(node.output[0], onnx.TensorProto.FLOAT, None)
    part = onnx.helper.make_graph([*nodes, node], "rotation", inputs, [made], tensors)
    whole = onnx.helper.make_model(part, opset_imports=list(model.opset_import), ir_version=min(model.ir_version, 10))
    return _ran(whole, {node.input[0]: x, **given})


def _placed(graph: Any, names: list[str], positions: list[int]) -> dict[str, Any]:
    """The one input of integers [batch, rows] that some results need, with positions."""
    import numpy
    import onnx

    inputs = {one.name: one.type.tensor_type for one in graph.input}
    integers = {onnx.TensorProto.INT64: "int64", onnx.TensorProto.INT32: "int32"}
    if len(names) != 1 or names[0] not in inputs or inputs[names[0]].elem_type not in integers or len(inputs[names[0]].shape.dim) != 2:
        raise NotRun(f"they need {', '.join(names) or 'no input'}; expected an input of positions [batch, rows], and no other")
    return {names[0]: numpy.asarray([positions], dtype=integers[inputs[names[0]].elem_type])}


def _ran(model: Any, given: dict[str, Any]) -> Any:
    """The first result of a model."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return session.run(None, given)[0]
    except Exception as error:
        raise NotRun(f"onnxruntime does not run it: {type(error).__name__}: {str(error)[:160]}") from error


def _needed(graph: Any, wanted: list[str]) -> tuple[list[Any], list[Any], list[str]]:
    """Nodes, in their order, and tensors that make some results; the names that neither makes."""
    makers = {name: place for place, node in enumerate(graph.node) for name in node.output}
    tensors = {one.name: one for one in graph.initializer}
    places: set[int] = set()
    seen: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in seen or name not in makers or name in tensors:
            seen.add(name)
            continue
        seen.add(name)
        node = graph.node[makers[name]]
        if node.op_type not in COMPUTES or node.domain not in ("", "ai.onnx"):
            raise NotRun(f"{node.op_type} makes {name}, and is not run")
        places.add(makers[name])
        wanted += [given for given in node.input if given]
    held = []
    for name in sorted(seen & tensors.keys()):
        # A copy, into which what stands in another file is read.
        held.append(type(tensors[name])())
        held[-1].CopyFrom(tensors[name])
    return [graph.node[place] for place in sorted(places)], held, sorted(seen - makers.keys() - tensors.keys())
