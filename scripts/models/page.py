"""The page of the score sheet of models."""

import transformers

import faults

RESULTS = {
    "accepted": "judged, and in order",
    "refused": "a sentence says why it is not judged, or what to pass",
    "accused": "a finding on the library's own code",
    "exception": "another library's exception came through",
    "unbuilt": "no small model was made",
}
HEAD = """# Score sheet of models

`posproof.assert_rope(model)` was asked of every family of transformers {version} whose code speaks of rotation: a small model of random
weights, as it is, and with {faults} faults put into it. Repeat: `python scripts/models --out docs/models.md`.

{families} families were found, and {tried} were tried. The script goes on where it stopped: results of earlier code are kept.

"""
LEGEND = """
A fault counts where it changes what the model computes. It is *noticed* if the model is not accepted, *named* if one of the first two findings
of a part says what it is, and *placed* if the parts that fail are those that have it: the layers, query or key, and the run.

"""


def page(found, families, beside):
    """The page, of results by family, and of those in another format."""
    text = HEAD.format(version=transformers.__version__, faults=len(faults.FAULTS), families=families, tried=len(found))
    text += table(["result", "families", "meaning"], [[name, sum(one["result"] == name for one in found.values()), meaning] for name, meaning in RESULTS.items()])
    measured = {name: one["faults"] for name, one in found.items() if one["faults"]}
    # Results of earlier code say the device of a family, and not that of a fault.
    every = [{"device": found[name].get("device", "cpu")} | cell for name, cells in measured.items() for cell in cells.values() if "without" not in cell]
    whole = sum(len(cells) == len(faults.FAULTS) for cells in measured.values())
    device = sum(cell["device"] != "cpu" for cell in every)
    text += f"\n## Faults\n\n{len(measured)} accepted families were given faults, {whole} of them all: {len(every)} took effect.\n"
    text += f"{device} of them were measured on a GPU, the others on a processor.\n" * bool(device) + LEGEND
    text += table(["fault", "took effect", "noticed", "named", "placed"], [row(fault, measured.values()) for fault in faults.FAULTS] + [counts("all", every)])
    if missed := wanting(measured):
        text += "\n## Not noticed, named or placed\n\n" + table(["family", "fault", "noticed", "named", "placed"], missed)
    if beside:
        text += narrow(beside)
    text += "\n## Families\n\n" + table(["family", "class", "result", "faults that took effect", "noticed", "named", "placed"], [family(name, one) for name, one in sorted(found.items())])
    reasons = [[name, one["result"], told(one)] for name, one in sorted(found.items()) if one["result"] != "accepted"]
    return text + "\n## Sentences\n\n" + table(["family", "result", "sentence"], reasons)


def narrow(beside):
    """The part of models with weights in bfloat16."""
    measured = {name: one["faults"] for name, one in beside.items() if one["faults"]}
    every = [cell for cells in measured.values() for cell in cells.values() if "without" not in cell]
    results = [f"{count} {name}" for name in RESULTS if (count := sum(one["result"] == name for one in beside.values()))]
    device = sum(cell.get("device", "cpu") != "cpu" for cell in every)
    text = f"\n## In bfloat16\n\n{len(beside)} families were tried with weights in bfloat16: {', '.join(results)}.\n"
    text += f"{len(measured)} were given faults: {len(every)} took effect, {device} of them measured on a GPU. These were not noticed, named or placed.\n\n"
    return text + table(["family", "fault", "noticed", "named", "placed"], [*wanting(measured), counts("all", every)[:1] + [f"took effect: {len(every)}", *counts("", every)[2:]]])


def wanting(measured):
    """The faults that are not noticed, named or placed."""
    keys = ("noticed", "named", "placed")
    every = [(name, fault, cell) for name, cells in sorted(measured.items()) for fault, cell in cells.items() if "without" not in cell]
    return [[name, fault, *("yes" if cell[key] else "no" for key in keys)] for name, fault, cell in every if not all(cell[key] for key in keys)]


def counts(name, cells):
    return [name, len(cells), *(sum(cell[key] for cell in cells) for key in ("noticed", "named", "placed"))]


def row(fault, measured):
    return counts(fault, [cells[fault] for cells in measured if fault in cells and "without" not in cells[fault]])


def family(name, one):
    cells = [cell for cell in one["faults"].values() if "without" not in cell]
    return [f"`{name}`", one.get("model", ""), one["result"], *(counts("", cells)[1:] if cells else [""] * 4)]


def told(one):
    """The first line of a sentence, without what would end the cell of a table."""
    first = (one.get("says", "").splitlines() or [""])[0]
    return "`" + first[:240].replace("|", "/").replace("`", "'") + "`" if first else ""


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)
