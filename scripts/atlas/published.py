"""Measures what the modules of the installed transformers compute for published configurations, and writes it beside them.

    venv/bin/python scripts/atlas/published.py crates/encoding/tests/models/published.json

A second opinion on how the files are read: of the reading, only which class makes the cosines of a kind of layer is taken from the atlas.
"""

import argparse
import json
import logging
import pathlib
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import corpus  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402

ATLAS = pathlib.Path(__file__).parents[2] / "crates/encoding/src/atlas/atlas.json"


def part(config, composites):
    """The part of a file that speaks of tokens, and the name of its family."""
    family, inner = config["model_type"], config.get("text_config")
    composite = composites.get(family, {"parts": {}, "flat": []})
    if inner is None:
        return config, composite["parts"]["text_config"] if "text_config" in composite["flat"] else family
    return inner, inner.get("model_type") or composite["parts"]["text_config"]


def measured(config, families, composites):
    """What each kind of layer computes; none where the installed transformers has no such family, or no cosines for it."""
    said, name = part(config, composites)
    if name not in families:
        return None
    family = families[name]
    lines = []
    for label in family.labels:
        cache = family.cache(said, label, completed=False)
        if isinstance(cache, str):
            raise SystemExit(f"{name}, {label}: {cache}")
        lines.append({"kind": label or "", **corpus.shown(cache)})
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    atlas = json.loads(ATLAS.read_text())
    published = json.loads(arguments.file.read_text())
    wanted = {part(entry["config"], atlas["composites"])[1] for entry in published}
    families = {name: family for name, _, family in corpus.families(atlas, wanted)}
    for entry in published:
        entry.pop("measured", None)
        if (lines := measured(entry["config"], families, atlas["composites"])) is not None:
            family = part(entry["config"], atlas["composites"])[1]
            entry["measured"] = {"on": f"transformers {transformers.__version__}", "family": family, "kinds": lines}
    arguments.file.write_text("[\n" + ",\n".join(map(json.dumps, published)) + "\n]\n")


main()
