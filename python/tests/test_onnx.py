"""Graphs of ONNX: the caches and attributes of nodes that rotate."""

from pathlib import Path
from typing import Any

import numpy
import posproof
import pytest

REASON = "NOT TESTED: graphs of ONNX, because onnx is not installed (sh scripts/python)"
onnx = pytest.importorskip("onnx", reason=REASON)
helper = onnx.helper

CONVENTION: dict[str, Any] = dict(dim=32, base=10000.0)


def tables(rows: int = 2048, base: float = 10000.0) -> tuple[Any, Any]:
    theta = numpy.outer(numpy.arange(rows), base ** -(numpy.arange(0, 32, 2) / 32))
    return numpy.cos(theta).astype("float32"), numpy.sin(theta).astype("float32")


def graph(cos: Any, sin: Any, kind: str = "com.microsoft", name: str = "/layers.1/rotary", **attributes: Any) -> Any:
    """A graph of one node, whose positions are an input."""
    if kind == "attention":
        inputs = ["q", "k", "v", "", "", "lengths", "total", "cos", "sin"]
        node = helper.make_node("GroupQueryAttention", inputs, ["y"], name, domain="com.microsoft", do_rotary=1, **attributes)
    else:
        inputs = ["q", "position_ids", "cos", "sin"] if kind else ["q", "cos", "sin", "position_ids"]
        node = helper.make_node("RotaryEmbedding", inputs, ["y"], name, domain=kind, **attributes)
    float32, int64 = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
    given = [helper.make_tensor_value_info("q", float32, [1, 2, "n", 32]), helper.make_tensor_value_info("position_ids", int64, [1, "n"])]
    constants = [onnx.numpy_helper.from_array(one, label) for one, label in ((cos, "cos"), (sin, "sin"))]
    out = [helper.make_tensor_value_info("y", float32, [1, 2, "n", 32])]
    return helper.make_model(helper.make_graph([node], "g", given, out, constants))


@pytest.mark.parametrize("kind", ["com.microsoft", "", "attention"])
def test_caches_of_nodes_conform(kind: str) -> None:
    report = posproof.assert_rope(graph(*tables(), kind), **CONVENTION, layout="halves")
    assert report.judged == ["/layers.1/rotary"] and report.unjudged == []


def test_a_graph_of_narrow_numbers_conforms() -> None:
    cos, sin = (one.astype("float16") for one in tables())
    assert posproof.assert_rope(graph(cos, sin), **CONVENTION, layout="halves").conforms
    with pytest.raises(AssertionError, match="other-base"):
        posproof.assert_rope(graph(cos, sin), dim=32, base=500000.0, layout="halves")


@pytest.mark.parametrize("kind", ["com.microsoft", ""])
def test_a_node_that_pairs_otherwise(kind: str) -> None:
    judged = graph(*tables(), kind, interleaved=1)
    assert posproof.assert_rope(judged, **CONVENTION, layout="interleaved").conforms
    with pytest.raises(AssertionError, match="layout"):
        posproof.assert_rope(judged, **CONVENTION, layout="halves")


@pytest.mark.parametrize(
    ("cos_sin", "found"),
    [
        (tables(base=500000.0), "other-base"),
        (tuple(one.astype("float16").astype("float32") for one in tables()), "low-precision-storage"),
        (tuple(one[1:] for one in tables()), "position-offset"),
        ((tables()[0], -tables()[1]), "direction"),
    ],
)
def test_wrong_caches_are_named(cos_sin: Any, found: str) -> None:
    with pytest.raises(AssertionError, match=found):
        posproof.assert_rope(graph(*cos_sin), **CONVENTION, layout="halves")


def test_a_configuration_says_the_layer(tmp_path: Path) -> None:
    """From a file, whose caches stand in another."""
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 2, "rope_theta": 10000.0}
    path = tmp_path / "model.onnx"
    onnx.save(graph(*tables()), path, save_as_external_data=True, size_threshold=0)
    assert posproof.assert_rope(path, config=config).conforms
    with pytest.raises(AssertionError, match="other-base"):
        posproof.assert_rope(str(path), config=config | {"rope_theta": 5e5})
    (path.parent / path.name).write_bytes(path.read_bytes()[:40])
    with pytest.raises(posproof.InvalidInput):
        posproof.assert_rope(path, config=config)


def test_what_cannot_be_judged_is_told(tmp_path: Path) -> None:
    with pytest.raises(posproof.InvalidInput, match="No such file"):
        posproof.assert_rope(tmp_path / "none.onnx", **CONVENTION)
    empty = helper.make_model(helper.make_graph([], "g", [], []))
    with pytest.raises(posproof.InvalidInput, match="expected nodes RotaryEmbedding"):
        posproof.assert_rope(empty, **CONVENTION)
    computed = graph(*tables())
    del computed.graph.initializer[:]
    with pytest.raises(posproof.InvalidInput, match="no constants of the graph"):
        posproof.assert_rope(computed, **CONVENTION)
    constant = graph(*tables())
    constant.graph.initializer.append(onnx.numpy_helper.from_array(numpy.zeros((1, 4), "int64"), "position_ids"))
    del constant.graph.input[1]
    told = posproof.assert_rope(constant, **CONVENTION, layout="halves").unjudged
    assert told == ["/layers.1/rotary: its positions position_ids are a constant, [0, 0, 0, 0]…"]
    with pytest.raises(posproof.InvalidInput, match="one shape"):
        posproof.assert_rope(graph(tables()[0], tables()[1][:9]), **CONVENTION)
    with pytest.raises(posproof.InvalidInput, match="where its cache ends"):
        posproof.assert_rope(graph(*tables()), **CONVENTION, positions=range(4000))
    with pytest.raises(posproof.InvalidInput, match="rotary_embedding_dim"):
        posproof.assert_rope(graph(*tables(), rotary_embedding_dim=8), **CONVENTION)
