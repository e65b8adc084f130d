"""The command that the wheel brings: that of the Rust package, as far as it goes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import posproof
import pytest
from posproof.__main__ import main

from conftest import angles

# Verbs of the whole command, which the ledger of claims, MPFR or Coq are needed for.
ELSEWHERE = ("verify", "list", "show", "report", "prove", "cite")


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
        ([*CHECK, "--bas", "3"], 2, "", "--bas"),
        (["check", "rope", "--cos", "cache.npz:tan", "--dim", "16"], 2, "", "tan"),
        (["check", "rope", "--cos", "absent.npy", "--dim", "16"], 2, "", "absent.npy"),
        (["identify", "rope", "--cos", "cache.npz:cos", "--sin", "cache.npz:sin"], 0, "established", ""),
        (["lint", "absent.json"], 2, "", "absent.json"),
        (["tolerance", "rope", "--dim", "4", "--positions", "0..3", "--c-header", "atol"], 0, "double atol[3][2]", ""),
        (["bound", "attention", "--dim", "16", "--positions", "0..99"], 0, "output of attention", ""),
        (["sweep", "--help"], 0, "admissible-bases", ""),
        (["completions", "bash"], 0, "tolerance", ""),
        (["verify"], 4, "", "cargo install --path ."),
        (["prove", "--jobs", "3"], 4, "", "cargo install --path ."),
        ([], 0, "Usage: posproof", ""),
        (["--version"], 0, f"posproof {posproof.__version__}", ""),
    ],
)
def test_statuses(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], status: int, out: str, err: str
) -> None:
    assert main(arguments) == status
    printed = capfd.readouterr()
    assert out in printed.out and err in printed.err
    assert bool(printed.err) == bool(err)


def test_json(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([*CHECK, "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    arrays = np.load("cache.npz")
    assert document["schema"] == "posproof.check/1"
    judged = posproof.check_rope(arrays["cos"], arrays["sin"], dim=16).to_dict()
    assert (document["grade"], document["worst"]["error"]) == (judged["grade"], judged["worst"]["error"])


def test_table(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every kind of file, with what was written as JSON; half of a cache; whole or not at all."""
    table = ["table", "rope", "--dim", "16", "--positions", "0..64"]
    cos, sin = map(np.asarray, posproof.rope_table(dim=16, positions=range(64)))
    digests = set()
    for file in ("made.npz", "made.safetensors", "made.json"):
        assert main([*table, "--json", "--out", file]) == 0
        written = json.loads(capfd.readouterr().out)
        assert written["schema"] == "posproof.table/1"
        digests.add(tuple(array["sha256"] for array in written["arrays"]))
    assert len(digests) == 1
    made = np.load("made.npz")
    assert (made["cos"] == cos).all() and (made["sin"] == sin).all()
    assert main([*table, "--out", "half.npy", "--component", "sin"]) == 0
    assert (np.load("half.npy") == sin).all()
    assert main([*table, "--out", "made.npz"]) == 2
    assert "made.npz exists" in capfd.readouterr().err
    assert main([*table, "--out", "made.npz", "--force"]) == 0
    assert main(["check", "rope", "--cos", "made.npz:cos", "--dim", "16"]) == 0
    made_here = ["half.npy", "made.json", "made.npz", "made.safetensors"]
    assert sorted(path.name for path in folder.iterdir()) == ["cache.npz", "cos.npy", *made_here]


def test_bound(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ["bound", "rope", "--dim", "8", "--positions", "0..100", "--path", "pow", "--pairs", "1,2", "--worst"]
    assert main([*asked, "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert document == posproof.bound("rope", dim=8, positions="0..100", path="pow", pairs=[1, 2], worst=True)
    assert [case["pair"] for case in document["cases"]] == [1, 1, 2, 2]
    assert main([*asked, "--error", "-1"]) == 2


@pytest.mark.parametrize("encoding", ["rope", "sinusoid"])
def test_tolerances_are_those_of_the_function(
    folder: Path, capfd: pytest.CaptureFixture[str], encoding: str
) -> None:
    asked = ["tolerance", encoding, "--dim", "16", "--positions", "0..300,65537", "--dtype", "bf16"]
    scaled = ["--position-offset", "1/2", "--amplitude", "3"]
    for options, keywords in (([], {}), (scaled, {"position_offset": "1/2", "amplitude": 3})):
        same = posproof.tolerance(
            encoding, dim=16, positions=[*range(300), 65_537], dtype="bfloat16", **keywords  # type: ignore[arg-type]
        )
        assert main([*asked, *options, "--json"]) == 0
        assert json.loads(capfd.readouterr().out) == same.to_dict()
        assert main([*asked, *options, "--c-header", "ATOL"]) == 0
        assert capfd.readouterr().out == same.c_header("ATOL")
        assert main([*asked, *options, "--out", "atol.npy", "--force"]) == 0
        assert np.load("atol.npy").tolist() == np.asarray(same.atol).tolist()
        capfd.readouterr()


def test_positions_are_written(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    decoded = ["positions", "rope", "--cos", "cache.npz:cos", "--sin", "cache.npz:sin", "--dim", "16", "--out", "q.npy"]
    assert main(decoded) == 0
    assert np.load("q.npy").ravel().tolist() == list(range(64))


def test_a_probe_is_answered(folder: Path) -> None:
    for heads, shape in (([], (151, 16)), (["--heads", "3"], (3, 151, 16))):
        probe = ["probe", "rotation", "--dim", "16", "--positions", "0..151", "--out", "p.npy", "--force"]
        assert main([*probe, *heads]) == 0
        x, positions = np.load("p.npy"), np.load("p-positions.npy")
        assert x.shape == shape and positions.tolist() == list(range(151))
        cos, sin = np.cos(angles(151, 16)), np.sin(angles(151, 16))
        first, second = x[..., 0::2], x[..., 1::2]
        y = np.stack([first * cos - second * sin, second * cos + first * sin], axis=-1).reshape(shape)
        np.save("y.npy", y)
        assert main(["check", "rotation", "--x", "p.npy", "--y", "y.npy", "--dim", "16"]) == 0


def test_several_axes(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    np.save("grid.npy", np.indices((5, 7)).reshape(2, -1).T)
    grid = ["--dim", "16", "--positions", "grid.npy"]
    axes = ["--axis", "h:0..4", "--axis", "w:4..8"]
    assert main(["table", "rope", *grid, *axes, "--out", "made.npz"]) == 0
    given = ["check", "rope", "--cos", "made.npz:cos", "--sin", "made.npz:sin", *grid]
    capfd.readouterr()
    assert main([*given, *axes, "--json"]) == 0
    convention = json.loads(capfd.readouterr().out)["expected"]
    Path("convention.json").write_text(json.dumps(convention), encoding="utf-8")
    assert main([*given[:-4], "--positions", "grid.npy", "--convention", "convention.json"]) == 0
    assert main([*given, "--axis", "h:0..3", "--axis", "w:3..8"]) == 1
    Path("broken.json").write_text("{", encoding="utf-8")
    for file in ("absent.json", "broken.json"):
        assert main([*given[:-4], "--convention", file]) == 2


def test_every_verb_is_known(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    listed = capfd.readouterr().out
    for verb in ELSEWHERE:
        assert main([verb, "--help"]) == 4
        assert f"\n  {verb} " in listed


def ran(arguments: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "posproof", *arguments]
    return subprocess.run(command, text=True, stderr=subprocess.PIPE, check=False, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="NOT TESTED: a full disk; there is no /dev/full")
def test_what_cannot_be_written(folder: Path) -> None:
    """A disk that is full is a failure of the environment; a reader that has gone away is none."""
    for arguments in (CHECK, ["--help"], ["completions", "zsh"]):
        with open("/dev/full", "w") as full:
            done = ran(arguments, stdout=full)
        assert done.returncode == 4 and "cannot write to standard output" in done.stderr, done
        reading, writing = os.pipe()
        os.close(reading)
        done = ran(arguments, stdout=writing)
        os.close(writing)
        assert (done.returncode, done.stderr) == (0, ""), done


def test_an_interrupted_writer_leaves_nothing_behind(folder: Path) -> None:
    import signal
    import time

    before = sorted(os.listdir())
    big = ["table", "sinusoid", "--dim", "512", "--positions", "0..262144", "--out", "big.safetensors"]
    with subprocess.Popen([sys.executable, "-m", "posproof", *big], stdout=subprocess.DEVNULL) as child:
        while sorted(os.listdir()) == before:
            assert child.poll() is None
            time.sleep(0.001)
        child.send_signal(signal.SIGTERM)
        assert child.wait() == -signal.SIGTERM
    assert sorted(os.listdir()) == before
