"""Which metrics a comparison takes, by what the texts are."""

import pytest

from metrologue.comparison import compare
from metrologue.comparison.which.fitting import USUAL, USUAL_FOR_LABELS, fitting_metrics, is_of_labels, misfit
from metrologue.errors import InputError
from metrologue.scorers import list_scorers

TEXTS = {"a": ["the cat sat on a mat", "it rains"], "b": ["a cat sat", "it snows"]}
REFERENCES = [["the cat sat on the mat", "a cat sat there"], ["it rains again today"]]
LABELS = {"a": ["yes", "no", "no", "yes"]}
OF_LABELS = {name for name in list_scorers() if is_of_labels(name)}


def test_without_a_name_the_usual_metrics_are_taken() -> None:
    assert fitting_metrics([], TEXTS, REFERENCES) == list(USUAL)
    assert fitting_metrics([], LABELS, ["yes", "yes", "no", "no"]) == list(USUAL_FOR_LABELS)


def test_all_are_those_that_fit_the_usual_ones_first() -> None:
    found = fitting_metrics(["wer", "all", "bleu"], TEXTS, REFERENCES)
    assert found[:4] == ["wer", "bleu", "rouge", "chrf"]
    assert len(found) == len({*found}) > 15
    assert not {*found} & {*OF_LABELS, "perplexity", "cross_entropy", "likelihood", "perplexity_hashed"}
    assert {*OF_LABELS} <= {*fitting_metrics(["all"], LABELS, ["yes", "yes", "no", "no"])}


def test_a_language_model_reads_texts() -> None:
    assert "perplexity" in fitting_metrics(["perplexity"], TEXTS, None, with_model=True)
    assert "not a number" in str(misfit("perplexity", TEXTS, None))


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("perplexity_hashed", "perplexity_hashed does not fit these texts: "),
        ("blue", "no metric is called 'blue'"),
    ],
)
def test_a_named_metric_that_does_not_fit_is_refused(metric: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        fitting_metrics(["bleu", metric], TEXTS, REFERENCES)


def test_missing_references_are_named() -> None:
    with pytest.raises(InputError, match="bleu needs references"):
        fitting_metrics([], TEXTS, None)
    assert "self_bleu" in fitting_metrics(["all"], TEXTS, None)


def test_what_has_no_direction_is_not_compared() -> None:
    texts = {"mine": ["the cat sat there"]}, ["a cat was sitting there"]
    assert "which text is better" in (misfit("word_count", *texts) or "")
    with pytest.raises(InputError, match="which text is better"):
        compare(*texts, metric="word_count", libraries=[])
