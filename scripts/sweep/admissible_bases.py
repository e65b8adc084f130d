"""The sets of admissible bases that the report plots, with published bases and released models:

    python scripts/sweep/admissible_bases.py POSPROOF

writes src/report/plot/data/admissible-bases.json, from one sweep for each length and from the models' published configurations.
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "src/report/plot/data/admissible-bases.json"
MODELS = ROOT / "crates/encoding/tests/models/published.json"

DIM = 128
BASES = ["1000", "10000000"]
LENGTHS = [1 << power for power in range(10, 15)]


def admissible(posproof, length):
    arguments = ["--dim", str(DIM), "--length", str(length), "--bases", "..".join(BASES), "--json"]
    command = [posproof, "sweep", "admissible-bases", *arguments]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return {"length": length, "admissible": found["admissible"], "undecided": found["undecided"]}


def models():
    """Models with one kind of layer that rotates heads of DIM entries with the frequencies of a base, unscaled."""
    for model in json.loads(MODELS.read_text()):
        kinds, context = model["expect"], model["config"].get("max_position_embeddings")
        rotates = len(kinds) == 1 and kinds[0].get("rotary") == DIM and kinds[0].get("scaling") is None
        if rotates and kinds[0].get("base") and context and "rope_scaling" not in non_null(model["config"]):
            yield {"model": model["model"], "context": context, "base": kinds[0]["base"]}


def non_null(config):
    return {key for key, value in config.items() if value is not None}


def main():
    sets = [admissible(sys.argv[1], length) for length in LENGTHS]
    document = {"dim": DIM, "bases": BASES, "sets": sets, "models": list(models())}
    partial = OUT.with_suffix(".partial")
    partial.write_text(json.dumps(document, indent=1) + "\n")
    os.replace(partial, OUT)


if __name__ == "__main__":
    main()
