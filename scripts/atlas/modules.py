"""Configuration classes with rotary code in transformers, and what their models do in a forward pass on the meta device.

No weights are made: a model is built and run on the meta device, where only shapes exist. Which layers rotate, by which
function, from which cosines, is recorded there; the functions are then replayed with numbers.
"""

import contextlib
import importlib
import inspect
import pathlib
import re
import types

import torch
import transformers
from transformers import PreTrainedConfig, PreTrainedModel

MODELS = pathlib.Path(transformers.__file__).parent / "models"
MAKES = re.compile(r"Rotary|RoPE|Rope")
ROTATES = re.compile(r"^_?(vision_)?apply_(rot|rope|multidimensional_rope)")
LENGTH = 13  # no other dimension of a trace is 13, so that the axis of positions is known by its size


def modelling():
    """The modelling modules that speak of rotation."""
    for file in sorted(MODELS.glob("*/modeling_*.py")):
        if re.search(r"rotary|rope_|_rope|rotate_", file.read_text(), re.IGNORECASE):
            with contextlib.suppress(ImportError, RuntimeError):
                yield importlib.import_module(f"transformers.models.{file.parent.name}.{file.stem}")


def configurations(module):
    """The configuration classes of a module's models, each with these models, the plainest first."""
    found = {}
    for model in vars(module).values():
        if inspect.isclass(model) and issubclass(model, PreTrainedModel) and model.__module__ == module.__name__:
            config = getattr(model, "config_class", None)
            if inspect.isclass(config) and issubclass(config, PreTrainedConfig) and config.model_type:
                found.setdefault(config, []).append(model)
    for config, models in found.items():
        models.sort(key=lambda m: ("For" in m.__name__, len(m.__name__), m.__name__))
        yield config, [m for m in models if "PreTrained" not in m.__name__]


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


def lacking(model_class):
    """What the forward pass of a model needs besides tokens, or embeddings in their place."""
    parameters = inspect.signature(model_class.forward).parameters
    given = {"self", "input_ids" if "input_ids" in parameters else "inputs_embeds"}
    needed = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [name for name, p in parameters.items() if name not in given and p.kind in needed and p.default is p.empty]


def run(module, models, config):
    """The trace of the first of the models that runs; routed experts are left out."""
    problem = None
    for model_class in models:
        for mask in (None, torch.zeros(1, 1, LENGTH, LENGTH, device="meta")):
            try:
                return forward(module, model_class, config, mask)
            except Exception as error:  # noqa: BLE001, whatever a model raises on the meta device
                problem = problem or error
    raise problem or ValueError("no model")


def forward(module, model_class, config, mask):
    config._attn_implementation = "eager"
    with torch.device("meta"):
        model = model_class(config).eval()
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
        elif re.search(r"Experts|Moe(Block|MLP)|MoE(Block)?$|SparseMoe", name):
            part.forward = lambda hidden, *args, **kwargs: hidden
        elif MAKES.search(name) and getattr(part, "config", None) is config and "position_ids" in inspect.signature(type(part).forward).parameters:
            part.forward = labelled(trace, part)
    inputs = {"input_ids": torch.zeros(1, LENGTH, dtype=torch.long, device="meta"), "use_cache": False}
    if "input_ids" not in inspect.signature(model_class.forward).parameters:
        inputs = {"inputs_embeds": torch.zeros(1, LENGTH, config.hidden_size, device="meta")}
    with recorded(module, trace, mask), torch.no_grad():
        model(**inputs)
    outside = trace.layers.pop(None, [])
    if not trace.layers and outside:
        trace.layers["every"] = outside
    return trace
