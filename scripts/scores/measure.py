"""Measures the cells of the score sheet: one for each case, dtype and length of the libraries that are installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module, metadata
from typing import Any

import rust_program
from cases import CASES, Case

# What is judged is what the library's own code computes: nothing compiles it anew, and Keras computes on JAX.
os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")
os.environ.setdefault("KERAS_BACKEND", "jax")


def known() -> list[Case]:
    """All cases."""
    for module in ("hugging_face", "pytorch", "others", "engines", "rust_libraries"):
        import_module(module)
    return CASES


def installed(library: str) -> str | None:
    """The version of a library, in Python or in Rust; None where it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return rust_program.version(library)


def measured(library: str = "", wanted: str = "", words: bool = False) -> Iterator[dict[str, Any]]:
    """The cells of a library, or of all, whose names contain a text. A case that cannot be run says why, and stops no other."""
    import posproof

    for case in known():
        if library not in ("", case.library):
            continue
        version = installed(case.library)
        if version is None:
            print(f"{case.library}: not installed", file=sys.stderr)
            continue
        for dtype in case.dtypes:
            for rows in case.lengths:
                name = f"{case.library}: {case.name}, {dtype}, {rows}"
                if wanted not in name:
                    continue
                try:
                    made = case.make(rows, dtype)
                    report = getattr(posproof, made.judge)(**made.arrays, **made.options)
                except Exception as error:
                    print(f"{name}: could not be run: {error!r}", file=sys.stderr)
                    continue
                if words:
                    print(f"{name}\n{report}")
                yield cell(case.library, version, case.name, dtype, rows, report.to_dict())


def cell(library: str, version: str, name: str, dtype: str, rows: int, report: dict[str, Any]) -> dict[str, Any]:
    """What the sheet keeps of a report."""
    import posproof

    worst, findings = report["worst"], report["findings"]
    return {
        "library": library,
        "version": version,
        "case": name,
        "posproof": posproof.__version__,
        "dtype": dtype,
        "length": rows,
        "convention": convention(report["subject"], report["expected"]),
        "grade": report["grade"],
        "conforms": report["conforms"],
        "ratio": ratio(worst),
        "error": None if worst is None else worst["error"],
        "position": None if worst is None else worst["position"],
        "pair": None if worst is None else worst["pair"],
        "findings": [{"code": one["code"], "message": one["message"]} for one in findings],
    }


def ratio(worst: dict[str, Any] | None) -> float | None:
    """The worst error by its bound, to three digits; None where the entry is not finite, or has no bound."""
    if worst is None or worst["error"] is None:
        return None
    if worst["error"] == 0:
        return 0.0
    return float(f"{worst['error'] / worst['bound']:.3g}") if worst["bound"] else None


def convention(subject: str, stated: dict[str, Any]) -> str:
    """The convention in a few words: what of it is not always the same."""
    words = [subject, f"dim {stated['dim']}", f"base {stated['base']}", str(stated["layout"])]
    if stated.get("order") == "cos-sin":
        words.append("cosines first")
    if stated.get("frequency_spacing") == "endpoints":
        words.append("end points")
    if stated.get("rotary_dim"):
        words.append(f"rotary dim {stated['rotary_dim']}")
    if stated.get("scaling"):
        words.append(str(stated["scaling"].get("rope_type")))
    return ", ".join(words)


def key(cell: dict[str, Any]) -> tuple[Any, ...]:
    """What tells cells apart, in the order of the sheet."""
    return cell["library"].lower(), cell["case"], cell["dtype"], cell["length"], cell["version"]


def merged(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells of a sheet after a measurement: of a library in a version that was measured now, those alone; in order."""
    again = {(cell["library"], cell["version"]) for cell in now}
    kept = (cell for cell in before if (cell["library"], cell["version"]) not in again)
    cells = {key(cell): cell for cell in (*kept, *now)}
    return [cells[one] for one in sorted(cells)]
