"""The command `posproof`, as far as the wheel goes: bound, check, identify, lint, positions, probe, table and tolerance."""

from __future__ import annotations

import argparse
import json
import sys

from posproof import _posproof
from posproof._posproof import InvalidInput, __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Verbs of the whole command, which the ledger of claims, MPFR or Coq are needed for.
ELSEWHERE = (
    "verify",
    "list",
    "show",
    "report",
    "prove",
    "cite",
    "sweep",
    "merge",
    "completions",
    "man",
)

GET = "this command comes with the Rust package: cargo install posproof"

ARRAYS = {
    "sinusoid": ("table",),
    "rope": ("cos", "sin", "freqs-cis", "cos-sin-cache", "inv-freq"),
    "rotation": ("x", "y"),
}

ENCODING = (
    "dim", "base", "layout", "order", "position-offset", "angle-scale", "amplitude", "frequency-origin",
    "frequency-spacing", "direction", "rotary-dim", "config", "layer", "layer-type", "part", "scaling", "factor",
    "original-max-position-embeddings", "sequence-length", "beta-fast", "beta-slow", "truncate", "attention-factor",
    "mscale", "mscale-all-dim", "low-freq-factor", "high-freq-factor", "short-factor", "long-factor",
    "partial-rotary-factor",
)  # fmt: skip

AXES = ("axis", "sections", "sections-order", "span", "index", "positions-axes", "convention")


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    whole = argparse.ArgumentParser(prog="posproof", description=__doc__, allow_abbrev=False)
    whole.add_argument("--version", action="version", version=f"posproof {__version__}")
    verbs = whole.add_subparsers(dest="verb", metavar="VERB")
    for verb, summary in (
        ("check", "judge another implementation's table, cache or rotation"),
        ("identify", "say which convention a table, a cache or a rotation follows"),
        ("positions", "say by which position each row was rotated"),
    ):
        subjects = verbs.add_parser(verb, help=summary, allow_abbrev=False)
        for subject, arrays in ARRAYS.items():
            one = subjects_of(subjects).add_parser(subject, allow_abbrev=False)
            for array in arrays:
                one.add_argument(f"--{array}", metavar="ARRAY", help="file.npy, file.npz:name or file.safetensors:name")
            if verb == "check":
                _options(one, (*ENCODING, *AXES, "dtype", "compute", "path", "duplication"))
            if verb == "positions":
                _options(one, (*ENCODING, "dtype", "compute", "path", "domain", "expected"))
                one.add_argument("--strict", action="store_true", help="exit with status 3 if a position remains open")
            else:
                _options(one, ("positions",))
            one.add_argument("--sequence-axis", type=int)
            one.add_argument("--json", action="store_true")
    lint = verbs.add_parser("lint", help="say what a model's configuration means", allow_abbrev=False)
    lint.add_argument("files", nargs="+", metavar="config.json")
    lint.add_argument("--against")
    lint.add_argument("--layout")
    lint.add_argument("--json", action="store_true")
    table = verbs.add_parser("table", help="write a correctly rounded reference table", allow_abbrev=False)
    table.add_argument("encoding", choices=("sinusoid", "rope"))
    _options(table, (*ENCODING, *AXES, "dtype", "positions"))
    table.add_argument("--out", required=True, metavar="FILE", help=".npy (one array) or .npz")
    table.add_argument("--force", action="store_true", help="replace the file if it exists")
    tolerance = verbs.add_parser("tolerance", help="certified absolute tolerances", allow_abbrev=False)
    tolerance.add_argument("encoding", choices=("sinusoid", "rope"))
    _options(tolerance, (*ENCODING, "dtype", "compute", "path", "positions"))
    tolerance.add_argument("--c-header", metavar="NAME", help="print a C array of this name in place of JSON")
    probe = verbs.add_parser("probe", help="write inputs for another implementation", allow_abbrev=False)
    probe.add_argument("subject", choices=tuple(ARRAYS))
    _options(probe, ("dim", "dtype", "positions"))
    probe.add_argument("--heads", type=int, help="vectors for so many heads: x is [heads, positions, dim]")
    probe.add_argument("--last", type=int, default=131_071, help="the last position, where --positions does not say")
    probe.add_argument("--out", required=True, metavar="FILE", help=".npz, with positions and, for a rotation, x")
    probe.add_argument("--force", action="store_true", help="replace the file if it exists")
    bound = verbs.add_parser("bound", help="bound the rounding error of an implementation", allow_abbrev=False)
    bound.add_argument("subject", choices=("sinusoid", "rope", "rotation", "score"))
    _options(bound, (*ENCODING, "dtype", "path", "angle", "positions", "component"))
    bound.add_argument("--pairs", type=_numbers, help="such as 1,64,200")
    bound.add_argument("--ulp", type=float, help="the accuracy of sin and cos")
    bound.add_argument("--error", type=float, help="up to which position is the error below that?")
    bound.add_argument("--worst", action="store_true", help="find the exact worst case too")
    bound.add_argument("--json", action="store_true", help="as without it: schema posproof.bound/1")
    for verb in ELSEWHERE:
        verbs.add_parser(verb, help="comes with the Rust package: cargo install posproof", add_help=False)
    return whole


def subjects_of(verb: argparse.ArgumentParser) -> Any:
    """The subjects of a verb."""
    known = [action for action in verb._actions if isinstance(action, argparse._SubParsersAction)]
    return known[0] if known else verb.add_subparsers(dest="subject", required=True, metavar="SUBJECT")


def _options(one: argparse.ArgumentParser, names: Sequence[str]) -> None:
    for name in names:
        if name == "axis":
            one.add_argument("--axis", action="append", dest="axes", metavar="NAME:A..B")
        else:
            one.add_argument(f"--{name}", type=_KINDS.get(name, str))


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def _span(text: str) -> list[int]:
    first, end = text.split("..")
    return [int(first), int(end)]


def _document(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        try:
            return json.load(file)
        except ValueError as error:
            raise InvalidInput(f"{path}: expected JSON; {error}") from error


# Options that are no words.
_KINDS: dict[str, Any] = {"sections": _numbers, "span": _span}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit status."""
    given, rest = parser().parse_known_args(arguments)
    if given.verb in ELSEWHERE:
        print(f"posproof: {given.verb}: {GET}", file=sys.stderr)
        return 4
    if given.verb is None:
        parser().print_help()
        return 0
    if rest:
        parser().error(f"unknown arguments: {' '.join(rest)}")
    try:
        return run(given)
    except (InvalidInput, OSError, MemoryError, OverflowError) as error:
        print(f"posproof: {error}", file=sys.stderr)
        return 2


def run(given: argparse.Namespace) -> int:
    """Runs a verb."""
    options = {name.replace("-", "_"): getattr(given, name.replace("-", "_"), None) for name in (*ENCODING, "dtype")}
    options |= {name: getattr(given, name, None) for name in ("compute", "path", "duplication", "positions", "axes")}
    options |= {name.replace("-", "_"): getattr(given, name.replace("-", "_"), None) for name in AXES[1:]}
    if options["positions"] is not None and options["positions"].endswith((".npy", ".npz")):
        options["positions"] = opened(options["positions"])
    options = {name: value for name, value in options.items() if value is not None}
    if "convention" in options:
        options["convention"] = _document(str(options["convention"]))
    if given.verb in ("check", "identify", "positions"):
        return judge(given, options)
    if given.verb == "lint":
        from posproof.linting import lint

        lints = [lint(file, given.against, layout=given.layout) for file in given.files]
        conforms = all(one.conforms for one in lints)
        document = {"schema": "posproof.lint/1", "conforms": conforms, "files": [one.to_dict() for one in lints]}
        print(
            json.dumps(document, indent=2) if given.json else "\n".join(map(str, lints)), end="\n" if given.json else ""
        )
        return 0 if conforms else 1
    if given.verb == "tolerance":
        from posproof.reference import tolerance

        tolerated = tolerance(given.encoding, **options)
        print(tolerated.c_header(given.c_header) if given.c_header else json.dumps(tolerated.to_dict()))
        return 0
    if given.verb == "bound":
        asked = {name: getattr(given, name) for name in ("angle", "component", "pairs", "ulp", "error")}
        options |= {name: value for name, value in asked.items() if value is not None}
        print(json.dumps(json.loads(_posproof.bound(given.subject, options | {"worst": given.worst})), indent=2))
        return 0
    return probe(given, options) if given.verb == "probe" else write(given, options)


def judge(given: argparse.Namespace, options: dict[str, Any]) -> int:
    """Runs check, identify or positions."""
    from posproof.decoding import Decoded
    from posproof.judging import parts
    from posproof.report import Identification, Report

    names = {name: name.replace("-", "_") for name in ARRAYS[given.subject]}
    arrays = {key: opened(getattr(given, key)) for key in names.values() if getattr(given, key) is not None}
    options["sequence_axis"] = given.sequence_axis
    if given.verb == "identify":
        found = Identification(*_posproof.identify(arrays, options))
        print(json.dumps(found.to_dict(), indent=2) if given.json else str(found), end="\n" if given.json else "")
        return 1 if found.confidence == "unexplained" else 0
    if given.verb == "positions":
        options["domain"] = given.domain
        options["expected"] = None if given.expected is None else opened(given.expected)
        decoded = Decoded(_posproof.positions(given.subject == "sinusoid", arrays, options))
        print(json.dumps(decoded.to_dict(), indent=2) if given.json else str(decoded), end="\n" if given.json else "")
        return 1 if not decoded.conforms else 3 if given.strict and not decoded.certified else 0
    report = Report(parts("check", "", arrays, options, sinusoid=given.subject == "sinusoid"))
    print(json.dumps(report.to_dict(), indent=2) if given.json else str(report), end="\n" if given.json else "")
    return 3 if report.grade == "not-judged" else 0 if report.conforms else 1


def opened(name: str) -> Any:
    """An array in a file."""
    import numpy

    path, _, member = name.partition(":")
    if path.endswith(".safetensors"):
        from safetensors.numpy import load_file

        return _member(load_file(path), name, member)
    try:
        read = numpy.load(path, mmap_mode="r" if path.endswith(".npy") else None, allow_pickle=False)
    except ValueError as error:
        raise InvalidInput(f"{path}: expected an array of NumPy; {error}") from error
    return read if path.endswith(".npy") else _member(read, name, member)


def _member(arrays: Any, name: str, member: str) -> Any:
    if member not in arrays:
        raise InvalidInput(f"{name}: expected one of {', '.join(arrays)}; found '{member}'")
    return arrays[member]


def probe(given: argparse.Namespace, options: dict[str, Any]) -> int:
    """Writes positions, and vectors to be rotated there."""
    import numpy

    if "dim" not in options:
        raise InvalidInput("no dimension: expected --dim")
    dim, heads = _posproof.positions_list(f"{options['dim']}"), given.heads if given.heads is not None else 1
    if len(dim) != 1 or heads < 1 or given.last < 0:
        raise InvalidInput(f"expected one --dim, --heads from 1 and --last from 0 on; found {dim}, {heads}, {given.last}")
    stated = options.get("positions")
    positions = _posproof.probe_positions(given.last) if stated is None else _posproof.positions_list(stated)
    made: dict[str, Any] = {"positions": numpy.asarray(positions)}
    if given.subject == "rotation":
        x = _posproof.probe_vectors(heads * len(positions), dim[0], options.get("dtype", "f32"))
        if x.dtype == "bfloat16":
            raise InvalidInput("dtype: expected f16, f32 or f64 in .npz, which has no bf16; found bf16")
        shape = (len(positions), dim[0]) if given.heads is None else (heads, len(positions), dim[0])
        made["x"] = numpy.asarray(x).reshape(shape)
    if not given.out.endswith(".npz"):
        raise InvalidInput(f"{given.out}: expected a file.npz")
    return put(given, made)


def write(given: argparse.Namespace, options: dict[str, Any]) -> int:
    """Writes a table."""
    import os

    import numpy

    arrays = _posproof.table("table", given.encoding == "sinusoid", options)
    names = ["pe"] if given.encoding == "sinusoid" else ["cos", "sin"]
    made: dict[str, Any] = {name: numpy.asarray(array) for name, array in zip(names, arrays, strict=True)}
    suffix = os.path.splitext(given.out)[1]
    if suffix not in (".npy", ".npz") or (suffix == ".npy" and len(made) > 1):
        raise InvalidInput(f"{given.out}: expected a file.npz{'' if len(made) > 1 else ' or file.npy'}")
    return put(given, made)


def put(given: argparse.Namespace, made: dict[str, Any]) -> int:
    """Writes arrays into a file that is there whole or not at all."""
    import os

    import numpy

    suffix = os.path.splitext(given.out)[1]
    if os.path.exists(given.out) and not given.force:
        raise InvalidInput(f"{given.out}: the file exists; --force replaces it")
    beside = f"{given.out}.{os.getpid()}{suffix}"
    try:
        with open(beside, "xb") as file:
            numpy.savez(file, **made) if suffix == ".npz" else numpy.save(file, next(iter(made.values())))
        os.replace(beside, given.out)
    finally:
        if os.path.exists(beside):
            os.unlink(beside)
    print(f"wrote {given.out}: {', '.join(f'{name} {array.shape} {array.dtype}' for name, array in made.items())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
