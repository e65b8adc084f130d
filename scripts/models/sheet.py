"""A family's part of the sheet: its small model as it is, and with every fault."""

import contextlib
import sys
import time

import posproof
import torch

import changes
import faults
import tiny

ROWS = 211  # positions of a run of inputs that are given
SHOWN = 600  # characters of a message that are kept


def tokens(model, rows):
    table = model.get_input_embeddings()
    return (1 + torch.arange(rows, device=model.device)) % table.num_embeddings


def shown(fault):
    """The run that shows a fault."""
    known = {"rows from the 600th on": "long", "rows share positions": "batch", "padded row by place": "padded", "sections reversed": "grid"}
    return known.get(fault, "decoding" if "decoded" in fault or "cache" in fault else "prompt")


def effect(model, fault, given_names):
    """Results of the runs in which the fault could show."""
    if given_names:
        with torch.no_grad():
            return {"inputs": result(model(**tiny.inputs(model, given_names, ROWS)))}
    given = {}
    long = 700 if shown(fault) == "long" else 24
    prompt = torch.arange(long)[None] * max(1, (min(longest(model), 8192) - 1) // long)
    runs = {"prompt": (1, prompt)}
    if shown(fault) == "batch":
        runs = {"batch": (2, torch.stack([torch.arange(9), torch.arange(9) + 5]))}
    masked = {}
    if shown(fault) == "padded":
        mask = torch.ones(2, 12, dtype=torch.long, device=model.device)
        mask[0, :5] = 0
        masked, runs = {"attention_mask": mask}, {"padded": (2, (mask.cumsum(-1) - 1).clamp(min=0))}
    if shown(fault) == "grid":
        runs = {"grid": (1, torch.stack([torch.arange(9), torch.arange(9) // 3, torch.arange(9) % 3])[:, None])}
    with torch.no_grad():
        for name, (count, ids) in runs.items():
            model_in = tokens(model, ids.shape[-1]).expand(count, -1)
            given[name] = result(model(input_ids=model_in, position_ids=ids.to(model.device), **masked))
        if shown(fault) == "decoding":
            # Steps of decoding alone: a prompt is the same.
            words = tokens(model, 10)[None]
            cache = model(input_ids=words[:, :9], use_cache=True).past_key_values
            given = {"decoding": result(model(input_ids=words[:, 9:], position_ids=torch.tensor([[9]], device=model.device), past_key_values=cache, use_cache=True))}
    return given


def longest(model):
    found = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    return found if isinstance(found, int) else 512


def result(made):
    """The first tensor of what a model returns."""
    every = made.to_tuple() if hasattr(made, "to_tuple") else made if isinstance(made, tuple) else (made,)
    return next(one for one in every if isinstance(one, torch.Tensor))


def state(model):
    """What judging is to leave as it was: modes, hooks, functions and numbers."""
    modules = [(name, one.training, len(one._forward_hooks), len(one._forward_pre_hooks), vars(one).get("forward")) for name, one in model.named_modules()]
    tensors = [(name, one.device, one.dtype, one._version) for name, one in (*model.named_parameters(), *model.named_buffers())]
    spaces = {type(module).__module__ for module in model.modules()}
    functions = [(name, value) for space in sorted(spaces) for name, value in vars(sys.modules[space]).items() if callable(value)]
    return modules + tensors + functions + [("attention", torch.nn.functional.scaled_dot_product_attention)]


def judged(model, names):
    """The answer of `assert_rope` for a model, its time, and whatever it left changed."""
    before = state(model)
    found = answered(model, names)
    after = state(model)
    changed = [name for name, *rest in after if (name, *rest) not in before] if before != after else []
    return found | ({"changed": changed[:6]} if changed else {})


def answered(model, names):
    begin = time.process_time()
    found = {}
    try:
        report = posproof.assert_rope(model, inputs=tiny.inputs(model, names, ROWS)) if names else posproof.assert_rope(model)
        found = {"result": "accepted", "judged": len(report.judged), "unjudged": report.unjudged}
    except posproof.InvalidInput as error:
        found = {"result": "refused", "says": str(error)[:SHOWN]}
    except posproof.NotConforming as error:
        parts = [(part["of"], [one["code"] for one in part["findings"]]) for part in error.report.to_dict().get("reports", []) if not part["conforms"]]
        found = {"result": "accused", "says": str(error)[:SHOWN], "parts": parts, "judged": error.report.judged}
    except Exception as error:  # noqa: BLE001, whatever comes through
        found = {"result": "exception", "says": f"{type(error).__name__}: {error}"[:SHOWN]}
    return found | {"seconds": round(time.process_time() - begin, 2)}


def honest(config_class, models, device="cpu", dtype=None):
    """A family's small model in its place and format, and the answer for it as it is."""
    try:
        model, hindered, names = tiny.model(config_class, models)
        tiny.put(model, device, dtype)
    except Exception as error:  # noqa: BLE001, whatever a class raises
        return None, {"result": "unbuilt", "says": str(error)[:SHOWN]}
    return model, judged(model, names) | {"model": type(model).__name__, "hindered": hindered, "inputs": names}


def faulty(model, fault, names, kept):
    """The effect of a fault, and that it is noticed, named and placed. The results of runs without faults are kept."""
    enter, expected = faults.FAULTS[fault]
    try:
        if shown(fault) not in kept:
            kept[shown(fault)] = effect(model, fault, names)
        before = kept[shown(fault)]
        with enter(model):
            after = effect(model, fault, names)
    except changes.Without as error:
        return {"without": str(error)}
    except Exception as error:  # noqa: BLE001, whatever a model raises
        return {"without": f"the run raises {type(error).__name__}: {error}"[:SHOWN]}
    if all(torch.equal(before[name], after[name]) for name in before):
        return {"without": "no effect"}
    with contextlib.ExitStack() as stack:
        stack.enter_context(enter(model))
        found = judged(model, names)
    noticed = found["result"] in ("accused", "refused")
    parts = found.pop("parts", [])
    first = {code for _, codes in parts for code in codes[:2]}
    said = {"noticed": noticed, "named": bool(first & expected), "placed": placed(fault, [of for of, _ in parts], found.pop("judged", []))}
    kept = {} if all(said.values()) else found | {"parts": parts[:6]}
    return said | {"seconds": found["seconds"], "device": model.device.type} | kept


def placed(fault, failing, whole):
    """A fault is placed where the parts that fail are those that have it, and no others."""
    if not failing:
        return False
    layers = lambda names: {name.split(",")[0] for name in names if name.startswith("layer ")}
    if fault.startswith("decoded") or "cache" in fault:
        return all("decoding" in name or "of the cache" in name for name in failing) and layers(failing) == layers(whole)
    if fault == "rows share positions":
        return all("second row" in name for name in failing) and (not layers(whole) or layers(failing) == layers(whole))
    if fault == "padded row by place":
        return all("padded on the left" in name for name in failing) and (not layers(whole) or layers(failing) == layers(whole))
    if fault == "one layer of another row":
        return len(layers(failing)) == 1 and all(name.startswith("layer ") for name in failing)
    if fault.startswith("keys"):
        return not any("query" in name for name in failing) and layers(failing) == layers(whole)
    if fault == "rows from the 600th on":
        return True
    return layers(failing) == layers(whole)
