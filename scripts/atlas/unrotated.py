"""Families whose code speaks of no rotation, and what tells positions apart in them: seen in the modules of a model."""

import importlib
import inspect
import re

import torch
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

import modules

PLACED = re.compile(r"(^|[._])(pos|position|positions|positional|wpe)($|[._])")
RELATIVE = re.compile(r"relative|rel_(pos|embeddings)|(^|[._])r_[rw]?_?bias")
SINES = re.compile(r"Sinusoid|Sine|SinCos")
BUILDS = re.compile(r"AutoModel\w*\.from_config|AutoBackbone\.from_config|load_backbone\(")  # models of other families


def modelling():
    """The modelling modules of the folders in which none speaks of rotation."""
    for folder in sorted(path for path in modules.MODELS.iterdir() if path.is_dir()):
        files = sorted(folder.glob("modeling_*.py"))
        if any(modules.speaks(file) for file in files):
            continue
        for file in files:
            try:
                yield importlib.import_module(f"transformers.models.{folder.name}.{file.stem}")
            except (ImportError, RuntimeError):
                continue


def families(known):
    """(configuration class, its models) of every family in these modules that is not known from elsewhere; registered ones also
    where no model takes them."""
    found = {}
    for module in modelling():
        for config_class, models in modules.configurations(module):
            if modules.beside(config_class, module):
                found.setdefault(config_class, models)
        for config_class in CONFIG_MAPPING.values():
            if modules.beside(config_class, module):
                found.setdefault(config_class, [])
    for config_class, models in sorted(found.items(), key=lambda item: item[0].model_type):
        if config_class.model_type and config_class.model_type not in known:
            yield config_class, models


def silent(model):
    """Whether no module of a model is one of a rotation, and none of their methods speaks of one: then its folder's rotary code is not its own."""
    for kind in {type(part) for part in model.modules()}:
        methods = [value for value in vars(kind).values() if inspect.isfunction(value)]
        # The code of methods, without what decorates the class.
        if modules.MAKES.search(kind.__name__) or any(modules.SPEAKS.search(re.sub(r"#.*", "", inspect.getsource(method))) for method in methods):
            return False
    return True


def beside(config_class, models):
    """The row of a family whose layers were run and did not rotate, though its folder has rotary code; none where some of that may be its own."""
    model = built(config_class, models)
    if model is None or modules.parts(config_class) or not silent(model):
        return None
    return {"class": config_class.__name__, "positions": sorted(seen(model))}


def row(config_class, models):
    """A family's row, or none where a part of it that its configuration does not name may rotate."""
    parts, sources = modules.parts(config_class), [inspect.getsource(inspect.getmodule(model)) for model in models]
    elsewhere = {key for key, part in config_class.sub_configs.items() if part.__module__ != config_class.__module__}
    named = elsewhere | {*getattr(config_class, "sub_configs_defaults", {})}
    if named - set(parts):
        return None
    model = built(config_class, models)
    hidden = any(BUILDS.search(source) for source in sources) if model is None else any(rotary(type(part)) for part in model.modules())
    if hidden and not parts or any("timm.create_model" in source for source in sources):
        return None
    found = seen(model) if model is not None else set()
    if any("alibi" in re.sub(r"#.*", "", source).lower() for source in sources):
        found.add("alibi")
    return {"class": config_class.__name__, "positions": sorted(found)} | ({"parts": parts} if parts else {})


def built(config_class, models):
    """The plainest of the models that can be built."""
    for model_class in sorted(models, key=modules.plainness):
        try:
            with torch.device("meta"):
                return model_class(config_class())
        except Exception:  # noqa: BLE001, whatever a class raises
            continue
    return None


def rotary(kind):
    """Whether a class is defined in a folder that speaks of rotation."""
    path = kind.__module__.split(".")
    folder = modules.MODELS / path[2] if path[:2] == ["transformers", "models"] else None
    return folder is not None and any(modules.speaks(file) for file in folder.glob("modeling_*.py"))


def seen(model):
    """The ways in which a model tells positions apart, by the names and kinds of its tensors: `learned`, `sinusoid`, `relative`,
    `convolution`."""
    found = set()
    for name, part in model.named_modules():
        kind = type(part).__name__
        if SINES.search(kind):
            found.add("sinusoid")
        for last, tensor in (*part.named_parameters(recurse=False), *part.named_buffers(recurse=False)):
            whole = f"{name}.{last}"
            if not tensor.is_floating_point():
                continue
            if RELATIVE.search(whole):
                found.add("relative")
            elif isinstance(part, torch.nn.modules.conv._ConvNd) and PLACED.search(whole):
                found.add("convolution")
            elif PLACED.search(whole) and (isinstance(part, torch.nn.Embedding) or PLACED.search(last)) and not SINES.search(kind):
                found.add("learned" if isinstance(tensor, torch.nn.Parameter) and tensor.requires_grad else "sinusoid")
    return found
