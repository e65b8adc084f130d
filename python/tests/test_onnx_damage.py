"""Damaged graphs of ONNX: a short deterministic run of the fuzz target `onnx`. Whatever a file holds, its rotations are judged or refused."""

import importlib.util
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import posproof
import pytest

from test_onnx import computed, graph, onnx

SEEDS = Path(__file__).resolve().parents[2] / "fuzz" / "seeds" / "onnx"
LLAMA = {"model_type": "llama", "hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 2, "rope_theta": 10000.0}


def tables(dtype: str = "float32") -> tuple[Any, Any]:
    theta = numpy.outer(numpy.arange(16), 10000.0 ** -(numpy.arange(0, 8, 2) / 8))
    return numpy.cos(theta).astype(dtype), numpy.sin(theta).astype(dtype)


def within() -> Any:
    """A graph within another, whose caches are results of constant nodes."""
    inner = graph(*tables(), "attention")
    made = [onnx.helper.make_node("Constant", [], [f"{one.name} before"], value=one) for one in inner.graph.initializer]
    passed = [onnx.helper.make_node("Identity", [f"{name} before"], [name]) for name in ("cos", "sin")]
    del inner.graph.initializer[:]
    within = onnx.helper.make_node("If", ["wanted"], ["y"], then_branch=onnx.helper.make_graph(list(inner.graph.node), "then", [], list(inner.graph.output)))
    return onnx.helper.make_model(onnx.helper.make_graph([*made, *passed, within], "g", list(inner.graph.input), list(inner.graph.output)))


def seeds() -> dict[str, bytes]:
    models = {"microsoft": graph(*tables()), "onnx": graph(*tables(), ""), "narrow": graph(*tables("float16")), "attention": within(), "computed": computed(dim=8)}
    for model in models.values():
        # A seed is the same in every version of the package.
        model.ir_version = 10
        del model.opset_import[:]
        model.opset_import.append(onnx.helper.make_opsetid("", 23))
    return {name: model.SerializeToString(deterministic=True) for name, model in models.items()}


def accepted(path: Path, options: dict[str, Any]) -> bool:
    """A file is judged, or refused; whatever else is raised goes on."""
    try:
        return posproof.assert_rope(path, **options).conforms
    except (posproof.InvalidInput, posproof.NotConforming):
        return False


def test_seeds_of_the_fuzz_target_conform() -> None:
    for name, bytes_ in seeds().items():
        path = SEEDS / f"{name}.onnx"
        if "POSPROOF_WRITE_SEEDS" in os.environ:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bytes_)
        assert path.read_bytes() == bytes_, f"{path} is not its seed: set POSPROOF_WRITE_SEEDS and repeat the test"
        if name != "computed" or importlib.util.find_spec("onnxruntime") is not None:
            assert accepted(path, {"config": LLAMA}), name


@pytest.mark.parametrize("name", list(seeds()))
def test_damaged_bytes_are_judged_or_refused(name: str, tmp_path: Path) -> None:
    draw, path, whole = random.Random(name), tmp_path / "model.onnx", seeds()[name]
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(draw.choice((1, 1, 2, 4))):
            at = draw.randrange(len(damaged) or 1)
            match draw.randrange(4):
                case 0:
                    damaged[at : at + 1] = bytes([draw.randrange(256)])
                case 1:
                    del damaged[at : at + draw.randrange(1, 16)]
                case 2:
                    damaged[at:at] = damaged[at : at + draw.randrange(1, 16)]
                case _:
                    del damaged[at + 1 :]
        path.write_bytes(damaged)
        accepted(path, {"config": LLAMA})


def cleared(fields: list[str]) -> Callable[[Any], None]:
    def change(node: Any) -> None:
        for field in fields:
            node.ClearField(field)

    return change


def renamed(name: str) -> Callable[[Any], None]:
    return lambda node: setattr(node, "name", name)


@pytest.mark.parametrize(
    "change",
    [
        cleared(["input"]),
        cleared(["output"]),
        cleared(["attribute"]),
        cleared(["input", "output", "attribute"]),
        renamed("layers." + "9" * 30),
        renamed("layers." + "9" * 5000),
        renamed("layers.²"),
        renamed("layers.٣"),
    ],
)
@pytest.mark.parametrize("name", list(seeds()))
def test_nodes_that_lack_something(name: str, change: Callable[[Any], None], tmp_path: Path) -> None:
    model = onnx.load_from_string(seeds()[name])
    for node in model.graph.node:
        for inner in [node, *(inner for one in node.attribute for inner in one.g.node)]:
            change(inner)
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    accepted(path, {"config": LLAMA})
    accepted(path, {"dim": 8, "layout": "halves"})


@pytest.mark.parametrize("dtype", ["U3", "bool", "int64", "complex64", "uint8", "float64"])
def test_caches_of_other_types(dtype: str, tmp_path: Path) -> None:
    cos, sin = (numpy.zeros((16, 4), dtype) for _ in range(2))
    path = tmp_path / "model.onnx"
    onnx.save(graph(cos, sin), path)
    if dtype == "float64":
        assert not accepted(path, {"dim": 8, "layout": "halves"})
    else:
        with pytest.raises(posproof.InvalidInput, match="expected caches of floating-point numbers; found"):
            posproof.assert_rope(path, dim=8, layout="halves")


def test_attributes_that_no_operator_has(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(graph(*tables(), interleaved=7), path)
    with pytest.raises(posproof.InvalidInput, match="interleaved: expected 0 or 1; found 7"):
        posproof.assert_rope(path, dim=8, layout="halves")
