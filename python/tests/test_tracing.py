"""Programs that are read from functions of PyTorch: the rotary modules of transformers, and others written by hand."""

import json
import math
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import posproof
import pytest
from posproof import tracing

REASON = "NOT TESTED: programs read from PyTorch, which needs {}: not installed (sh scripts/setup --torch)"
torch = pytest.importorskip("torch", reason=REASON.format("PyTorch"))
transformers = pytest.importorskip("transformers", reason=REASON.format("transformers"))


def rotary(family, config):
    """The rotary module of a family of transformers, built by whoever calls it."""
    module = __import__(f"transformers.models.{family}.modeling_{family}", fromlist=["*"])
    [kind] = [getattr(module, name) for name in dir(module) if name.endswith("RotaryEmbedding")]
    return lambda: kind(config)


def inverse(dim, base=10000.0, dtype=None):
    return 1.0 / (base ** (torch.arange(0, dim, 2, dtype=torch.int64).to(dtype or torch.float32) / dim))


def gptj(x, positions):
    from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions

    table = create_sinusoidal_positions(2048, 64).repeat(positions.shape[0], 1, 1)
    at = positions.unsqueeze(-1).repeat(1, 1, table.shape[-1])
    sin, cos = torch.split(torch.gather(table, 1, at).to(x.dtype), 32, dim=-1)
    return cos, sin


def complex_table():
    angles = torch.outer(torch.arange(512), inverse(128)).float()
    return torch.polar(torch.ones_like(angles), angles)


def wide(positions):
    frequencies = inverse(64, 500000.0, torch.float64).float()
    angles = torch.einsum("i,j->ij", positions.float(), frequencies).repeat_interleave(2, dim=-1)
    return angles.cos().half(), angles.sin().half()


def repeated(positions):
    frequencies, ratio = [torch.ones(())], 1 / (10000 ** (torch.tensor(2) / 16))
    for _ in range(7):
        frequencies.append(frequencies[-1] * ratio)
    angles = positions.float()[:, None] * torch.stack(frequencies)
    return angles.cos(), angles.sin()


def written_table():
    table, positions = torch.zeros(300, 64), torch.arange(0, 300).float().unsqueeze(1)
    rates = torch.exp(torch.arange(0, 64, 2).float() * (-math.log(10000.0) / 64))
    table[:, 0::2] = torch.sin(positions * rates)
    table[:, 1::2] = torch.cos(positions * rates)
    return table


def modernbert():
    build = rotary("modernbert", transformers.ModernBertConfig())
    return lambda x, positions: build()(x, positions, "sliding_attention")


def traced_within(build):
    return lambda x, positions: build()(x, positions)


LLAMA = {"dim": 128, "base": 10000, "path": "pow"}
CASES = {
    "llama": (traced_within(rotary("llama", transformers.LlamaConfig())), LLAMA),
    "llama, a module": (rotary("llama", transformers.LlamaConfig())(), LLAMA),
    "gemma": (traced_within(rotary("gemma", transformers.GemmaConfig())), LLAMA | {"dim": 256}),
    "modernbert": (modernbert(), LLAMA | {"dim": 64}),
    "gptj": (gptj, LLAMA | {"dim": 64}),
    "complex": (complex_table, LLAMA),
    "binary64": (wide, {"dim": 64, "base": 500000, "path": "f64", "dtype": "float16"}),
    "repeated": (repeated, {"dim": 16, "base": 10000, "path": "repeated"}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_module_has_the_figures_of_the_options_that_state_it(name):
    function, options = CASES[name]
    read = posproof.bound(module=function, positions=range(400), ulp=2)
    assert read["graph"]["operations"] > 8
    stated = posproof.bound("rope", positions=range(400), ulp=2, **options)
    assert read["cases"] == stated["cases"]


def test_the_format_of_x_is_that_of_the_table():
    function, options = CASES["llama"]
    for dtype in (torch.bfloat16, "f16"):
        read = posproof.bound(module=function, positions=range(100), dtype=dtype)
        stated = posproof.bound("rope", positions=range(100), dtype=dtype, **options)
        assert read["cases"] == stated["cases"]


def test_a_table_that_is_written_into_is_read():
    read = posproof.bound(module=written_table)
    assert read["convention"]["encoding"] == "sinusoid"
    [first] = {tuple(case["positions"]) for case in read["cases"]}
    assert first == (0, 300) and {case["path"] for case in read["cases"]} == {"exp"}


def test_scores_are_bounded_by_the_table_that_is_read():
    function, options = CASES["llama"]
    read = posproof.bound("score", module=function, positions=range(100))
    assert read["cases"] == posproof.bound("score", positions=range(100), **options)["cases"]


def tangent(positions):
    angles = positions.float()[:, None] * inverse(64)
    return angles.cos(), angles.tan()


def shifted(positions):
    angles = (positions.float()[:, None] + 0.5) * inverse(64)
    return angles.cos(), angles.sin()


def branching(positions):
    angles = positions.float()[:, None] * inverse(64)
    return (angles.cos(), angles.sin()) if (positions > 3).any() else (angles, angles)


def exchanged(positions):
    angles = positions.float()[:, None] * inverse(64)
    return angles.sin(), angles.cos()


def narrow(positions):
    angles = positions.bfloat16()[:, None] * inverse(64).bfloat16()
    return angles.cos(), angles.sin()


CONSTANT = None if torch is None else inverse(64)


def outside(positions):
    angles = positions.float()[:, None] * CONSTANT
    return angles.cos(), angles.sin()


def test_llama3_is_refused_as_another_program_than_the_theorem_has():
    scaling = {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0}
    scaling |= {"high_freq_factor": 4.0, "original_max_position_embeddings": 1024}
    config = transformers.LlamaConfig(rope_parameters=scaling)
    with pytest.raises(posproof.InvalidInput, match="frequency of pair"):
        posproof.bound(module=traced_within(rotary("llama", config)))


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (tangent, r"'tan' \(aten.tan.default\).*outside of the function"),
        (shifted, "an entry of an output"),
        (branching, "control flow that depends on entries of a tensor"),
        (exchanged, "the first output.*cosines alone"),
        (narrow, "frequency of pair 0"),
        (outside, "a constant from outside of the function.*build the module within it"),
        (lambda a, b, c: a, "3 arguments"),
        (lambda x: x + "text", "it cannot be traced"),
        (lambda x: "text", "is no tensor"),
    ],
)
def test_what_is_no_program_of_a_theorem_is_refused(function, named):
    with pytest.raises(posproof.InvalidInput, match=f"(?s){named}"):
        posproof.bound(module=function)


def test_a_module_that_was_changed_is_not_built_anew():
    changed = rotary("llama", transformers.LlamaConfig())()
    changed.attention_scaling = 1.5
    hooked = rotary("llama", transformers.LlamaConfig())()
    hooked.register_forward_hook(lambda module, given, returned: returned)
    replaced = rotary("llama", transformers.LlamaConfig())()
    replaced.forward = lambda x, positions: (positions.float().cos(), positions.float().sin())
    for module in (changed, hooked, replaced):
        with pytest.raises(posproof.InvalidInput, match="a constant from outside|an entry of an output"):
            posproof.bound(module=module)


def test_what_the_graph_says_is_not_stated_beside_it():
    function, _ = CASES["llama"]
    with pytest.raises(posproof.InvalidInput, match="dim: expected no such option of a module"):
        posproof.bound(module=function, dim=128)
    with pytest.raises(posproof.InvalidInput, match="positions.*0\\.\\.2048"):
        posproof.bound(module=gptj, positions=range(4096))


def run(*arguments, folder):
    command = [sys.executable, "-m", "posproof", "bound", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    return SimpleNamespace(status=done.returncode, out=done.stdout, err=done.stderr)


def test_the_command_traces_a_function_of_a_file(tmp_path: Path):
    source = """
import torch

def rotary(x, positions):
    inverse = 1.0 / (500000.0 ** (torch.arange(0, 64, 2).float() / 64))
    angles = positions[..., None].float() * inverse
    return angles.cos().to(x.dtype), angles.sin().to(x.dtype)
"""
    (tmp_path / "rope.py").write_text(source)
    done = run("--module", "rope.py:rotary", "--dtype=bf16", "--positions", "0..99", "--json", folder=tmp_path)
    assert done.status == 0, done.err
    document = json.loads(done.out)
    assert document["graph"]["source"] == "rope.py:rotary"
    stated = posproof.bound("rope", dim=64, base=500000, path="pow", dtype="bfloat16", positions=range(99))
    assert document["cases"] == stated["cases"]
    done = run("--module=rope.py:rotary", "--positions", "0..99", folder=tmp_path)
    assert done.status == 0 and done.out.startswith("rope.py:rotary, traced by PyTorch"), done.err
    for arguments, named in [
        (["--module", "rope.py:turn"], "no attribute 'turn'"),
        (["--module", "rope.py"], "expected FILE:FUNCTION"),
        (["--module", "rope.py:torch"], "expected a function"),
        (["--module", "rope.py:rotary", "--dim", "64"], "--dim"),
    ]:
        done = run(*arguments, folder=tmp_path)
        assert done.status == 2 and named in done.err, (arguments, done.err)


def test_graphs_follow_their_schema():
    graph = json.loads(tracing.graph(CASES["llama"][0]))
    schema = Path(__file__).parents[2] / "schemas" / "posproof.graph-1.json"
    if not schema.is_file():
        pytest.skip("NOT TESTED: the schema of graphs, which is in the sources alone")
    keys = json.loads(schema.read_text())["properties"]
    assert set(graph) == set(keys)
