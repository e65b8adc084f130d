"""Programs as graphs: a function of PyTorch is traced, and its operations are written down.

The graph is judged by the native part. A module that keeps its configuration is built anew within the trace, so that its
frequencies are operations and no constants.
"""

from __future__ import annotations

import importlib.util
import json
import math
import sys
import tempfile
from pathlib import Path

from posproof import _posproof
from posproof._posproof import InvalidInput
from posproof.functions import _arity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SCHEMA = "posproof.graph/1"

# Rows of the trace: a number that is no width of a head, so that rows and pairs are not taken for each other.
ROWS = 5

# The width of the vectors that only show their format.
WIDTH = 8

EXPECTED = "expected a function of (), (positions) or (x, positions), which make_fx traces"


class Untraceable(Exception):
    """PyTorch is missing."""


def load(spec: str) -> Callable[..., Any]:
    """The function or module of FILE:FUNCTION."""
    file, _, name = spec.rpartition(":")
    path = Path(file)
    if not file or not name or not path.is_file():
        raise InvalidInput(f"module {spec!r}: expected FILE:FUNCTION with a Python file that exists")
    loaded = importlib.util.spec_from_file_location(path.stem, path)
    assert loaded is not None and loaded.loader is not None
    module = importlib.util.module_from_spec(loaded)
    # Classes of the file are looked up by the name of its module.
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.parent))
    try:
        loaded.loader.exec_module(module)
        found: Any = module
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise InvalidInput(f"module {spec!r}: {type(error).__name__}: {error}; expected a file that runs") from error
    finally:
        sys.path.remove(str(path.parent))
    if not callable(found):
        raise InvalidInput(f"module {spec!r}: found {type(found).__name__}; expected a function or a torch.nn.Module")
    return found  # type: ignore[no-any-return]


def graph(function: Callable[..., Any], source: str | None = None, dtype: Any = None) -> str:
    """The graph of a function as a document of the schema posproof.graph/1."""
    try:
        import torch
        from torch.fx.experimental.proxy_tensor import make_fx
    except ImportError as error:
        raise Untraceable("tracing needs PyTorch, which is not installed: pip install torch") from error
    name = source or str(getattr(function, "__qualname__", type(function).__name__))
    built = _built(function, torch)
    traced, inputs = None, ()
    failure: Exception | None = None
    for inputs in _inputs(_arity(getattr(function, "forward", function)), _format(dtype, torch), torch):
        try:
            with torch.no_grad():
                traced = _functional(make_fx(built)(*inputs), inputs, torch, make_fx)
            break
        except Exception as error:
            failure = failure or error
    if traced is None:
        raise _refused(name, failure) from failure
    return json.dumps(_document(traced, inputs, name, torch))


def run(arguments: list[str], alone: bool) -> int:
    """Runs `posproof bound … --module FILE:FUNCTION`: `--dtype` is the format of x, all else is said of the graph."""
    kept, found = [], {"--module": "", "--dtype": ""}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in found:
            found[name] = value if equals else next(rest, "")
        else:
            kept.append(argument)
    try:
        text = graph(load(found["--module"]), found["--module"], found["--dtype"] or None)
    except InvalidInput as error:
        print(f"posproof: {error}", file=sys.stderr)
        return 2
    except Untraceable as error:
        print(f"posproof: --module: {error}", file=sys.stderr)
        return 4
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.json"
        path.write_text(text)
        return _posproof.command([*kept, "--graph", str(path)], alone)


def _format(dtype: Any, torch: Any) -> Any:
    short = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", None: "float32"}
    found = dtype if isinstance(dtype, torch.dtype) else getattr(torch, short.get(dtype, str(dtype)), None)
    if not isinstance(found, torch.dtype):
        raise InvalidInput(f"dtype: expected float16, bfloat16, float32 or float64; found {dtype!r}")
    return found


def _built(function: Any, torch: Any) -> Any:
    """A module that keeps its configuration, built anew by whoever calls it; it has to be the module that is given."""
    config = getattr(function, "config", None)
    if not isinstance(function, torch.nn.Module) or config is None:
        return function
    kind = type(function)
    try:
        again = kind(config)
    except Exception:
        return function
    own, other = dict(function.named_buffers()), dict(again.named_buffers())
    if own.keys() != other.keys() or not all(torch.equal(own[key], other[key].to(own[key].device)) for key in own):
        return function
    # An attribute that was changed since, a hook or another forward are of this module alone.
    kept, made = vars(function), vars(again)
    if kept.keys() != made.keys() or not all(_alike(kept[key], made[key]) for key in kept):
        return function
    return lambda *arguments: kind(config)(*arguments)


def _alike(own: Any, other: Any) -> bool:
    """Whether two attributes are the same, as far as can be said; what is neither plain nor a function is, if their types are."""
    if callable(own):
        return getattr(own, "__func__", own) is getattr(other, "__func__", other)
    if own is None or isinstance(own, bool | int | float | str | tuple | list | set):
        return bool(own == other)
    return type(own) is type(other) and (not isinstance(own, dict) or own.keys() == other.keys())


def _inputs(arity: int, dtype: Any, torch: Any) -> list[tuple[Any, ...]]:
    positions = torch.arange(ROWS)
    match arity:
        case 0:
            return [()]
        case 1:
            return [(positions,), (positions[None],)]
        case 2:
            x = torch.zeros(1, ROWS, WIDTH, dtype=dtype)
            return [(x, positions[None]), (x, positions)]
        case _:
            raise InvalidInput(f"{EXPECTED}; found one of {arity} arguments: wrap it, lambda x, positions: f(…)")


def _functional(traced: Any, inputs: tuple[Any, ...], torch: Any, make_fx: Any) -> Any:
    """The same graph without writes into tensors, and without results that nobody takes."""
    targets = (node.target for node in traced.graph.nodes if node.op == "call_function")
    if any(getattr(getattr(target, "_schema", None), "is_mutable", False) for target in targets):
        traced = make_fx(torch.func.functionalize(traced))(*inputs)
    traced.graph.eliminate_dead_code()
    return traced


def _refused(name: str, error: Exception | None) -> InvalidInput:
    text = str(error)
    if "_local_scalar_dense" in text or "data-dependent" in text:
        found = "control flow that depends on entries of a tensor"
        advice = "trace a function of one branch, or state the program by options"
        return InvalidInput(f"{name}: found {found}; expected a program that is one graph: {advice}")
    first = next(iter(text.splitlines()), "")
    return InvalidInput(f"{name}: it cannot be traced: {type(error).__name__}: {first}; {EXPECTED}")


def _document(traced: Any, inputs: tuple[Any, ...], name: str, torch: Any) -> dict[str, Any]:
    values: dict[str, Any] = {}

    class Recorder(torch.fx.Interpreter):  # type: ignore[misc]
        def run_node(self, node: Any) -> Any:
            values[node.name] = value = super().run_node(node)
            return value

    with torch.no_grad():
        Recorder(traced).run(*inputs)
    given = iter(["vectors", "positions"][-len(inputs) :] if inputs else [])
    document: dict[str, Any] = {"inputs": [], "operations": [], "outputs": []}
    for node in traced.graph.nodes:
        value = values[node.name]
        if node.op == "placeholder":
            document["inputs"].append({"name": node.name, "role": next(given), **_described(value)})
        elif node.op == "get_attr":
            entries = [_argument(entry) for entry in value.flatten().tolist()]
            constant = {"name": node.name, "role": "constant", **_described(value), "entries": entries}
            document["inputs"].append(constant)
        elif node.op == "output":
            document["outputs"] = _outputs(node.args[0], name)
        else:
            document["operations"].append(
                {
                    "name": node.name,
                    "operation": _named(node.target),
                    "arguments": [_argument(argument) for argument in node.args],
                    "keywords": {key: _argument(argument) for key, argument in node.kwargs.items()},
                    "results": [_described(one) for one in (value if isinstance(value, tuple | list) else [value])],
                }
            )
    tracer = f"PyTorch {torch.__version__}"
    return {"schema": SCHEMA, "source": name, "tracer": tracer, **document}


def _outputs(returned: Any, name: str) -> list[Any]:
    outputs = list(returned) if isinstance(returned, tuple | list) else [returned]
    found = [_argument(output) for output in outputs]
    if not all(isinstance(one, dict) for one in found):
        raise InvalidInput(f"{name}: what it returns is no tensor; expected (cos, sin), or a table of both")
    return found


def _named(target: Any) -> str:
    return "operator.getitem" if getattr(target, "__name__", "") == "getitem" else str(target)


def _described(value: Any) -> dict[str, Any]:
    shape = getattr(value, "shape", None)
    if shape is None:
        return {"dtype": type(value).__name__, "shape": []}
    return {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(shape)}


def _argument(argument: Any) -> Any:
    if argument is None or isinstance(argument, bool | int | str):
        return argument
    if isinstance(argument, float):
        return argument if math.isfinite(argument) else str(argument)
    if isinstance(argument, tuple | list):
        return [_argument(one) for one in argument]
    if hasattr(argument, "op") and hasattr(argument, "target"):
        return {"value": argument.name}
    return str(argument).removeprefix("torch.")
