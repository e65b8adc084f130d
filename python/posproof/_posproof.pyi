from collections.abc import Sequence
from typing import Any, final

from posproof.vocabulary import Grade

__all__ = [
    "Array",
    "ClaimProbe",
    "Decoded",
    "InvalidInput",
    "Judgement",
    "__version__",
    "bound",
    "c_header",
    "check",
    "claim_probe",
    "claims",
    "command",
    "compare",
    "compare_outputs",
    "conventions",
    "hexadecimal",
    "html_page",
    "identify",
    "layer_axes",
    "layer_kinds",
    "lint",
    "numbers_list",
    "positions",
    "positions_list",
    "probe_positions",
    "probe_vectors",
    "restored_array",
    "table",
    "tolerance",
]

__version__: str

class InvalidInput(ValueError): ...

@final
class Judgement:
    chosen: str | None
    conforms: bool
    grade: Grade
    rank: int
    text: str
    json: str
    second: str
    mend: list[tuple[str, str]] | None
    profile: str
    def __new__(
        cls,
        chosen: str | None,
        conforms: bool,
        grade: Grade,
        rank: int,
        text: str,
        json: tuple[str, str],
        mend: list[tuple[str, str]] | None,
        profile: str,
    ) -> Judgement: ...
    def __getnewargs__(
        self,
    ) -> tuple[
        str | None, bool, Grade, int, str, list[str], list[tuple[str, str]] | None, str
    ]: ...
    def html(self, text: str) -> str: ...

@final
class Decoded:
    certified: bool
    falls_short: bool
    text: str
    json: str
    second: str
    shape: list[int]
    whole: bool
    entries: bytes
    def __new__(
        cls,
        certified: bool,
        falls_short: bool,
        text: str,
        json: tuple[str, str],
        shape: tuple[list[int], bool],
        entries: bytes,
    ) -> Decoded: ...
    def __getnewargs__(self) -> tuple[bool, bool, str, list[str], tuple[list[int], bool], bytes]: ...

@final
class ClaimProbe:
    def asked(self) -> list[tuple[str, list[tuple[str, list[int], Array]], list[int]]]: ...
    def judge(self, answers: dict[str, list[Any]]) -> tuple[bool, str, str, str, ClaimProbe | None]: ...

@final
class Array:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> str: ...
    def tolist(self) -> list[float]: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes, str, tuple[int, int]]]: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...

def check(function: str, sinusoid: bool, arrays: dict[str, Any], options: dict[str, Any]) -> Judgement: ...
def compare_outputs(
    sinusoid: bool, outputs: tuple[dict[str, Any], dict[str, Any]], options: dict[str, Any]
) -> str: ...
def identify(arrays: dict[str, Any], options: dict[str, Any]) -> tuple[list[str], str, list[list[tuple[str, str]]]]: ...
def table(function: str, sinusoid: bool, options: dict[str, Any]) -> list[Array]: ...
def tolerance(sinusoid: bool, options: dict[str, Any]) -> tuple[Array, list[str], list[str] | None]: ...
def c_header(name: str, origin: str, positions: str, atol: Array) -> str: ...
def html_page(title: str, parts: str) -> str: ...
def hexadecimal(atol: Array) -> list[list[str]]: ...
def restored_array(bytes: bytes, dtype: Any, shape: Sequence[int]) -> Array: ...
def command(arguments: list[str], alone: bool) -> int: ...
def bound(subject: str | None, options: dict[str, Any]) -> str: ...
def compare(
    kernels: tuple[Any, Any], inputs: tuple[Any, Any, Any] | None, outputs: tuple[Any, Any] | None, causal: bool
) -> str: ...
def positions(sinusoid: bool, arrays: dict[str, Any], options: dict[str, Any]) -> Decoded: ...
def lint(
    config: Any, against: Any = None, layout: str | None = None, part: str | None = None, error: float = 1e-2
) -> tuple[bool, str, str]: ...
def layer_axes(config: Any, part: str | None = None) -> str | None: ...
def layer_kinds(config: Any, part: str | None = None) -> list[tuple[str, list[int], bool, float | None]]: ...
def conventions(function: str, sinusoid: bool, options: dict[str, Any]) -> list[tuple[str | None, str]]: ...
def positions_list(positions: Any) -> list[int]: ...
def numbers_list(positions: Any) -> list[int] | list[float]: ...
def probe_positions(last: int) -> list[int]: ...
def probe_vectors(rows: int, width: int, dtype: Any) -> Array: ...
def claims(role: str | None = None) -> list[tuple[str, list[str], str, str]]: ...
def claim_probe(function: str, claim: str, roles: list[str], options: dict[str, Any]) -> ClaimProbe: ...
