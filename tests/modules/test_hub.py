"""The Hub's modules: the same numbers, by what the Hub's own code gave (``golden/``) and by the live module."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import pytest

from metrologue import InputError

TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "str.split": str.split,
    "list": list,
    "str.splitlines": str.splitlines,
}


@pytest.fixture
def golden(folder: Path) -> dict[str, Any]:
    """Texts, and what the Hub's code made of them; where from, by which call, when and with which versions."""
    path = Path(__file__).with_name("golden") / f"{folder.name}.json"
    if not path.is_file():
        pytest.skip(f"no {path.name} with outputs of the Hub's `{folder.name}`")
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return record


@pytest.fixture
def module(load: Callable[..., Any], golden: dict[str, Any], tmp_path: Path) -> Any:
    """The module, resampling from where the Hub's did."""
    return load(seed=golden.get("seed"), cache_dir=str(tmp_path))


def arguments(output: dict[str, Any]) -> dict[str, Any]:
    given = output["arguments"]
    return {**given, **({"tokenizer": TOKENIZERS[given["tokenizer"]]} if "tokenizer" in given else {})}


def close(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(close, ours, theirs))
    return type(ours) is type(theirs) and math.isclose(ours, theirs, rel_tol=1e-12)


def test_numbers_of_the_hubs_code(module: Any, golden: dict[str, Any], named: Callable[..., Any]) -> None:
    wrong = []
    for output in golden["outputs"]:
        # Where the Hub's module refuses what the library behind it can score, the library sets the number.
        expected = output.get("library", output.get("result"))
        call = {**golden["texts"][output["case"]], **arguments(output)}
        if expected is None:
            with pytest.raises(InputError):
                module.compute(**call)
            continue
        result, expected = module.compute(**call), named(expected)
        assert type(result) is type(output.get("result", {}))
        result = named(result)
        assert list(result) == list(expected)
        wrong += [
            f"{output['case']} {output['arguments']}: {key} is {result[key]}, not {expected[key]}"
            for key in expected
            if not close(result[key], expected[key])
        ]
    assert not wrong


def alike(ours: Any, theirs: Any) -> bool:
    """Whether results are equal, ints where theirs are ints."""
    if isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(alike(ours[key], theirs[key]) for key in theirs)
    return close(ours, theirs)


WORDS = {"predictions": ["a b c d e", "a x c", ""], "references": [["a b c d f"], ["a b c"], ["a"]]}
SOMETHING = {"predictions": ["a"], "references": ["b"]}
NOTHING = {"predictions": ["a b", ""], "references": ["", "  "]}
CALLS = [
    *((name, {**texts, "concatenate_texts": True}) for name in ("wer", "cer") for texts in (NOTHING, SOMETHING)),
    *(
        ("sacrebleu", {**WORDS, "smooth_method": method, "smooth_value": value})
        for method, value in (("add-k", None), ("add-k", 2), ("add-k", 1.0), ("add-k", 0.5), ("floor", None))
    ),
    ("ter", {**WORDS, "normalized": True}),
    ("chrf", WORDS),
]  # fmt: skip


@pytest.mark.parametrize(("name", "call"), CALLS)
def test_ints_where_the_hubs_module_gives_ints(name: str, call: dict[str, Any], shared_data: Path, root: Path) -> None:
    source = shared_data / "hub_modules" / name
    if not source.is_dir():
        pytest.skip(f"no folder {source}")
    ours, theirs = (evaluate.load(str(path)).compute(**call) for path in (root / "metrics" / name, source))
    assert alike(ours, theirs), (ours, theirs)


def test_golden_outputs_say_where_they_come_from(golden: dict[str, Any]) -> None:
    assert all("@" in commit for commit in golden["source"].values())
    assert "compute(predictions=..., references=..., **arguments)" in golden["call"]
    assert golden["date"]
    assert golden["libraries"]["evaluate"]
    assert len(golden["outputs"]) > len(golden["texts"])


@pytest.mark.network
def test_numbers_of_the_live_module(
    folder: Path,
    module: Any,
    golden: dict[str, Any],
    named: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # a folder of that name in the working directory would win over the Hub
    try:
        live = evaluate.load(folder.name, seed=golden.get("seed"))
    except Exception as error:  # no network, no such module, or one that does not run with what is installed
        pytest.skip(f"the Hub's `{folder.name}` cannot be loaded here: {type(error).__name__}: {error}")
    for output in golden["outputs"]:
        if "result" in output:
            call = {**golden["texts"][output["case"]], **arguments(output)}
            theirs, ours = named(live.compute(**call)), named(module.compute(**call))
            assert list(ours) == list(theirs)
            assert all(close(ours[key], theirs[key]) for key in theirs), call
