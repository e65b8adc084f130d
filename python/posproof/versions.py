"""What older versions of transformers read otherwise: configurations stated as the running version reads them."""

from __future__ import annotations

import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    # In words what a version reads otherwise.
    Notes = list[str]

# The version that first reads the key: modeling_rope_utils, _compute_yarn_parameters.
YARN_ORIGINAL = (4, 51)

# The version that first reads parameters by the type of layer; before it Olmo3RotaryEmbedding takes the same base for all,
# and the scaling rule for those of full attention.
PARAMETERS_BY_LAYER = (5, 0)

RULES = ("rope_scaling", "rope_parameters")
ORIGINAL = "original_max_position_embeddings"


def running() -> tuple[int, ...] | None:
    """The version of transformers that was imported; none where none was."""
    version = getattr(sys.modules.get("transformers"), "__version__", "")
    found = re.match(r"(\d+)\.(\d+)", version)
    return tuple(map(int, found.groups())) if found else None


def as_read(config: Any) -> tuple[Any, Notes]:
    """The configuration of a model as the running version reads it, and what it reads otherwise than the newest that was measured."""
    version = running()
    to_dict = getattr(config, "to_dict", None)
    if version is None or version >= PARAMETERS_BY_LAYER or to_dict is None:
        return config, []
    values: dict[str, Any] = to_dict()
    notes: Notes = []
    _restate(values, version, notes)
    return (values, list(dict.fromkeys(notes))) if notes else (config, [])


def _restate(values: dict[str, Any], version: tuple[int, ...], notes: Notes) -> None:
    """Changes the values of a configuration and of its parts to what the version reads."""
    name = f"transformers {'.'.join(map(str, version))}"
    for key in RULES:
        rule = values.get(key)
        if not isinstance(rule, dict) or version >= YARN_ORIGINAL:
            continue
        if "yarn" in (rule.get("rope_type"), rule.get("type")) and ORIGINAL in rule:
            values[key] = {one: value for one, value in rule.items() if one != ORIGINAL}
            notes.append(
                f"{ORIGINAL} of yarn, {rule[ORIGINAL]}: {name} does not read it, and takes max_position_embeddings; "
                "from 4.51 on it is read"
            )
    if values.get("model_type") == "olmo3" and "rope_theta" in values:
        base = {"rope_theta": values.pop("rope_theta")}
        rule = values.pop("rope_scaling", None) or {"rope_type": "default"}
        values["rope_parameters"] = {"sliding_attention": {"rope_type": "default", **base}, "full_attention": {**rule, **base}}
        notes.append(f"rope_theta, {base['rope_theta']}: {name} reads it for layers with a window too")
    for part in values.values():
        if isinstance(part, dict):
            _restate(part, version, notes)
