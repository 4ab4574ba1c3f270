"""The names that people type: what ``metrologue`` has, when it comes, and what is said of a name that is not there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import metrologue
from metrologue.attribution import explain
from metrologue.cli import main
from metrologue.comparison.libraries import LibraryError, get_library
from metrologue.errors import InputError
from metrologue.hub_names import hub_names
from metrologue.modules import all_names
from metrologue.scorers import Bleu, get_scorer, list_scorers, make_scorer
from metrologue.scorers.core.homes import own_homes
from metrologue.scorers.core.variants import short_signature

TEXTS = (["the cat, she sat"], ["the cat, she ran"])


def test_what_is_listed_is_what_there_is() -> None:
    assert dir(metrologue) == sorted(metrologue.__all__)
    for name in metrologue.__all__:
        assert getattr(metrologue, name) is not None
    assert {get_scorer(name) for name in own_homes()} <= {getattr(metrologue, n) for n in metrologue.__all__}


def test_names_come_when_they_are_used(tmp_path: Path) -> None:
    code = (
        "import sys, metrologue\n"
        "print('metrologue.scorers' in sys.modules, 'numpy' in sys.modules)\n"
        "metrologue.Bleu, metrologue.compare\n"
        "print('metrologue.scorers' in sys.modules, 'evaluate' in sys.modules, 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == ["False", "False", "True", "False", "False"]


def test_score_takes_a_name_a_variant_a_signature_or_a_scorer() -> None:
    bleu = Bleu.variant("nltk", max_order=2)
    expected = bleu.corpus(*TEXTS)
    assert metrologue.score("bleu", *TEXTS, variant="nltk", max_order=2) == expected
    assert metrologue.score("bleu:nltk", *TEXTS, max_order=2, threads=2) == expected
    assert metrologue.score(bleu, *TEXTS) == metrologue.score(bleu.signature, *TEXTS) == expected
    assert metrologue.score(short_signature(bleu), *TEXTS) == expected


def test_explain_takes_names_and_signatures() -> None:
    expected = explain(Bleu.variant("nltk"), Bleu(), *TEXTS)
    assert metrologue.explain("bleu:nltk", "bleu", *TEXTS) == expected
    theirs = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert metrologue.explain(Bleu.variant("nltk").signature, theirs, *TEXTS) == expected


def test_trace_takes_names_and_signatures() -> None:
    expected = metrologue.trace(Bleu.variant("nltk"), TEXTS[0][0], TEXTS[1])
    assert metrologue.trace("bleu:nltk", TEXTS[0][0], TEXTS[1]) == expected
    assert metrologue.trace(short_signature(Bleu.variant("nltk")), TEXTS[0][0], TEXTS[1]) == expected


def test_compare_is_the_comparison() -> None:
    found = metrologue.compare({"mine": TEXTS[0]}, TEXTS[1], "bleu", libraries=[], variants=["nltk", "sacrebleu"])
    assert [number.name for number in found.numbers] == ["nltk", "sacrebleu"]


@pytest.mark.parametrize(
    ("metric", "options"),
    [(Bleu(), {"variant": "nltk"}), (Bleu().signature, {"max_order": 2}), (3, {}), (None, {})],
)
def test_what_makes_no_scorer(metric: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="score: `metric` is"):
        make_scorer(metric, **options)


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: get_scorer("BLEU"), "bleu"),
        (lambda: get_scorer("rougeL"), "rouge"),
        (lambda: get_scorer("google-bleu"), "google_bleu"),
        (lambda: Bleu.variant("SacreBLEU"), "sacrebleu"),
        (lambda: Bleu.variant("nktl"), "nltk"),
        (lambda: Bleu(**{"Max-Order": 2}), "max_order"),
        (lambda: Bleu(tokenize="13a"), "tokenizer"),
        (lambda: Bleu(tokenizer="13A"), "13a"),
        (lambda: Bleu().segments(*TEXTS, key="precision1"), "precision_1"),
        (lambda: metrologue.module_path("metoer"), "meteor"),
        (lambda: get_library("sacreblue"), "sacrebleu"),
    ],
)
def test_a_name_that_is_nearly_right(call: Callable[[], Any], meant: str) -> None:
    with pytest.raises((InputError, LibraryError), match=f"did you mean '{meant}'"):
        call()


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("sacrebleu", "it is a variant, such as 'bleu:sacrebleu'; `metrologue list` shows all variants."),
        ("SacreBLEU", "it is a variant, such as 'bleu:sacrebleu';"),
        ("mtld", "it is a number that the metric 'lexical_diversity' gives."),
        ("ttr", "it is a number that the metric 'lexical_diversity' gives."),
    ],
)
def test_a_variant_or_a_number_in_place_of_a_metric(name: str, meaning: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"no metric is called '{name}'; {meaning}")):
        get_scorer(name)


@pytest.mark.parametrize("ask", [get_scorer, metrologue.module_path, metrologue.load])
@pytest.mark.parametrize("name", ["coval", "mae", "MAE", "brier-score"])
def test_a_name_of_the_hub_that_is_not_here(ask: Callable[[str], Any], name: str) -> None:
    with pytest.raises(InputError, match=f"no metric is called '{name}'; on the Hub, it is .*\\.$") as told:
        ask(name)
    assert "did you mean" not in str(told.value)


@pytest.mark.parametrize("name", [*metrologue.list_statistics(), *metrologue.list_comparisons(), "glue", "xtreme_s"])
def test_a_module_that_is_no_metric(name: str) -> None:
    with pytest.raises(InputError, match=f"it is a module, but no metric of texts: metrologue.load\\('{name}'\\)"):
        get_scorer(name)


def test_names_of_the_hub() -> None:
    """What the table names in place of the Hub's modules is here, and what is here is not in the table."""
    here = {*all_names()}
    assert len(hub_names()) == 64
    assert here & {*hub_names()} == {name for name, missing in hub_names().items() if missing is None}
    for _, instead in filter(None, hub_names().values()):
        assert {*re.findall(r"'(\w+)'", instead)} <= here


def test_every_name_of_the_hub_is_here_or_told(hub_modules: Path) -> None:
    hub = {each.parent.name for each in hub_modules.glob("*/*.py") if each.stem == each.parent.name}
    assert hub == {*hub_names()}


def test_the_hubs_modules_are_listed() -> None:
    told = CliRunner().invoke(main, ["list", "--hub"])
    assert told.exit_code == 0
    lines = {line.split()[0]: line for line in told.output.splitlines()}
    assert {*hub_names()} <= {*lines}
    assert "metrologue.load('bleu')" in lines["bleu"]
    assert "metrologue.load('glue')" in lines["glue"]
    assert "the square of 'pearsonr' is that of a line" in " ".join(told.output.split())
    refused = CliRunner().invoke(main, ["list", "--hub", "bleu"])
    assert (refused.exit_code, "without a METRIC" in refused.output) == (2, True)


def test_a_name_that_is_nowhere_near() -> None:
    with pytest.raises(InputError, match=r"no metric is called 'x'; the nearest names are '\w+', '\w+' or '\w+'\.$"):
        get_scorer("x")
    with pytest.raises(InputError, match="no metric is called 'bertscor'; did you mean 'bertscore'"):
        get_scorer("bertscor")
    with pytest.raises(InputError, match=r"no metric is called 5; the nearest names are "):
        get_scorer(5)  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="no attribute 'scores'; did you mean 'score'"):
        metrologue.scores  # noqa: B018


def test_every_name_is_a_scorers_documentation() -> None:
    assert all(getattr(metrologue, name).__doc__ for name in metrologue.__all__ if name != "__version__")


# What a scorer shows: its fifteen methods and properties, what is asked of its inputs, and the facts of its class.
METHODS = {
    "variant", "variants", "signature", "from_signature", "corpus", "segments", "segment_scores", "pairwise",
    "accumulate", "score_totals", "fit", "statistics", "aggregate", "score", "columns", "input", "input_names", "takes",
}  # fmt: skip
FACTS = {"about", "name", "title", "inputs", "numbers", "primary", "range", "higher_is_better"}


def is_shown(kind: type, name: str) -> bool:
    """Whether the metric's own documentation names it, or it has an example of its own."""
    return re.search(rf"\b{name}\b", str(kind.__doc__)) is not None or ">>>" in str(getattr(kind, name).__doc__)


@pytest.mark.parametrize("name", list_scorers())
def test_a_scorer_has_few_public_names(name: str) -> None:
    kind = get_scorer(name)
    public = {each for each in dir(kind) if not each.startswith("_")} - {field.name for field in fields(kind)}
    assert public >= METHODS | FACTS
    own = public - METHODS - FACTS
    assert len(own) <= 3
    assert [each for each in own if not is_shown(kind, each)] == []


def test_an_unknown_name_or_field_is_refused_as_python_does() -> None:
    assert not hasattr(Bleu(), "scores")
    assert not hasattr(Bleu, "scores")
    with pytest.raises(InputError, match="Bleu: unknown field 'maxorder'; did you mean"):
        Bleu(maxorder=2)  # type: ignore[call-arg]  # what a user may type
