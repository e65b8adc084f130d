"""Judges implementations of sinusoidal and rotary positional encodings, and makes correctly rounded references.

Arrays may be anything with `__dlpack__`, the buffer protocol or `__array__`: NumPy, PyTorch, JAX, MLX, CuPy after
copying to the host; f16, bf16, f32 or f64, contiguous or strided. They are read where they lie.

An encoding is stated by `config` (a model's configuration object, its dictionary, or a path), or by the options of the
command line as keywords: `dim=128, base=500000, scaling={"rope_type": "llama3", …}, layout="halves"`. What is stated
and cannot be used is an `InvalidInput`, which is a `ValueError`.
"""

from __future__ import annotations

from posproof._posproof import Array, InvalidInput, __version__
from posproof.assertion import NotConforming, assert_rope, assert_sinusoid
from posproof.claims import Claim, ClaimRefuted, ClaimReport, assert_claim, claims
from posproof.decoding import Decoded, positions
from posproof.judging import check_rope, check_rotation, check_sinusoid, identify
from posproof.linting import Lint, lint
from posproof.recording import Recorder, recorder
from posproof.reference import Tolerance, bound, compare, rope_table, sinusoid_table, tolerance
from posproof.plotting import Picture
from posproof.report import Finding, Identification, Report

__all__ = [
    "Array",
    "Claim",
    "ClaimRefuted",
    "ClaimReport",
    "Decoded",
    "Finding",
    "Identification",
    "InvalidInput",
    "Lint",
    "NotConforming",
    "Picture",
    "Recorder",
    "Report",
    "Tolerance",
    "__version__",
    "assert_claim",
    "assert_rope",
    "assert_sinusoid",
    "bound",
    "check_rope",
    "check_rotation",
    "check_sinusoid",
    "claims",
    "compare",
    "identify",
    "lint",
    "positions",
    "recorder",
    "rope_table",
    "sinusoid_table",
    "tolerance",
]
