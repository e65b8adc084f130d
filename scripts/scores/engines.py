"""Engines that run models, and toolkits that train them."""

from cases import DIM, alone, case, numbers, rope, rotation, sinusoid, tensor

HALVES = {"layout": "halves"}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}


def caches(rows, dtype):
    """Cosines and sines of every position, rounded once: a node is given them, and rotates."""
    import numpy

    theta = numpy.outer(numpy.arange(rows), 10000.0 ** -(numpy.arange(0, DIM, 2) / DIM))
    return numpy.cos(theta).astype(dtype), numpy.sin(theta).astype(dtype)


def node(rows, dtype, domain, interleaved=0):
    """A model of ONNX with one RotaryEmbedding, and its inputs."""
    import numpy
    import onnx

    order = ["x", "position_ids", "cos", "sin"] if domain else ["x", "cos", "sin", "position_ids"]
    kind = onnx.helper.np_dtype_to_tensor_dtype(numpy.dtype(dtype))
    made = onnx.helper.make_node("RotaryEmbedding", order, ["y"], domain=domain, interleaved=interleaved)
    inputs = [
        onnx.helper.make_tensor_value_info("x", kind, [1, 1, rows, DIM]),
        onnx.helper.make_tensor_value_info("position_ids", onnx.TensorProto.INT64, [1, rows]),
    ]
    constants = [onnx.numpy_helper.from_array(one, name) for one, name in zip(caches(rows, dtype), ("cos", "sin"))]
    outputs = [onnx.helper.make_tensor_value_info("y", kind, [1, 1, rows, DIM])]
    operators = [onnx.helper.make_opsetid("", 23), onnx.helper.make_opsetid("com.microsoft", 1)]
    model = onnx.helper.make_model(onnx.helper.make_graph([made], "rotary", inputs, outputs, constants), opset_imports=operators, ir_version=10)
    given = {"x": numbers(rows).astype(dtype).reshape(1, 1, rows, DIM), "position_ids": numpy.arange(rows)[None]}
    return model.SerializeToString(), given


def run_by_onnxruntime(rows, dtype, domain, **options):
    import onnxruntime

    model, given = node(rows, dtype, domain, interleaved=int(not options))
    [y] = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, given)
    return rotation(given["x"][0, 0], y[0, 0], **options)


@case("onnxruntime", "com.microsoft RotaryEmbedding", ("float32", "float16"))
def _(rows, dtype):
    return run_by_onnxruntime(rows, dtype, "com.microsoft", **HALVES)


@case("onnxruntime", "com.microsoft RotaryEmbedding, interleaved")
def _(rows, dtype):
    return run_by_onnxruntime(rows, dtype, "com.microsoft")


@case("onnxruntime", "RotaryEmbedding of opset 23", ("float32", "float16"))
def _(rows, dtype):
    return run_by_onnxruntime(rows, dtype, "", **HALVES)


@case("openvino", "com.microsoft RotaryEmbedding")
def _(rows, dtype):
    import openvino

    model, given = node(rows, dtype, "com.microsoft")
    core = openvino.Core()
    compiled = core.compile_model(core.read_model(model), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    [y] = compiled(given).values()
    return rotation(given["x"][0, 0], y[0, 0], **HALVES)


@case("speechbrain", "PrecomputedRoPESinusoids", ("float32", "bfloat16", "float16"))
def _(rows, dtype):
    import torch

    module = alone("speechbrain", "nnet/attention.py", ("speechbrain", "speechbrain.dataio.dataio", "speechbrain.utils.logger"))
    made = module.PrecomputedRoPESinusoids(rows, DIM, getattr(torch, dtype), torch.device("cpu"))
    # Each is there twice, and the sine of a pair's first entry has the sign that the product with it needs.
    return rope(made.cosines[:, ::2], made.sines[:, 1::2])


@case("torchtune", "RotaryPositionalEmbeddings", ("float32", "bfloat16"))
def _(rows, dtype):
    x = tensor(rows, dtype, (1, rows, 1, DIM))
    return rotation(x[0, :, 0], alone("torchtune", "modules/position_embeddings.py").RotaryPositionalEmbeddings(DIM, rows)(x)[0, :, 0])


@case("torchtune", "Llama3ScaledRoPE")
def _(rows, dtype):
    x = tensor(rows, dtype, (1, rows, 1, DIM))
    module = alone("torchtune", "models/llama3_1/_position_embeddings.py").Llama3ScaledRoPE(DIM, rows, base=500_000)
    return rotation(x[0, :, 0], module(x)[0, :, 0], base=500000, scaling=LLAMA3)


def vllm_rope(rows, dtype, rule=None, base=10000.0):
    """The rotation of vLLM's layer in PyTorch's operations, which it has for devices without a kernel."""
    import torch
    from vllm.config import DeviceConfig, VllmConfig, set_current_vllm_config
    from vllm.model_executor.layers.rotary_embedding import get_rope

    with set_current_vllm_config(VllmConfig(device_config=DeviceConfig("cpu"))):
        layer = get_rope(DIM, rows, True, {"rope_type": "default", "rope_theta": base} | (rule or {}), dtype=getattr(torch, dtype))
    x = tensor(rows, dtype)
    y, _ = layer.forward_native(torch.arange(rows), x.clone(), x.clone())
    return rotation(x, y, base=base, **({"scaling": rule} if rule else {}), **HALVES)


@case("vllm", "get_rope().forward_native", ("float32", "bfloat16"))
def _(rows, dtype):
    return vllm_rope(rows, dtype)


@case("vllm", "get_rope().forward_native, llama3")
def _(rows, dtype):
    return vllm_rope(rows, dtype, LLAMA3, 500000.0)


@case("vllm", "get_rope().forward_native, yarn", lengths=(131072,))
def _(rows, dtype):
    return vllm_rope(rows, dtype, YARN, 1000000.0)


@case("speechbrain", "PositionalEncoding")
def _(rows, dtype):
    import torch

    parts = ("nnet.activations", "nnet.attention", "nnet.CNN", "utils.checkpoints", *(f"lobes.models.transformer.{name}" for name in ("Branchformer", "Conformer")))
    beside = ("speechbrain", "speechbrain.lobes.models.transformer", *(f"speechbrain.{name}" for name in parts))
    module = alone("speechbrain", "lobes/models/transformer/Transformer.py", beside)
    return sinusoid(module.PositionalEncoding(DIM, rows)(torch.zeros(1, rows, DIM))[0])
