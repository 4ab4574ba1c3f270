"""The Hub's modules: the same numbers, by what the Hub's own code gave (``golden/``) and by the live module."""

import json
import math
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest
from amounts import nth
from bridge.conftest import NAMES
from bridge.record import GOLDEN, called, recorded, written
from compared import compared
from hypothesis import example, given
from hypothesis import strategies as st
from needs import WITH_ENCODER
from strategies import corpora

from metrologue import InputError
from metrologue.bridge.results import NamedRate
from metrologue.comparison.libraries import Missing, hub
from metrologue.comparison.libraries.nltk import wordnet
from metrologue.comparison.libraries.squad import questions

RECORDED = [name for name in NAMES if (GOLDEN / f"{name}.json").is_file()]
# A language model or an encoder is made in tests/metrics, and the two modules are compared there.
WITHOUT_MODEL = [name for name in RECORDED if name not in ("perplexity", *WITH_ENCODER)]
recorded_modules = pytest.mark.parametrize("folder", RECORDED, indirect=True)


@pytest.fixture
def golden(folder: Path) -> dict[str, Any]:
    """Texts, and what the Hub's code made of them; where from, by which call, when and with which versions."""
    record: dict[str, Any] = json.loads((GOLDEN / f"{folder.name}.json").read_text("utf-8"))
    return record


@pytest.fixture
def module(load: Callable[..., Any], golden: dict[str, Any], tmp_path: Path) -> Any:
    """The module, resampling from where the Hub's did."""
    return load(seed=golden.get("seed"), cache_dir=str(tmp_path))


def close(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, list) and isinstance(ours, np.ndarray):
        ours = ours.tolist()  # JSON has no arrays; the live module's types are compared elsewhere
    if isinstance(theirs, np.ndarray):
        same_kind = type(ours) is np.ndarray and ours.dtype == theirs.dtype and ours.shape == theirs.shape
        return same_kind and np.allclose(ours, theirs, rtol=1e-12, atol=0, equal_nan=True)
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(close, ours, theirs))
    if isinstance(theirs, float) and math.isnan(theirs):
        return isinstance(ours, float) and math.isnan(ours)
    return kind(ours) is type(theirs) and math.isclose(ours, theirs, rel_tol=1e-12)


@recorded_modules
def test_numbers_of_the_hubs_code(module: Any, golden: dict[str, Any], named: Callable[..., Any]) -> None:
    wrong = []
    for output in golden["outputs"]:
        # Where the Hub's module refuses what the library behind it can score, the library sets the number.
        expected = output.get("library", output.get("result"))
        call = called(golden, output)
        if expected is None:
            with pytest.raises(InputError):
                module.compute(**call)
            continue
        result, expected = module.compute(**call), named(expected)
        assert kind(result) is type(output.get("result", {}))
        result = named(result)
        assert list(result) == list(expected)
        wrong += [
            f"{output['case']} {output['arguments']}: {key} is {result[key]}, not {expected[key]}"
            for key in expected
            if not close(result[key], expected[key])
        ]
    assert not wrong


def kind(value: Any) -> type:
    """The type of a result; a bare rate, which `evaluate.combine` can take for a dict, is a float."""
    return float if isinstance(value, NamedRate) else type(value)


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
def test_ints_where_the_hubs_module_gives_ints(name: str, call: dict[str, Any], hub_modules: Path, root: Path) -> None:
    ours = evaluate.load(str(root / "metrics" / name)).compute(**call)
    theirs = live_module(name).compute(**call)
    assert alike(ours, theirs), (ours, theirs)


@recorded_modules
def test_golden_outputs_say_where_they_come_from(golden: dict[str, Any]) -> None:
    assert all("@" in commit for commit in golden["source"].values())
    assert "compute(predictions=..., references=..., **arguments)" in golden["call"]
    assert golden["date"]
    assert golden["libraries"]["evaluate"]
    assert len(golden["outputs"]) > len(golden["texts"])


def test_recorded_again(hub_modules: Path, tmp_path: Path) -> None:
    """The script gives the file that is there, but for the day and the versions."""
    text = (GOLDEN / "wer.json").read_text("utf-8")
    before = json.loads(text)
    assert written(before) == text
    made = recorded(before, hub_modules, "wer", tmp_path)
    assert made == {**before, **{key: made[key] for key in ("date", "python", "libraries")}}


def test_each_module_of_the_hub_is_compared(hub_modules: Path) -> None:
    on_hub = {name for name in NAMES if (hub_modules / name).is_dir()}
    assert on_hub - {"perplexity", *WITH_ENCODER} == {*OPTIONS, *OF_LABELS}


def live_module(name: str) -> Any:
    """The Hub's own module."""
    if isinstance(module := hub.load(name), Missing):
        pytest.skip(f"the Hub's `{name}`: {module}")
    if name == "meteor":
        wordnet()  # from here on nltk finds the WordNet that we do
    return module


def plain(value: Any) -> Any:
    """A result as our modules give it: Python's numbers for NumPy's, and 0.0 for the ROUGE of a text without words.

    That is the int 0 in the Hub's lists, which hold the ROUGE of each segment.
    """
    if isinstance(value, dict):
        return {
            key: [*map(float, item)] if key.startswith("rouge") and isinstance(item, list) else plain(item)
            for key, item in value.items()
        }
    return value.item() if isinstance(value, np.generic) else value


@pytest.fixture
def live(folder: Path, hub_modules: Path) -> Any:
    """The Hub's module from the folder."""
    return live_module(folder.name)


@pytest.fixture
def hub_by_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder in the Hub's place."""
    monkeypatch.delenv("METROLOGUE_HUB_MODULES", raising=False)


@pytest.fixture
def calls(golden: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The arguments of each recorded call, as far as the Hub's module takes them."""
    return (called(golden, o) for o in golden["outputs"] if "result" in o)


def is_long(call: dict[str, Any]) -> bool:
    """Whether sacrebleu searches many shifts for seconds."""
    return sum(len(str(each)) for each in call["predictions"]) > 2000


def assert_same_outputs(theirs: Any, ours: Any, calls: Iterable[dict[str, Any]]) -> None:
    for call in calls:
        results = ours.compute(**call), plain(theirs.compute(**call))
        assert alike(*results), (call, *results)
        compared(1)


@pytest.mark.parametrize("folder", WITHOUT_MODEL, indirect=True)
@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["short", "long"])
def test_numbers_of_the_live_module(
    live: Any,
    module: Any,
    golden: dict[str, Any],
    calls: Iterable[dict[str, Any]],
    long: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "seed", golden.get("seed"))
    # Everyday a part of them: what the Hub's code gave for each is recorded, and compared.
    assert_same_outputs(live, module, [call for call in calls if is_long(call) == long][:: nth(3)])


@pytest.mark.network
@recorded_modules
def test_numbers_of_the_live_module_by_network(
    folder: Path,
    hub_by_network: None,
    module: Any,
    golden: dict[str, Any],
    calls: Iterable[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = live_module(folder.name)
    monkeypatch.setattr(theirs, "seed", golden.get("seed"))
    assert_same_outputs(theirs, module, calls)


flag = st.booleans()
TOKENIZE = st.sampled_from([str.split, list])
# The options of each of the Hub's modules: all that have a number for any text.
OPTIONS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "bleu": {"max_order": st.integers(1, 6), "smooth": flag, "tokenizer": TOKENIZE},
    "rouge": {
        "rouge_types": st.lists(
            st.sampled_from(["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"]), min_size=1, unique=True
        ),
        "use_aggregator": flag,
        "use_stemmer": flag,
        "tokenizer": TOKENIZE,
    },
    "nist_mt": {"n": st.integers(1, 5), "lowercase": st.booleans(), "western_lang": st.booleans()},
    "google_bleu": {"min_len": st.integers(1, 3), "max_len": st.integers(1, 6), "tokenizer": TOKENIZE},
    "meteor": {"alpha": st.floats(0.1, 0.9), "beta": st.floats(0, 4), "gamma": st.floats(0, 1)},
    "exact_match": {
        "regexes_to_ignore": st.lists(
            st.sampled_from(["the ", r"\s+", "[a-z]at", "", "a,b|c"]), min_size=1, max_size=3
        ),
        **dict.fromkeys(["ignore_case", "ignore_punctuation", "ignore_numbers"], flag),
    },
    "squad": {},
    "cuad": {},
    "squad_v2": {"no_answer_threshold": st.sampled_from([0.0, 0.25, 1.0])},
    "seqeval": {"zero_division": st.sampled_from([0, 1])},
    "sari": {},
    "wiki_split": {},
    "word_length": {"tokenizer": TOKENIZE},
    "word_count": {"max_vocab": st.integers(1, 9)},
    "text_duplicates": {"list_duplicates": flag},
    "wer": {"concatenate_texts": flag},
    "cer": {"concatenate_texts": flag},
    "character": {"aggregate": st.sampled_from(["mean", "sum", "median"]), "return_all_scores": flag},
    "charcut_mt": {},
    "sacrebleu": {
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "lowercase": flag,
        "tokenize": st.sampled_from(["13a", "intl", "char", "zh", "none"]),
        "use_effective_order": flag,
    },
    "ter": dict.fromkeys(["normalized", "ignore_punct", "support_zh_ja_chars", "case_sensitive"], flag),
    "chrf": {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.integers(0, 4),
        **dict.fromkeys(["lowercase", "whitespace", "eps_smoothing"], flag),
    },
}
# One reference for each prediction, bare or in a list of its own; the others take any number of them.
BARE, SINGLE = ("wer", "cer", "charcut_mt", "exact_match"), ("sacrebleu", "ter", "chrf", "wiki_split")
# Those that compare with sources, too.
SOURCED = ("sari", "wiki_split")


def shaped(name: str, predictions: list[str], references: list[list[str]]) -> dict[str, list[Any]]:
    """The texts as the Hub's module takes them."""
    if name == "squad":
        answers, right = questions(predictions, references)
        return {"predictions": answers, "references": right[::-1]}
    if name == "cuad":
        answers, right = questions(predictions, [[text for text in own if text] for own in references])
        texts = [text.split("\n") for text in predictions]
        spans = [{**each, "prediction_text": lines} for each, lines in zip(answers, texts, strict=True)]
        return {"predictions": spans, "references": right[::-1]}
    if name == "squad_v2":
        answers, right = questions(predictions, [[] if own == [""] else own for own in references])
        given = [{**each, "no_answer_probability": i % 3 / 4} for i, each in enumerate(answers)]
        return {"predictions": given, "references": right[::-1]}
    if name == "seqeval":
        first = [own[0] for own in references]
        ours, right = ([["B-PER", *tags(text)] for text in side] for side in (predictions, first))
        longest = max(map(len, [*ours, *right]))
        sides = [[[*row, *["O"] * (longest - len(row))] for row in side] for side in (ours, right)]
        return {"predictions": sides[0], "references": sides[1]}
    if name == "exact_match":  # it loses what tests/metrics/exact_match says
        predictions = [whole(text) for text in predictions]
        references = [[whole(text) for text in own] for own in references]
    if name == "character":  # the package cer divides by zero for a reference without words; we have a number
        references = [[text if text.split() else "word" for text in own] for own in references]
    if name == "charcut_mt":  # the package charcut writes a text to a line of a file
        predictions = [text.replace("\n", " ") for text in predictions]
        references = [[text.replace("\n", " ") for text in own] for own in references]
    if name in ("word_length", "word_count", "text_duplicates"):
        return {"data": [*predictions, "word", *predictions[:1]]}
    if name in BARE:
        return {"predictions": predictions, "references": [own[0] for own in references]}
    texts = {
        "predictions": predictions,
        "references": [own[:1] for own in references] if name in SINGLE else references,
    }
    return texts | ({"sources": [own[-1] for own in references]} if name in SOURCED else {})


def tags(text: str) -> list[str]:
    """A tag for each word, by its length."""
    return [("O", "B-PER", "I-PER", "B-LOC", "I-LOC")[len(word) % 5] for word in text.split()]


def whole(text: str) -> str:
    return text.replace("\0", "").replace("\u0130", "I")


averages = st.sampled_from(["binary", "micro", "macro", "weighted", "samples", None])
zeros = st.sampled_from([0, 1, "warn", 1.0, math.nan])
OF_LABELS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "accuracy": {"normalize": flag},
    "matthews_correlation": {"average": st.sampled_from(["macro", None])},
    "confusion_matrix": {"normalize": st.sampled_from(["true", "pred", "all", None])},
    "f1": {"average": averages, "pos_label": st.integers(0, 2)},
    **{
        name: {"average": averages, "pos_label": st.integers(0, 2), "zero_division": zeros}
        for name in ("precision", "recall")
    },
}


@st.composite
def label_calls(draw: st.DrawFn, name: str, multilabel: bool) -> dict[str, Any]:
    """The arguments of a module of classification: ints, what the Hub reads as ints, or rows of 0 and 1."""
    count, width = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    kinds = [[0, 1], [0, 1, 2], [5, -7], ["0", "1"], ["9", "10", "1"], [True, False], [1.0, 0.0], [2]]
    known = [*range(width)] if multilabel else draw(st.sampled_from(kinds))
    row = st.lists(st.integers(0, 1), min_size=width, max_size=width)
    side = st.lists(row if multilabel else st.sampled_from(known), min_size=count, max_size=count)
    weights = st.lists(st.sampled_from([1, 2, 0, 0.5]), min_size=count, max_size=count)
    options = {**OF_LABELS[name], "sample_weight": st.none() | weights}
    call = {"predictions": draw(side), "references": draw(side)} | draw(st.fixed_dictionaries({}, optional=options))
    if name not in ("accuracy", "matthews_correlation") and draw(flag):
        labels = [*map(int, known), 99] if not multilabel or draw(flag) else known
        call["labels"] = draw(st.lists(st.sampled_from(labels), min_size=1, unique=True))
    return call


def calls_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """The arguments of a module: generated, with any of its options."""
    if name in OF_LABELS:
        return label_calls(name, multilabel=False)
    options = st.fixed_dictionaries({}, optional=OPTIONS[name])
    return st.builds(lambda corpus, given: {**shaped(name, *corpus), **given}, corpora(), options)


@pytest.mark.parametrize("name", OF_LABELS)
def test_rows_of_0_and_1(name: str, hub_modules: Path, root: Path, tmp_path: Path) -> None:
    source = evaluate.loading.evaluation_module_factory(str(hub_modules / name))
    theirs = evaluate.loading.import_main_class(source.module_path)("multilabel", keep_in_memory=True, hash=source.hash)
    ours = evaluate.load(str(root / "metrics" / name), "multilabel", cache_dir=str(tmp_path))
    scored = []

    column = {"predictions": [[1, 0], [1, 0]], "references": [[1, 0], [1, 0]]}  # the second one has no 1

    @example(call={**column, **({} if name in ("accuracy", "confusion_matrix") else {"average": "macro"})})
    @example(call={**column, **({} if name in ("accuracy", "confusion_matrix") else {"average": None})})
    @given(call=label_calls(name, multilabel=True))
    def compare(call: dict[str, Any]) -> None:
        scored.append(assert_equal_or_refused(theirs, ours, call))

    compare()
    compared(sum(scored))
    assert any(scored)  # a row of one number is a label, even in a confusion matrix


def assert_equal_or_refused(theirs: Any, ours: Any, call: dict[str, Any]) -> bool:
    """Whether there is a number; we have the Hub's, or refuse what it refuses."""
    try:
        expected = theirs.compute(**call)
    except (ValueError, ZeroDivisionError):
        with pytest.raises(InputError):
            ours.compute(**call)
        return False
    except TypeError:  # the Hub makes a float of an array with one number, which NumPy 2.4 refuses
        assert call["average"] is None
        assert isinstance(next(iter(ours.compute(**call).values())), float)
        return False
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = ours.compute(**call)
    assert alike(found, plain(expected)), (found, expected)
    # scikit-learn says nothing of `labels` that do not occur if `zero_division` is given.
    # Nor does it of predictions that are all the same, whose correlation it sets to 0.
    ours_alone = "none of `labels` occurs", "so that 0 stands for the correlation"
    single = "there is one label"
    told = [
        each
        for each in warned
        if single in str(each.message) or not any(own in str(each.message) for own in ours_alone)
    ]
    assert bool(told) == hub_warns(theirs, call), (call, [str(each.message) for each in warned])
    return True


def hub_warns(theirs: Any, call: dict[str, Any]) -> bool:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        theirs.compute(**call)
    return bool(warned)


@pytest.mark.parametrize("folder", [*OPTIONS, *OF_LABELS], indirect=True)
def test_generated_texts_under_all_options(
    folder: Path, live: Any, load: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = load(seed=7, cache_dir=str(tmp_path))
    monkeypatch.setattr(live, "seed", 7)
    monkeypatch.setattr(np, "trapz", np.trapezoid, raising=False)  # CUAD's script calls it as it was
    scored = []

    @given(call=calls_of(folder.name))
    def compare(call: dict[str, Any]) -> None:
        if folder.name in OF_LABELS:
            if assert_equal_or_refused(live, module, call):
                scored.append(call)
            return
        try:
            theirs = live.compute(**call)
        except (ValueError, ZeroDivisionError):
            with pytest.raises(InputError):
                module.compute(**call)
            return
        ours = module.compute(**call)
        assert alike(ours, plain(theirs)), (ours, theirs)
        scored.append(ours)

    compare()
    compared(len(scored))
    assert scored
