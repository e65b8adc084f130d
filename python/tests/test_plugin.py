"""The pytest plugin: a failure is the report, and judgements are kept where that is asked for."""

import json

import pytest

FAILING = """
    import numpy as np
    import posproof

    THETA = np.outer(np.arange(300.0), 10000.0 ** -(np.arange(0, 64, 2) / 64)).astype(np.float32)

    def test_cache():
        posproof.assert_rope((np.cos(THETA), np.sin(THETA)), dim=64, base=500_000)

    def test_function():
        posproof.assert_rope(lambda p: (np.cos(THETA), np.sin(THETA)), dim=64, base=123, positions=range(300))

    def test_good():
        assert posproof.check_rope(np.cos(THETA), dim=64).conforms
"""


def test_a_failure_is_the_report(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=2, passed=1)
    result.stdout.fnmatch_lines(
        [
            "*posproof.assert_rope((np.cos(THETA)*",
            "E*rope other-convention: does not conform*",
            "E*other-base: the base is 10000, not 500000*",
        ]
    )
    result.stdout.no_fnmatch_line("*posproof/assertion.py*")
    result.stdout.no_fnmatch_line("*posproof/functions.py*")
    result.stdout.no_fnmatch_line("*__tracebackhide__*")


def test_judgements_are_kept(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAILING)
    result = pytester.runpytest_subprocess("--posproof-report=kept", "-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(["*posproof: 3 judgements kept in *kept"])
    kept = sorted((pytester.path / "kept").glob("*.json"))
    assert [path.name for path in kept] == ["0001-test_cache.json", "0002-test_function.json", "0003-test_good.json"]
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in kept]
    assert [document["conforms"] for document in documents] == [False, False, True]
    assert documents[0]["test"].endswith("::test_cache")
    page = (pytester.path / "kept" / "index.html").read_text(encoding="utf-8")
    assert "<h1>3 judgements, 2 do not conform</h1>" in page
    assert page.count("<details open>") == 2 and "other-base" in page


@pytest.mark.parametrize("place", ["taken", "taken/below"])
def test_a_folder_that_cannot_be_made_is_refused(pytester: pytest.Pytester, place: str) -> None:
    pytester.makepyfile(FAILING)
    (pytester.path / "taken").write_text("a file", encoding="utf-8")
    result = pytester.runpytest_subprocess(f"--posproof-report={place}", "-p", "no:cacheprovider")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --posproof-report *{place}: expected a folder that can be made and written to*"])
    result.stdout.no_fnmatch_line("*INTERNALERROR*")


def test_nothing_is_kept_unasked(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_nothing(): pass")
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
    assert not [*pytester.path.rglob("*.json"), *pytester.path.rglob("*.html")]
