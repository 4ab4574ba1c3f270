"""One function reads names: each form of a name means the same at every door."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.comparison.which.search import asked_for
from metrologue.data.judgements import Judgements, Ratings
from metrologue.errors import InputError
from metrologue.hub_names import _tables, told_of_absent
from metrologue.meta.scores import score_metrics
from metrologue.scorers import Bleu, Chrf, GoogleBleu, Rouge, Scorer, list_scorers
from metrologue.scorers.core.names import _ELSEWHERE, _OF_SACREBLEU, metric_of, read_name
from metrologue.scorers.core.registry import make_scorer
from metrologue.scorers.core.typed import with_number
from metrologue.scorers.core.variants import variant_of

P = ["the cat sat on it today", "a dog ran off", "rain fell"]
R = ["the cat sat on a mat today", "a dog ran away", "rain fell all day"]

_OF_SACREBLEU_2 = "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0"
_LOWER = Bleu.variant("sacrebleu", lowercase=True)
# Each form of a name, with what it means.
FORMS: dict[str, Scorer] = {
    "bleu": Bleu.variant("sacrebleu"),
    "bleu:nltk": Bleu.variant("nltk"),
    "bleu[max_order=2]": Bleu.variant("sacrebleu", max_order=2),
    "bleu:nltk[max_order=2]": Bleu.variant("nltk", max_order=2),
    "bleu:nltk max_order=2": Bleu.variant("nltk", max_order=2),
    "BLEU": Bleu.variant("sacrebleu"),
    "chrF2++": Chrf.variant("sacrebleu", word_order=2),
    "google-bleu": GoogleBleu.variant("evaluate"),
    "gleu": GoogleBleu.variant("evaluate"),
    "rouge:rouge-1.5.5": Rouge.variant("rouge-1.5.5"),
    "rougeL": Rouge(types=("rougeL",)),
    "rouge1": Rouge(types=("rouge1",)),
    "ROUGE-2": Rouge(types=("rouge2",)),
    "rougeL:rouge-1.5.5": Rouge.variant("rouge-1.5.5", types=("rougeL",)),
    "rougeL_recall": with_number(Rouge(types=("rougeL",)), ["recall"]),
    "rouge[rouge1,recall]": with_number(Rouge(types=("rouge1",)), ["recall"]),
    _OF_SACREBLEU_2: _LOWER,
    "BLEU+case.lc+numrefs.1+smooth.exp+tok.13a+version.2.6.0": _LOWER,
    Bleu.variant("nltk", max_order=3).signature: Bleu.variant("nltk", max_order=3),
}


def _expected(scorer: Scorer) -> float:
    return scorer.corpus(P, R).value


def _on_command_line(command: str, *more: str) -> Callable[[str, list[str]], Any]:
    def call(name: str, files: list[str]) -> Any:
        done = CliRunner().invoke(main, [command, name, *files, *more])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return call


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, lines in (("h", P), ("r", R)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return ["-p", str(tmp_path / "h"), "-r", str(tmp_path / "r")]


@pytest.mark.parametrize("name", FORMS)
def test_score_explain_and_their_like(name: str) -> None:
    scorer = FORMS[name]
    assert make_scorer(name) == scorer
    assert make_scorer(name).primary == scorer.primary
    assert metrologue.score(name, P, R).value == _expected(scorer)
    assert metrologue.trace(name, P[0], [R[0]]) == metrologue.trace(scorer, P[0], [R[0]])
    assert metrologue.mbr(name, P).utilities.tolist() == metrologue.mbr(scorer, P).utilities.tolist()
    assert metrologue.pairwise(name, P, R).tolist() == scorer.pairwise(P, R).tolist()
    other = type(scorer).variant([*scorer.variants()][-1])
    other = with_number(other, [scorer._chosen]) if scorer._chosen else other
    if scorer.primary == other.primary:
        assert metrologue.explain(name, other, P, R).value_a == _expected(scorer)


@pytest.mark.parametrize("name", FORMS)
def test_recommended(name: str) -> None:
    """A name alone is the variant to report; one that says which stays it."""
    given, scorer = read_name(name), FORMS[name]
    found = metrologue.recommended(name)
    assert (found.name, found.primary.rpartition("_")[2]) == (scorer.name, scorer.primary.rpartition("_")[2])
    if ":" in given.head or "|" in given.head:
        assert found == scorer
    assert metrologue.recommended(name, language="ja").name == scorer.name if "|" not in given.head else True


def test_recommended_without_a_language() -> None:
    assert metrologue.recommended("bleu") == Bleu.variant("sacrebleu")
    assert metrologue.recommended("rouge") == Rouge.variant("rouge-1.5.5")
    assert metrologue.recommended("rouge", variant="rouge_score") == Rouge.variant("rouge_score")
    assert metrologue.recommended("wer") == make_scorer("wer")
    with pytest.raises(InputError, match="recommended: `metric` is missing"):
        metrologue.recommended()


@pytest.mark.parametrize("name", FORMS)
def test_load(name: str) -> None:
    """A module is the Hub's unless a variant is named; then its number is that of the variant."""
    scorer = FORMS[name]
    module = metrologue.load(name)
    found = module.compute(predictions=P, references=R, signature=True)
    said = Scorer.from_signature(found.pop("signature"))
    given = read_name(name)
    assert type(said) is type(scorer)
    if ":" in given.head or "|" in given.head:
        assert said == scorer
    else:
        assert all(str(getattr(said, field)) == str(getattr(scorer, field)) for field in given.fields)
    if scorer._chosen:
        chosen = with_number(said, [scorer._chosen])
        assert found == {chosen.primary: chosen.corpus(P, R).value}


@pytest.mark.parametrize("name", FORMS)
def test_compare_and_which(name: str) -> None:
    scorer = FORMS[name]
    variants = [variant_of(scorer)] if variant_of(scorer) and "|" not in name else None
    found = metrologue.compare({"mine": P}, R, name, libraries=[], variants=variants, confidence=None)
    assert _expected(scorer) in [number.value for number in found.numbers]
    value = f"{_expected(scorer):.10f}"
    answers = metrologue.which(name, value, P, R, changes=0, seconds=5).answers
    assert answers
    assert metric_of(answers[0].setting.metric) == scorer.name


def test_which_takes_numbers_of_several_metrics() -> None:
    assert asked_for("rouge2").head == "rouge2"
    assert asked_for("all").head == "all"


@pytest.mark.parametrize("name", FORMS)
def test_meta(name: str) -> None:
    ratings = {"quality": Ratings(np.array([[1.0], [2.0], [3.0]]), ("1",))}
    texts = Judgements(("1", "2", "3"), tuple(P), ratings, references=tuple((each,) for each in R))
    [found] = score_metrics(texts, [name])
    assert found.values.tolist() == FORMS[name].segments(P, R).tolist()


@pytest.mark.parametrize("name", FORMS)
def test_commands(name: str, files: list[str]) -> None:
    scorer = FORMS[name]
    [told] = _on_command_line("score", "--format", "json")(name, files)["systems"]
    assert told["value"] == _expected(scorer)


@pytest.mark.parametrize("name", [*_ELSEWHERE, *_OF_SACREBLEU])
def test_other_names_mean_something(name: str) -> None:
    assert metric_of(name) in list_scorers()


@pytest.mark.parametrize("name", ["codebert", "bem", "CodeBERT", "x", "nothing-like-it", "blue:nltk", "no[such=1]"])
@pytest.mark.parametrize(
    "door",
    [
        metrologue.load,
        metrologue.module_path,
        make_scorer,
        metrologue.recommended,
        lambda name: metrologue.compare(P, R, name),
        lambda name: metrologue.which(name, 27.3, P, R),
        lambda name: metrologue.explain(name, "bleu", P, R),
        lambda name: metrologue.trace(name, P[0], R[:1]),
    ],
)
def test_an_unknown_name_gets_one_short_sentence(door: Callable[[str], Any], name: str) -> None:
    with pytest.raises(InputError, match="no metric is called") as told:
        door(name)
    assert len(str(told.value)) < 300
    assert sum(f"'{each}'" in str(told.value) for each in list_scorers()) <= 3


def test_metrics_of_others_that_are_not_here() -> None:
    """What is said to be near one is here, and none of them is here."""
    for name, (_, instead) in _tables()["others"].items():
        assert metric_of(name) not in list_scorers()
        assert len(told_of_absent(name) or "") < 250
        for named in instead.split("'")[1::2]:
            assert metric_of(named) in list_scorers()


def test_two_variants_are_refused() -> None:
    with pytest.raises(InputError, match="two variants"):
        metrologue.load("bleu:nltk", "sacrebleu")
    with pytest.raises(InputError, match="`variant` is 'nltk', and `config_name` 'sacrebleu'"):
        metrologue.load("bleu", "nltk", config_name="sacrebleu")
    with pytest.raises(InputError, match="`max_order` is given too"):
        metrologue.load("bleu[max_order=2]", max_order=3)
    with pytest.raises(InputError, match="`metric` is 'bleu:nltk', and `variant` is 'sacrebleu'"):
        make_scorer("bleu:nltk", "sacrebleu")
    assert make_scorer("BLEU", "nltk") == Bleu.variant("nltk")
    assert metrologue.load("BLEU", "nltk").config_name == "nltk"
    assert metrologue.load("bleu:nltk", "nltk").config_name == "nltk"
    with pytest.raises(InputError, match="give those of sacrebleu as arguments"):
        metrologue.load("sacrebleu[lowercase]")
    assert metrologue.load("bleu", config_name="nltk").config_name == "nltk"
    assert metrologue.load("matthews_correlation", config_name="multilabel").config_name == "multilabel"


def test_a_path_of_a_module_has_no_variant() -> None:
    assert metrologue.module_path("gleu") == metrologue.module_path("google_bleu")
    with pytest.raises(InputError, match="with a variant or options"):
        metrologue.module_path("bleu:nltk")


def test_explain_says_its_form() -> None:
    with pytest.raises(InputError, match=r"two scorers are explained, as in `explain\("):
        metrologue.explain("bleu", P, R)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gap = metrologue.explain("rougeL", "rouge_score", "evaluate", P, R)
    assert gap.signature_a == Rouge.variant("rouge_score", types=("rougeL",)).signature
