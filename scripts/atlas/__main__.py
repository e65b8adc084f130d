"""Writes the atlas: what configurations mean, measured on the modules of the installed transformers.

    python -m venv venv && venv/bin/pip install torch transformers
    venv/bin/python scripts/atlas --out crates/encoding/src/atlas/atlas.json --corpus crates/encoding/tests/models/measured.jsonl

It needs no weights and no network. Families are independent, each in a process of its own with limits of time and memory: those that are
named are measured again, and put into the files that are there.
"""

import argparse
import json
import logging
import pathlib
import resource
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import children  # noqa: E402
import corpus  # noqa: E402
import experiments  # noqa: E402
import modules  # noqa: E402
import rows  # noqa: E402
import seen  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
import unrotated  # noqa: E402
import values  # noqa: E402


def measured(module, config_class, models):
    """A family's row with the lines of its corpus, or why there are none; the parts that its configuration holds."""
    made = {}
    if found := modules.parts(config_class):
        made["composite"] = {"class": config_class.__name__, "parts": found, "flat": corpus.flat(config_class, found)}
    try:
        family = (experiments.Family if modules.makers(module) else seen.Seen)(module, config_class, models)
        row = rows.row(family)
        files = corpus.Measured(config_class, row, module) if modules.makers(module) else family
        if not files.labels:
            raise values.Unmeasured(next(kind["refused"] for kind in row["kinds"].values()))
        row["inert"] = corpus.inert(files, row)
        row["inert_inside"] = corpus.inert_inside(files)
        corpus.mrope(files, row)
        lines = [json.dumps(line, separators=(",", ":")) for line in corpus.lines(config_class.model_type, row, files)]
        if not lines:
            raise values.Unmeasured("no file of it could be measured")
        return made | {"lines": lines, "row": corpus.compact(row)}
    except values.Still as error:
        return made | {"refused": str(error), "still": None if made else unrotated.beside(config_class, models)}
    except values.Unmeasured as error:
        return made | {"text": modules.text(module, config_class, models), "refused": str(error)}
    except Exception as error:  # noqa: BLE001
        raised = f"{type(error).__name__}: {next(filter(None, str(error).splitlines()), '')[:160]}"
        return made | {"text": modules.text(module, config_class, models), "refused": modules.hindrance(config_class, models, error), "raised": raised}


def atlas(only):
    """The atlas, and the lines of the corpus by family."""
    families, composites, refused, still, text, lines = {}, {}, {}, {}, set(), {}
    own = ((module, *found) for module in modules.modelling(refused) for found in modules.configurations(module))
    for asked, source in ((own, True), (modules.borrowed(), False)):
        for module, config_class, models in asked:
            name = config_class.model_type
            if only and name not in only or not source and not modules.speaks(pathlib.Path(module.__file__)):
                continue
            # A class that several modules take is measured in its own.
            if name in families and not modules.beside(config_class, module):
                continue
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            try:
                found = children.alone(measured, module, config_class, models)
            except values.Unmeasured as error:
                found = {"text": modules.text(module, config_class, models), "refused": str(error)}
            if "composite" in found:
                composites[name] = found["composite"]
            if found.get("still"):
                still[name] = found["still"]
            elif "row" in found:
                families[name], lines[name] = found["row"], found["lines"]
            else:
                refused.setdefault(name, found["refused"])
                text |= {name} if found.get("text") else set()
            seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            print(f"{seconds:6.1f} s", name, f"{len(lines[name])} files" if "row" in found else found["refused"], found.get("raised", ""), file=sys.stderr, flush=True)
    if not only:
        for name, why in modules.without_model({*families, *composites, *refused, *still}):
            refused[name] = why
    made = {"software": f"transformers {transformers.__version__}, torch {torch.__version__.split('+')[0]}"}
    for config_class, models in unrotated.families({*families, *refused, *still}):
        name = config_class.model_type
        if not only or name in only:
            if found := children.alone(unrotated.row, config_class, models):
                still[name] = found
                print("   0.0 s", name, "no rotation:", *found["positions"], file=sys.stderr, flush=True)
    made |= {"unrotated": still, "families": families, "composites": composites, "refused": {n: why for n, why in refused.items() if n not in families}}
    return made | {"text": sorted(text - set(families))}, lines


def merged(old, new):
    """The rows of before with those that were measured again."""
    for key in ("families", "composites", "refused", "unrotated"):
        old[key] = old.get(key, {}) | new[key]
    # Rows of another version say which.
    if new["software"] != old["software"]:
        for row in new["families"].values():
            row["software"] = new["software"]
    old["text"] = sorted({*old["text"], *new["text"]} - set(old["families"]))
    old["refused"] = {name: why for name, why in old["refused"].items() if name not in old["families"] and name not in new["unrotated"]}
    return old


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("only", nargs="*", help="model types to measure again")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    made, lines = atlas(set(arguments.only))
    if arguments.only:
        made = merged(json.loads(arguments.out.read_text()), made)
        kept = [line for line in arguments.corpus.read_text().splitlines() if json.loads(line)["file"]["model_type"] not in lines]
    else:
        kept = []
    arguments.out.write_text(json.dumps(made, sort_keys=True, separators=(",", ":")) + "\n")
    every = kept + [line for found in lines.values() for line in corpus.thinned(found)]
    arguments.corpus.write_text("".join(line + "\n" for line in sorted(every)))


main()
