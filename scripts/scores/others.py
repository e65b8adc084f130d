"""Libraries on JAX, MLX and Keras."""

from cases import DIM, alone, case, numbers, rotation, sinusoid

HALVES = {"layout": "halves"}


@case("equinox", "nn.RotaryPositionalEmbedding", ("float32", "bfloat16"))
def _(rows, dtype):
    import equinox
    import jax.numpy

    x = jax.numpy.asarray(numbers(rows), dtype)
    return rotation(x, equinox.nn.RotaryPositionalEmbedding(DIM, theta=10000.0)(x), **HALVES)


@case("gemma", "apply_rope", ("float32", "bfloat16"))
def _(rows, dtype):
    import jax.numpy

    module = alone("gemma", "gm/math/_positional_embeddings.py")
    x = jax.numpy.asarray(numbers(rows), dtype)
    y = module.apply_rope(x[None, :, None], jax.numpy.arange(rows)[None], base_frequency=10000)
    return rotation(x, y[0, :, 0], **HALVES)


@case("keras-hub", "RotaryEmbedding")
def _(rows, dtype):
    import keras_hub
    import numpy

    x = numbers(rows)
    return rotation(x, numpy.asarray(keras_hub.layers.RotaryEmbedding()(x[None, :, None]))[0, :, 0], **HALVES)


@case("keras-hub", "SinePositionEncoding")
def _(rows, dtype):
    import keras_hub
    import numpy

    return sinusoid(numpy.asarray(keras_hub.layers.SinePositionEncoding()(numbers(rows)[None]))[0])


def mlx_rope(traditional, rows, dtype, base=10000.0, scale=1.0):
    import mlx.core
    import mlx.nn

    x = mlx.core.array(numbers(rows)).astype(getattr(mlx.core, dtype))
    y = mlx.nn.RoPE(DIM, traditional=traditional, base=base, scale=scale)(x[None, None])[0, 0]
    mlx.core.eval(x, y)
    options = {"layout": "interleaved" if traditional else "halves", "base": base}
    if scale != 1.0:
        options["scaling"] = {"rope_type": "linear", "factor": 1 / scale}
    return rotation(x, y, **options)


@case("mlx", "nn.RoPE", ("float32", "bfloat16", "float16"))
def _(rows, dtype):
    return mlx_rope(False, rows, dtype)


@case("mlx", "nn.RoPE, traditional, base 500000")
def _(rows, dtype):
    return mlx_rope(True, rows, dtype, base=500000.0)


@case("mlx", "nn.RoPE, scale 1/8")
def _(rows, dtype):
    return mlx_rope(False, rows, dtype, scale=0.125)


@case("mlx", "nn.SinusoidalPositionalEncoding")
def _(rows, dtype):
    import mlx.core
    import mlx.nn

    table = mlx.nn.SinusoidalPositionalEncoding(DIM)(mlx.core.arange(rows))
    return sinusoid(table, frequency_spacing="endpoints", amplitude=f"sqrt(2/{DIM})", **HALVES)


def mlx_lm_rope(rows, rule, base):
    import mlx.core
    from mlx_lm.models.rope_utils import initialize_rope

    x = mlx.core.array(numbers(rows))
    y = initialize_rope(DIM, base, False, rule, rows)(x[None, None])[0, 0]
    mlx.core.eval(x, y)
    return rotation(x, y, base=base, scaling=rule, **HALVES)


@case("mlx-lm", "initialize_rope, llama3")
def _(rows, dtype):
    rule = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    return mlx_lm_rope(rows, rule | {"original_max_position_embeddings": 8192}, 500000.0)


@case("mlx-lm", "initialize_rope, yarn")
def _(rows, dtype):
    rule = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    return mlx_lm_rope(rows, rule, 1000000.0)
