"""Sinusoids that functions return, and that modules and models of PyTorch add."""

from typing import Any

import numpy as np
import pytest

import posproof

ROWS, DIM = 64, 32


def table(base: float = 10000.0) -> np.ndarray:
    angles = np.outer(np.arange(ROWS), base ** -(np.arange(DIM // 2) / (DIM // 2)))
    made = np.empty((ROWS, DIM))
    made[:, 0::2], made[:, 1::2] = np.sin(angles), np.cos(angles)
    return made.astype(np.float32)


def code(subject: Any, **options: Any) -> str:
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_sinusoid(subject, **options)
    return caught.value.report.findings[0].code


def test_tables_and_functions() -> None:
    assert posproof.assert_sinusoid(table()).conforms
    assert posproof.assert_sinusoid(lambda positions: table()[positions], positions=range(ROWS)).conforms
    assert code(table(1000.0)) == "other-base"
    assert code(lambda positions: table()[positions + 1], positions=range(ROWS - 1)) == "position-offset"
    with pytest.raises(posproof.InvalidInput, match="a function of"):
        posproof.assert_sinusoid(lambda x, positions: x)
    for subject in ("pe.npy", [[0.0, 1.0]], lambda positions: 3):
        with pytest.raises(posproof.InvalidInput, match=r"expected a table \[..., positions, dim\].*; found (str|list|int)"):
            posproof.assert_sinusoid(subject, positions=range(4))
    with pytest.raises(posproof.InvalidInput, match="inputs: expected a model"):
        posproof.assert_sinusoid(table(), inputs={})


def test_a_module_with_a_buffer() -> None:
    torch = pytest.importorskip("torch")

    class Encoding(torch.nn.Module):
        def __init__(self, base: float) -> None:
            super().__init__()
            self.register_buffer("pe", torch.from_numpy(table(base))[None])

    report = posproof.assert_sinusoid(Encoding(10000.0))
    assert report.judged == ["pe"] and "no embeddings" in report.unjudged[0]
    assert code(Encoding(1000.0)) == "other-base"
    with pytest.raises(posproof.InvalidInput, match="expected a table of sinusoids; found none"):
        posproof.assert_sinusoid(torch.nn.Linear(4, 4))


def small(name: str) -> Any:
    transformers = pytest.importorskip("transformers")
    sizes = {"vocab_size": 60, "pad_token_id": 1, "d_model": DIM, "max_position_embeddings": ROWS}
    heads = {f"{part}_{what}": size for part in ("encoder", "decoder") for what, size in
             (("layers", 1), ("attention_heads", 2), ("ffn_dim", 32))}
    if name == "XGLM":
        return transformers.XGLMModel(transformers.XGLMConfig(**sizes, num_layers=1, attention_heads=2, ffn_dim=32))
    return getattr(transformers, f"{name}Model")(getattr(transformers, f"{name}Config")(**sizes, **heads))


@pytest.mark.parametrize("name", ["Marian", "Pegasus", "M2M100", "XGLM"])
def test_models_are_judged_by_table_and_by_token(name: str) -> None:
    model = small(name)
    report = posproof.assert_sinusoid(model)
    assert report.conforms and not report.unjudged
    assert sum("as tokens are given it" in part for part in report.judged) == (1 if name == "XGLM" else 2)
    # Hooks are gone.
    assert not any(module._forward_hooks for module in model.modules())


def test_a_token_that_is_given_another_row_is_found() -> None:
    model = small("Marian")
    forward = type(model.encoder.embed_positions).forward

    def late(self: Any, *arguments: Any, **options: Any) -> Any:
        rows = forward(self, *arguments, **options).clone()
        rows[..., 9:, :] = rows[..., 8:-1, :].clone()
        return rows

    model.encoder.embed_positions.forward = late.__get__(model.encoder.embed_positions)
    with pytest.raises(posproof.NotConforming) as caught:
        posproof.assert_sinusoid(model)
    failing = {finding["part"] for finding in caught.value.report.findings}
    assert failing == {"encoder.embed_positions as tokens are given it, from position 0"}
