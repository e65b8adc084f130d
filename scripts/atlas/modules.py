"""Configuration classes with rotary code in transformers, and what their models do in a forward pass on the meta device.

No weights are made: a model is built and run on the meta device, where only shapes exist. Which layers rotate, by which
function, from which cosines, is recorded there; the functions are then replayed with numbers.
"""

import contextlib
import copy
import importlib
import inspect
import pathlib
import re
import types

import torch
import transformers
from transformers import PreTrainedConfig, PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

MODELS = pathlib.Path(transformers.__file__).parent / "models"
SPEAKS = re.compile(r"(?i:rotary|rotate_|\brope|_rope|rope_)|RoPE|freqs_cis")
MAKES = re.compile(r"Rotary|RoPE|Rope")
ROTATES = re.compile(r"^_?(vision_)?apply_(rot|rope|multidimensional_rope)")
LIGHT = {
    "vocab_size": 64, "intermediate_size": 64, "moe_intermediate_size": 32, "num_experts": 4, "num_local_experts": 4,
    "n_routed_experts": 4, "num_experts_per_tok": 1, "n_group": 1, "topk_group": 1, "audio_vocab_size": 64, "ffn_dim": 64,
}
STATES = {"encoder_hidden_states": "cross_hidden_size", "last_hidden_state": "input_size", "patch_embeds": "hidden_size_global"}  # with the keys of their widths
LARGEST = 3 << 30  # bytes of a model on the processor
LENGTH = 13  # no other dimension of a trace is 13, so that the axis of positions is known by its size


def speaks(file):
    """Whether a source speaks of rotation, other than in comments."""
    return SPEAKS.search(re.sub(r"#.*", "", file.read_text())) is not None


def modelling(failed):
    """The modelling modules that speak of rotation; of those that cannot be imported, `failed` is told the reason."""
    for file in sorted(MODELS.glob("*/modeling_*.py")):
        if speaks(file):
            try:
                yield importlib.import_module(f"transformers.models.{file.parent.name}.{file.stem}")
            except (ImportError, RuntimeError) as error:
                failed[file.stem.removeprefix("modeling_")] = f"its module cannot be imported: {str(error).splitlines()[0][:120]}"


def beside(config_class, module):
    """Whether a configuration class is defined in the folder of a modelling module."""
    return config_class.__module__.rpartition(".")[0] == module.__name__.rpartition(".")[0]


def borrowed():
    """(modelling module, configuration class, models) of every registered configuration without modelling code of its own: a model of another
    family takes it."""
    from transformers.models.auto import modeling_auto

    for name, config_class in sorted(CONFIG_MAPPING.items()):
        path = config_class.__module__.split(".")
        if path[:2] != ["transformers", "models"] or list((MODELS / path[2]).glob("modeling_*.py")):
            continue
        names = [mapping.get(name) for mapping in (modeling_auto.MODEL_MAPPING_NAMES, modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)]
        models = [getattr(transformers, model, None) for model in names if isinstance(model, str)]
        if models and None not in models and config_class.model_type == name:
            yield inspect.getmodule(models[0]), config_class, models


def without_model(known):
    """(model type, reason) of every registered configuration beside sources that speak of rotation which no model there takes."""
    for name, config_class in sorted(CONFIG_MAPPING.items()):
        folder = MODELS / config_class.__module__.split(".")[2] if config_class.__module__.startswith("transformers.models.") else None
        if folder and name not in known and any(speaks(file) for file in folder.glob("modeling_*.py")):
            yield name, "no model of its own: none in its folder takes it"


def configurations(module):
    """The configuration classes of a module's models, each with these models, the plainest first."""
    found = {}
    for model in vars(module).values():
        if inspect.isclass(model) and issubclass(model, PreTrainedModel) and model.__module__ == module.__name__:
            config = getattr(model, "config_class", None)
            if inspect.isclass(config) and issubclass(config, PreTrainedConfig) and config.model_type:
                found.setdefault(config, []).append(model)
    for config, models in list(found.items()):
        for own, model in inner(module, config, models, found):
            found.setdefault(own, []).append(model)
    for config, models in found.items():
        models.sort(key=plainness)
        yield config, [m for m in models if "PreTrained" not in m.__name__]


def plainness(model):
    return ("For" in model.__name__, len(model.__name__), model.__name__)


def inner(module, config_class, models, known):
    """(configuration class, model) of the module's models that a model of a composite configuration gives a part of it."""
    if {part for part in config_class.sub_configs.values() if part.__module__ == config_class.__module__} <= set(known):
        return
    try:
        with torch.device("meta"):
            model = min((m for m in models if "PreTrained" not in m.__name__), key=plainness)(config_class())
    except Exception:  # noqa: BLE001, whatever a class raises
        return
    for part in model.modules():
        own = type(getattr(part, "config", None))
        if isinstance(part, PreTrainedModel) and type(part).__module__ == module.__name__ and own not in known and own.model_type:
            yield own, type(part)


def parts(config_class):
    """The sub-configurations of a composite one: key → model type."""
    try:
        config = config_class()
    except Exception:  # noqa: BLE001
        return {}
    return {key: part.model_type for key in config_class.sub_configs if (part := getattr(config, key, None)) is not None and part.model_type}


def makers(module):
    """The classes of a module that make cosines, by their names."""
    return [name for name, value in vars(module).items() if inspect.isclass(value) and MAKES.search(name)]


class Trace:
    """What a forward pass asked for."""

    def __init__(self):
        self.layers = {}  # index of the layer → its rotations (Call)
        self.scaling = {}  # index of the layer → the factor of its logits
        self.labels = {}  # id of a tensor of cosines or sines → (place in the result, layer type)
        self.makers = {}  # layer type of the cosines → the class that made them
        self.made = []
        self.current = None


class Call:
    """A rotation: the function, its arguments with the cosines marked, the width of what is rotated."""

    def __init__(self, name, function, args, kwargs, labels):
        self.name, self.function = name, function
        mark = lambda v: ("shape", tuple(v.shape), labels.get(id(v))) if isinstance(v, torch.Tensor) else ("value", v, None)
        self.made = [v for v in (*args, *kwargs.values()) if id(v) in labels]
        self.args = [mark(a) for a in args]
        self.kwargs = {key: mark(v) for key, v in kwargs.items()}

    def marked(self):
        return [a for a in [*self.args, *self.kwargs.values()] if a[0] == "shape"]

    def label(self):
        """The layer type of the cosines, where they were made for one."""
        return next((a[2][1] for a in self.marked() if a[2]), None)

    def known(self):
        return any(a[2] for a in self.marked())

    def width(self):
        return self.marked()[0][1][-1]


@contextlib.contextmanager
def recorded(module, trace, mask):
    """The module's rotations recorded; its masks hide nothing."""
    old = {}
    for name, value in list(vars(module).items()):
        if callable(value) and (re.match(r"create_.*mask", name) or "_attention_mask" in name):
            old[name] = value
            setattr(module, name, lambda *args, **kwargs: mask)
        elif ROTATES.match(name) and isinstance(value, types.FunctionType):
            old[name] = value

            def record(*args, _name=name, _function=value, **kwargs):
                trace.layers.setdefault(trace.current, []).append(Call(_name, _function, args, kwargs, trace.labels))
                return _function(*args, **kwargs)

            setattr(module, name, record)
    try:
        yield
    finally:
        for name, value in old.items():
            setattr(module, name, value)


def labelled(trace, part):
    """The forward pass of a maker of cosines, its results remembered."""
    original = part.forward

    def forward(x, position_ids=None, layer_type=None, **kwargs):
        if layer_type is not None:
            kwargs["layer_type"] = layer_type
        made = original(x, position_ids, **kwargs)
        for place, tensor in enumerate(made if isinstance(made, tuple) else (made,)):
            trace.labels[id(tensor)] = (place, layer_type)
            trace.makers[layer_type] = type(part)
            trace.made.append(tensor)
        return made

    return forward


def text(module, config_class, models):
    """Whether a model takes tokens, and nothing else that it must have, at positions of one axis (no sections of several), and these
    are not what a part of it takes: the parts of a composite are asked themselves."""
    if any(not re.search("vision|audio|perceiver", key) for key in parts(config_class)):
        return False
    return "mrope_section" not in inspect.getsource(module) and any("input_ids" in inspect.signature(model.forward).parameters and not lacking(model) for model in models)


def lacking(model_class):
    """What the forward pass of a model needs besides tokens, or embeddings in their place."""
    parameters = inspect.signature(model_class.forward).parameters
    given = {"self", "input_ids" if "input_ids" in parameters else "inputs_embeds"}
    needed = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [name for name, p in parameters.items() if name not in given and p.kind in needed and p.default is p.empty]


def needed(model_class):
    """The sentence about a model whose forward pass takes something else than tokens or vectors; none of another."""
    parameters = inspect.signature(model_class.forward).parameters
    taken = [name for name, one in parameters.items() if name != "self" and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    names = lacking(model_class) or [name for name in taken[:1] if not re.search("ids$|embeds$|^hidden_states$|^attention_mask$", name)]
    return f"its model takes {', '.join(names)}" if names else None


def hindrance(config_class, models, error):
    """The sentence about a family whose models did not run: the step that failed, and not what a library says of it."""
    if isinstance(error, ImportError):
        return "its model needs a package that was not installed"
    if taken := needed(models[0]):
        return taken
    try:
        config = config_class()
    except Exception:  # noqa: BLE001, whatever a class raises
        return "the defaults of its class make no configuration"
    for model_class in models:
        with contextlib.suppress(Exception), torch.device("meta"):
            model_class(copy.deepcopy(config))
            break
    else:
        return "the defaults of its configuration make no model"
    return "its model does not run on tokens or vectors alone"


def run(module, models, config):
    """The trace of the first of the models that runs: on the meta device without and with a mask, routed experts left out; with them; and
    where the code asks for numbers, which the meta device has not, light and on the processor, all weights 0."""
    problem = None
    hidden = torch.zeros(1, 1, LENGTH, LENGTH, device="meta")
    attempts = [{}, {"mask": hidden}, {"whole": True}]
    attempts += [{"given": (own, "states"), "mask": shown} for own in ("tokens", "embeddings", "channels") for shown in (None, hidden)]
    for model_class in models:
        for attempt in attempts:
            try:
                return forward(module, model_class, config, **attempt)
            except Exception as error:  # noqa: BLE001, whatever a model raises on the meta device
                problem = problem or error
        if "meta" in str(problem):
            for given in (("tokens",), ("tokens", "states")):
                with contextlib.suppress(Exception):
                    return forward(module, model_class, light(config), whole=True, given=given, device="cpu")
    raise problem or ValueError("no model")


def inputs(model_class, config, given, device):
    """What a model's forward pass is given: tokens (of several channels) or embeddings, and states that stand for another part's results."""
    taken = inspect.signature(model_class.forward).parameters
    passed_on = inspect.getsource(inspect.getmodule(model_class)) if any(p.kind is p.VAR_KEYWORD for p in taken.values()) else ""
    tokens = {name: torch.zeros(1, LENGTH, dtype=torch.long, device=device) for name in ("input_ids", "decoder_input_ids") if name in taken}
    if "channels" in given:
        made = {"input_ids": torch.zeros(1, LENGTH, config.num_channels, dtype=torch.long, device=device)}
    elif "embeddings" in given or "input_ids" not in taken:
        made = {"inputs_embeds": torch.zeros(1, LENGTH, config.hidden_size, device=device)}
    else:
        made = tokens | {"use_cache": False}
    if "states" in given:
        for name, width in STATES.items():
            if name in taken:
                made[name] = torch.zeros(1, LENGTH, getattr(config, width, config.hidden_size), device=device)
        if "t_cond" in passed_on:
            made["t_cond"] = torch.zeros(1, config.hidden_size, device=device)
        if "patch_ids" in taken:
            made |= {"patch_ids": torch.zeros(1, LENGTH, dtype=torch.long, device=device), "num_patches": LENGTH}
    return made


def light(config):
    """The configuration with few tokens and experts, which have no part in the rotation."""
    config = copy.deepcopy(config)
    for key, value in config.to_dict().items():
        if key in LIGHT and isinstance(value, int):
            setattr(config, key, LIGHT[key])
        elif key.endswith("_token_id") and isinstance(value, int):
            setattr(config, key, 1)
    return config


def computed(module, model_class, config):
    """The trace of a small model of random weights on the processor, whose cosines have numbers."""
    return forward(module, model_class, config, whole=True, device="numbers")


def forward(module, model_class, config, mask=None, whole=False, given=("tokens",), device="meta"):
    """The trace of one forward pass."""
    config._attn_implementation = "eager"
    with torch.device("cpu" if device == "numbers" else "meta"):
        model = model_class(config).eval()
    if device == "cpu":
        size = sum(tensor.nbytes for tensor in (*model.parameters(), *model.buffers()))
        if size > LARGEST:
            raise ValueError(f"a model of {size >> 20} MiB on the processor")
        model.to_empty(device=device)
        for tensor in (*model.parameters(), *model.buffers()):
            tensor.data.zero_()
    trace = Trace()

    def enter(layer, args):
        trace.current = layer.layer_idx
        trace.layers.setdefault(layer.layer_idx, [])
        if isinstance(getattr(layer, "scaling", None), float):
            trace.scaling[layer.layer_idx] = layer.scaling

    def leave(layer, args, output):
        trace.current = None

    for part in model.modules():
        name = type(part).__name__
        if isinstance(getattr(part, "layer_idx", None), int) and re.search(r"Attention|Attn", name):
            part.register_forward_pre_hook(enter)
            part.register_forward_hook(leave)
        elif not whole and re.search(r"Experts|Moe(Block|MLP)|MoE(Block)?$|SparseMoe", name):
            part.forward = lambda hidden, *args, **kwargs: hidden
        elif MAKES.search(name) and type(getattr(part, "config", None)) is type(config) and "position_ids" in inspect.signature(type(part).forward).parameters:
            part.forward = labelled(trace, part)
    with recorded(module, trace, mask), torch.no_grad():
        model(**inputs(model_class, config, given, "cpu" if device == "numbers" else device))
    outside = trace.layers.pop(None, [])
    if not trace.layers and outside:
        trace.layers["every"] = outside
    return trace
