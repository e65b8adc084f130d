"""Libraries in Rust."""

from cases import case, rotation, sinusoid
from rust_program import computed


@case("candle-nn", "rotary_emb::rope", ("float32", "bfloat16", "float16"))
def _(rows, dtype):
    return rotation(*computed("candle-rope", rows, dtype), layout="halves")


@case("candle-nn", "rotary_emb::rope_i", ("float32", "bfloat16", "float16"))
def _(rows, dtype):
    return rotation(*computed("candle-rope-i", rows, dtype))


@case("burn-nn", "RotaryEncoding")
def _(rows, dtype):
    return rotation(*computed("burn-rotary", rows, dtype))


# It refuses lengths above its base.
@case("burn-nn", "PositionalEncoding", lengths=(4096,))
def _(rows, dtype):
    return sinusoid(computed("burn-sinusoid", rows, dtype)[0])
