"""sgl-project/SpecForge#265

The draft model's rotary embedding is made without the configuration's rope_theta, so that it has another base than
its target.
"""

import numpy as np

from .conventions import PairRotation, both, frequencies, rotation

SUBJECT = "query and key"
CONFIG = dict(
    model_type="qwen2", hidden_size=3584, num_attention_heads=28, max_position_embeddings=32768, rope_theta=1_000_000.0
)
SPEC = dict(config=CONFIG, positions=np.arange(256))
FINDING = "other-base"


def broken() -> PairRotation:
    return both(rotation(frequencies(128)))


def fixed() -> PairRotation:
    return both(rotation(frequencies(128, 1_000_000)))
