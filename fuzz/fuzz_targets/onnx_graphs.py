"""Graphs of ONNX, whose reader is in Python: whatever the bytes of a file, its rotations are judged, or a sentence says why not.

    fuzz/run.sh 600 onnx

It needs atheris, which is libFuzzer for Python, beside posproof, NumPy, onnx and onnxruntime. Seeds lie in `fuzz/seeds/onnx`; the test
`python/tests/test_onnx.py` keeps them well-formed, and runs a short deterministic form of the same.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["posproof"]):
    import posproof
    from posproof import onnx_graphs  # noqa: F401, so that it is instrumented

SEEDS = Path(__file__).resolve().parents[1] / "seeds" / "onnx"
FILE = Path(tempfile.mkdtemp(prefix="posproof-fuzz-")) / "model.onnx"
LLAMA = {"model_type": "llama", "hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 2, "rope_theta": 10000.0}
# A convention, and a configuration, whose layers a node's name says.
OPTIONS = ({"dim": 8, "base": 10000.0, "layout": "halves"}, {"config": LLAMA})


def accepted(options: dict[str, object]) -> bool:
    """The file is judged, or refused. Any other exception is a fault."""
    try:
        return posproof.assert_rope(FILE, **options).conforms
    except (posproof.InvalidInput, posproof.NotConforming):
        return False


def judged(data: bytes) -> None:
    FILE.write_bytes(data)
    for options in OPTIONS:
        accepted(options)


if __name__ == "__main__":
    # Where all is refused, as without the package that reads a graph, nothing would be fuzzed.
    for seed in SEEDS.glob("*.onnx"):
        FILE.write_bytes(seed.read_bytes())
        if not all(map(accepted, OPTIONS)):
            sys.exit(f"{seed}: expected a graph that conforms; found another")
    atheris.Setup(sys.argv, judged)
    atheris.Fuzz()
