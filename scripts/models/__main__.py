"""Writes the score sheet of models: every family of the installed transformers with rotary code, small and of random weights, as it is
and with each of some faults, judged by `posproof.assert_rope`.

    python -m venv venv && venv/bin/pip install torch transformers posproof
    venv/bin/python scripts/models --out docs/models.md

Families are independent, each in a process of its own. Results are kept in a folder, and those that are there are not measured again.
"""

import argparse
import hashlib
import json
import logging
import os
import pathlib
import resource
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "atlas"))

import faults  # noqa: E402
import modules  # noqa: E402
import page  # noqa: E402
import sheet  # noqa: E402
import torch  # noqa: E402

SECONDS = 400  # of processor time for a family and its faults
BYTES = 5 << 30


def families():
    """(name, configuration class, models) of every family with rotary code."""
    for module in modules.modelling({}):
        for config_class, models in modules.configurations(module):
            yield config_class.model_type, config_class, models
    for module, config_class, models in modules.borrowed():
        if modules.speaks(pathlib.Path(module.__file__)):
            yield config_class.model_type, config_class, models


def measured(config_class, models, place, wanted, before, out):
    """Puts a family's results into a file, after each fault."""
    model, found = sheet.honest(config_class, models, *place)
    found |= {"device": before.get("device", place[0]), "faults": before.get("faults", {})}
    out.write_text(json.dumps(found))
    kept = {}
    for fault in wanted if found["result"] == "accepted" else ():
        found["faults"][fault] = sheet.faulty(model, fault, found.get("inputs"), kept)
        out.write_text(json.dumps(found))
        if "CUDA error" in found["faults"][fault].get("without", ""):
            # A device that has failed in a process answers it no more.
            return


def started(out, config_class, models, place, *arguments):
    """A family in a process of its own, with limits of time and memory."""
    child = os.fork()
    if not child:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
            # The driver of a device maps more than it uses.
            resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES) if place[0] == "cpu" else resource.getrlimit(resource.RLIMIT_DATA))
            measured(config_class, models, place, *arguments, out)
        finally:
            os._exit(0)
    return child


def ended(running):
    """Waits until one of the processes has ended, and says what it found."""
    child, _ = os.wait()
    out = running.pop(child)
    if not out.exists():
        out.write_text(json.dumps({"result": "unbuilt", "says": f"its process ended: more than {SECONDS} s, or {BYTES >> 30} GiB", "faults": {}}))
    print(out.stem, line(json.loads(out.read_text())), file=sys.stderr, flush=True)


def line(found):
    tried = [one for one in found["faults"].values() if "without" not in one]
    counts = ", ".join(f"{sum(one[key] for one in tried)} {key}" for key in ("noticed", "named", "placed"))
    return found["result"] + (f", {len(tried)} faults: {counts}" if tried else "") + f" {found.get('says', '')[:120]!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, help="the page")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "target" / "models", help="the folder of results")
    parser.add_argument("--again", action="store_true", help="measure what is there again")
    parser.add_argument("--shard", default="0/1", help="K/N: every N-th family from the K-th on")
    parser.add_argument("--jobs", type=int, default=1, help="families at a time")
    parser.add_argument("--kept", action="store_true", help="measure nothing: the page of the results that are kept")
    parser.add_argument("--honest", action="store_true", help="the models as they are, and no faults")
    parser.add_argument("--fault", action="append", default=[], help="this fault only")
    parser.add_argument("--device", default="cpu", help="where the models are")
    parser.add_argument("--dtype", help="the format of their weights, such as bfloat16")
    parser.add_argument("--beside", type=pathlib.Path, help="a folder of results in bfloat16, for the page")
    parser.add_argument("only", nargs="*", help="these families only")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.results.mkdir(parents=True, exist_ok=True)
    place = arguments.device, arguments.dtype and getattr(torch, arguments.dtype)
    shard, shards = map(int, arguments.shard.split("/"))
    # In an order that says nothing of them: what was measured when time was up is a sample.
    every = sorted(families(), key=lambda one: hashlib.sha256(one[0].encode()).digest())
    running = {}
    for number, (name, config_class, models) in enumerate(every):
        out = arguments.results / f"{name}.json"
        before = json.loads(out.read_text()) if out.exists() else {"faults": {}}
        wanted = [] if arguments.honest else arguments.fault or [fault for fault in faults.FAULTS if arguments.again or fault not in before["faults"]]
        measured_before = before.get("result") and not arguments.again and not arguments.fault and not (wanted and before["result"] == "accepted")
        if arguments.kept or number % shards != shard or arguments.only and name not in arguments.only or measured_before:
            continue
        out.unlink(missing_ok=True)
        if len(running) >= arguments.jobs:
            ended(running)
        running[started(out, config_class, models, place, wanted, before)] = out
    while running:
        ended(running)
    if arguments.out:
        kept = lambda folder: {name: json.loads(file.read_text()) for name, *_ in every if (file := folder / f"{name}.json").exists()}
        arguments.out.write_text(page.page(kept(arguments.results), len(every), kept(arguments.beside) if arguments.beside else {}))


main()
