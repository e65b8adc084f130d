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


def computed(base: float = 10000.0, *, dim: int = 32, positions: int = onnx.TensorProto.INT64, unknown: bool = False) -> Any:
    """A graph that computes the caches of its positions, which the node takes by row."""
    frequencies = (base ** -(numpy.arange(0, dim, 2) / dim)).astype("float32")[None, None]
    nodes = [
        helper.make_node("Cast", ["position_ids"], ["float"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["float", "last"], ["column"]),
        helper.make_node("Mul", ["column", "frequencies"], ["angles"]),
        *([helper.make_node("Erf", ["angles"], ["turned"])] if unknown else [helper.make_node("Identity", ["angles"], ["turned"])]),
        helper.make_node("Cos", ["turned"], ["cos"]),
        helper.make_node("Sin", ["turned"], ["sin"]),
        helper.make_node("RotaryEmbedding", ["q", "cos", "sin"], ["y"], "/layers.0/rotary"),
    ]
    given = [helper.make_tensor_value_info("q", onnx.TensorProto.FLOAT, [1, 2, "n", dim]), helper.make_tensor_value_info("position_ids", positions, [1, "n"])]
    constants = [onnx.numpy_helper.from_array(numpy.asarray([2]), "last"), onnx.numpy_helper.from_array(frequencies, "frequencies")]
    out = [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 2, "n", dim])]
    graph = helper.make_graph(nodes, "g", given, out, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)


def test_a_node_whose_caches_are_computed_is_run(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="NOT TESTED: nodes that are run, because onnxruntime is not installed (sh scripts/python)")
    assert posproof.assert_rope(computed(), **CONVENTION, layout="halves").judged == ["/layers.0/rotary"]
    with pytest.raises(AssertionError, match="other-base"):
        posproof.assert_rope(computed(500000.0), **CONVENTION, layout="halves")
    # From a file, whose tensors stand in another.
    onnx.save(computed(), tmp_path / "model.onnx", save_as_external_data=True, size_threshold=0)
    assert posproof.assert_rope(tmp_path / "model.onnx", **CONVENTION, layout="halves", positions=range(7, 99)).conforms
    (tmp_path / "model.onnx.data").unlink(missing_ok=True)
    for file in tmp_path.iterdir():
        if file.name != "model.onnx":
            file.unlink()
    with pytest.raises(posproof.InvalidInput, match="is in a file that is not read"):
        posproof.assert_rope(tmp_path / "model.onnx", **CONVENTION)


def test_nodes_that_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    found = lambda model: pytest.raises(posproof.InvalidInput, match=model)  # noqa: E731
    with monkeypatch.context() as without:
        without.setattr("importlib.util.find_spec", lambda _: None)
        with found("onnxruntime, which would run the node, is not installed"):
            posproof.assert_rope(computed(), **CONVENTION)
    pytest.importorskip("onnxruntime", reason="NOT TESTED: nodes that are run, because onnxruntime is not installed (sh scripts/python)")
    with found("Erf makes turned, and is not run"):
        posproof.assert_rope(computed(unknown=True), **CONVENTION)
    with found("expected an input of positions"):
        posproof.assert_rope(computed(positions=onnx.TensorProto.FLOAT), **CONVENTION)
    broken = computed()
    broken.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(numpy.asarray([9]), "last"))
    with found("onnxruntime does not run it"):
        posproof.assert_rope(broken, **CONVENTION)
