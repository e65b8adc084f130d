"""The command that the wheel brings: names and exit statuses of the whole one."""

import json
from pathlib import Path

import numpy as np
import posproof
import pytest
from posproof.__main__ import ELSEWHERE, main

from conftest import angles


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    theta = angles(64, 16)
    np.savez(tmp_path / "cache.npz", cos=np.cos(theta), sin=np.sin(theta))
    np.save(tmp_path / "cos.npy", np.cos(theta))
    monkeypatch.chdir(tmp_path)
    return tmp_path


CHECK = ["check", "rope", "--cos", "cache.npz:cos", "--sin", "cache.npz:sin", "--dim", "16"]


@pytest.mark.parametrize(
    ("arguments", "status", "out", "err"),
    [
        (CHECK, 0, "rope within-bound: conforms", ""),
        ([*CHECK, "--base", "500000"], 1, "other-base", ""),
        ([*CHECK, "--base", "x"], 2, "", "'x' is not a finite real number"),
        ([*CHECK, "--positions", "0..63"], 2, "", "expected 63 rows"),
        (["check", "rope", "--cos", "cache.npz:tan", "--dim", "16"], 2, "", "expected one of cos, sin; found 'tan'"),
        (["check", "rope", "--cos", "absent.npy", "--dim", "16"], 2, "", "absent.npy"),
        (["identify", "rope", "--cos", "cache.npz:cos", "--sin", "cache.npz:sin"], 0, "established", ""),
        (["lint", "absent.json"], 2, "", "absent.json"),
        (["tolerance", "rope", "--dim", "4", "--positions", "0..3", "--c-header", "atol"], 0, "double atol[3][2]", ""),
        (["verify"], 4, "", "cargo install posproof"),
        (["prove", "--jobs", "3"], 4, "", "cargo install posproof"),
        ([], 0, "usage: posproof", ""),
    ],
)
def test_statuses(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, out: str, err: str
) -> None:
    assert main(arguments) == status
    printed = capsys.readouterr()
    assert out in printed.out and err in printed.err
    assert bool(printed.err) == bool(err)


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CHECK, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "posproof.check/1"


def test_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = ["table", "rope", "--dim", "16", "--positions", "0..64", "--out", "made.npz"]
    assert main(table) == 0
    assert main(table) == 2
    assert "the file exists" in capsys.readouterr().err
    assert main([*table, "--force"]) == 0
    made = np.load("made.npz")
    assert made["cos"].shape == (64, 8) and made["cos"].dtype == np.float32
    assert main(["check", "rope", "--cos", "made.npz:cos", "--dim", "16"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["cache.npz", "cos.npy", "made.npz"]


def test_bound(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["bound", "rope", "--dim", "8", "--positions", "0..100", "--path", "pow", "--pairs", "1,2", "--worst"]
    assert main(asked) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == posproof.bound("rope", dim=8, positions="0..100", path="pow", pairs=[1, 2], worst=True)
    assert [case["pair"] for case in document["cases"]] == [1, 1, 2, 2]
    assert main([*asked, "--error", "-1"]) == 2


def test_a_probe_is_answered(folder: Path) -> None:
    for heads, shape in (([], (151, 16)), (["--heads", "3"], (3, 151, 16))):
        assert main(["probe", "rotation", "--dim", "16", "--positions", "0..151", "--out", "p.npz", *heads]) == 0
        made = np.load("p.npz")
        assert made["x"].shape == shape and made["positions"].tolist() == list(range(151))
        cos, sin = np.cos(angles(151, 16)), np.sin(angles(151, 16))
        first, second = made["x"][..., 0::2], made["x"][..., 1::2]
        y = np.stack([first * cos - second * sin, second * cos + first * sin], axis=-1).reshape(shape)
        np.savez("a.npz", y=y)
        assert main(["check", "rotation", "--x", "p.npz:x", "--y", "a.npz:y", "--dim", "16"]) == 0
        Path("p.npz").unlink()
    assert main(["probe", "rope", "--dim", "16", "--last", "1000", "--out", "p.npz"]) == 0
    assert np.load("p.npz")["positions"].tolist() == posproof._posproof.probe_positions(1000)
    for wrong in (["--dtype", "bf16"], ["--heads", "0"], ["--last", "-1"], ["--dim", "x"], ["--out", "p.npy"]):
        assert main(["probe", "rotation", "--dim", "16", "--force", "--out", "p.npz", *wrong]) == 2


def test_several_axes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("grid.npy", np.indices((5, 7)).reshape(2, -1).T)
    grid = ["--dim", "16", "--positions", "grid.npy"]
    axes = ["--axis", "h:0..4", "--axis", "w:4..8"]
    assert main(["table", "rope", *grid, *axes, "--out", "made.npz"]) == 0
    given = ["check", "rope", "--cos", "made.npz:cos", "--sin", "made.npz:sin", *grid]
    assert main([*given, *axes, "--json"]) == 0
    printed = capsys.readouterr().out
    convention = json.loads(printed[printed.index("{") :])["expected"]
    Path("convention.json").write_text(json.dumps(convention), encoding="utf-8")
    assert main([*given[:-4], "--positions", "grid.npy", "--convention", "convention.json"]) == 0
    assert main([*given, "--axis", "w:0..4", "--axis", "h:4..8"]) == 0
    assert main([*given, "--axis", "h:0..3", "--axis", "w:3..8"]) == 1
    Path("broken.json").write_text("{", encoding="utf-8")
    for file in ("absent.json", "broken.json"):
        assert main([*given[:-4], "--convention", file]) == 2


def test_every_verb_is_known() -> None:
    for verb in ELSEWHERE:
        assert main([verb]) == 4


def test_unknown_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*CHECK, "--bas", "3"])
    assert caught.value.code == 2
    assert "--bas" in capsys.readouterr().err
