"""The adapters: thin, honest about what is missing, and equal to a direct call of the library."""

from __future__ import annotations

import time
import warnings
from importlib import metadata
from types import SimpleNamespace

import pytest

from metrologue.comparison.libraries import Available, Library, LibraryError, Missing, adapters, get_library, hub

PREDICTIONS = ["the cat sat on the mat, then left", "a dog barked at the man in the street"]
REFERENCES = [
    ["the cat sat on a mat, then it left", "the cat was on the mat"],
    ["the dog barked at a man in the street"],
]


def here(name: str) -> Library:
    library = get_library(name)
    status = library.status()
    if isinstance(status, Missing):
        pytest.skip(f"{name}: {status}")
    return library


@pytest.fixture
def without(monkeypatch):
    """Make distributions look as if they were not installed."""
    version = metadata.version

    def hide(*hidden: str) -> None:
        def look(name: str) -> str:
            if name in hidden:
                raise metadata.PackageNotFoundError(name)
            return version(name)

        monkeypatch.setattr(metadata, "version", look)

    return hide


@pytest.fixture
def fresh_hub():
    hub.load.cache_clear()
    yield
    hub.load.cache_clear()


@pytest.mark.parametrize("name", [library.name for library in adapters("bleu")])
def test_equal_text_has_a_perfect_score(name):
    library = here(name)
    scores = library.scores("bleu", PREDICTIONS, PREDICTIONS)
    assert next(iter(scores)) == "bleu"
    assert scores["bleu"] == pytest.approx(library.scale, rel=1e-6)


@pytest.mark.parametrize("name", [library.name for library in adapters("bleu")])
def test_segment_scores_are_those_of_one_segment(name):
    library = here(name)
    alone = [library.scores("bleu", [p], [r])["bleu"] for p, r in zip(PREDICTIONS, REFERENCES, strict=True)]
    assert library.segment_scores("bleu", PREDICTIONS, REFERENCES) == alone
    assert alone[0] != alone[1]


@pytest.mark.parametrize("library", adapters(), ids=lambda library: library.name)
def test_missing_distribution_is_named_with_its_cure(library, without):
    without(*library.distributions)
    status = library.status()
    assert isinstance(status, Missing)
    assert all(distribution in status.what for distribution in library.distributions)
    assert f"pip install {' '.join(library.distributions)}" in status.cure
    with pytest.raises(LibraryError, match=f"^{library.name}: .*not installed"):
        library.scores("bleu", PREDICTIONS, REFERENCES)


def test_only_what_is_missing_is_named(without):
    here("torchmetrics")
    without("torch")
    status = get_library("torchmetrics").status()
    assert isinstance(status, Missing)
    assert status.what == "torch not installed"
    assert status.cure == "pip install torchmetrics torch, or pip install 'metrologue[torch]'"


def test_version_is_the_installed_one():
    status = here("sacrebleu").status()
    assert status == Available(metadata.version("sacrebleu"))


def test_unknown_metric_and_library_are_refused():
    with pytest.raises(LibraryError, match=r"nltk: no 'rouge' here; there is bleu, modified_precision"):
        here("nltk").scores("rouge", PREDICTIONS, REFERENCES)
    with pytest.raises(LibraryError, match=r"no adapter is called 'perl'; there are sacrebleu"):
        get_library("perl")


def test_one_method_adds_a_metric():
    class Lengths(get_library("sacrebleu").__class__):
        def score_length(self, predictions, references):
            return {"length": float(sum(map(len, predictions)))}

    assert Lengths.metrics() == ["bleu", "length"]
    assert Lengths().scores("length", ["ab", "c"], ["x", "y"]) == {"length": 3.0}
    assert Lengths().segment_scores("length", ["ab", "c"], ["x", "y"]) == [2.0, 1.0]


def test_sacrebleu_gets_streams_of_ragged_references():
    # A reference that is there twice changes nothing, so the rectangular corpus must have the ragged one's score.
    rectangular = [REFERENCES[0], REFERENCES[1] * 2]
    library = here("sacrebleu")
    assert library.scores("bleu", PREDICTIONS, REFERENCES) == library.scores("bleu", PREDICTIONS, rectangular)


def test_sacrebleu_options_reach_the_library():
    from sacrebleu.metrics.bleu import BLEU

    library = here("sacrebleu")
    bleu = BLEU(lowercase=True, tokenize="char", smooth_method="add-k", smooth_value=2, max_ngram_order=3)
    direct = bleu.corpus_score(["The Cat"], [["the mat"]]).score
    options = {"lowercase": True, "tokenize": "char", "smooth": "add-k", "smooth_value": 2, "max_order": 3}
    assert library.scores("bleu", ["The Cat"], ["the mat"], **options)["bleu"] == direct
    for option in options:
        fewer = {key: value for key, value in options.items() if key != option}
        assert library.scores("bleu", ["The Cat"], ["the mat"], **fewer)["bleu"] != direct, option


def test_nltk_is_called_with_split_tokens_and_without_noise():
    library = here("nltk")
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    references = [[text.split() for text in texts] for texts in REFERENCES]
    direct = corpus_bleu(
        references, [text.split() for text in PREDICTIONS], (0.5, 0.5), smoothing_function=SmoothingFunction().method1
    )
    assert library.scores("bleu", PREDICTIONS, REFERENCES, max_order=2, smooth="method1") == {"bleu": direct}
    assert library.scores("bleu", ["ab"], ["a b"], tokenize="characters", max_order=1)["bleu"] < 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        library.scores("bleu", ["no match"], ["at all here"])


def test_nltk_modified_precision_pools_counts():
    scores = here("nltk").scores("modified_precision", ["a a b", "c d"], [["a b"], ["c x y"]], max_order=2)
    assert (scores["clipped_count_1"], scores["count_1"], scores["precision_1"]) == (3, 5, 3 / 5)
    assert (scores["clipped_count_2"], scores["count_2"], scores["precision_2"]) == (1, 3, 1 / 3)
    assert (scores["hypothesis_length"], scores["reference_length"], scores["brevity_penalty"]) == (5, 5, 1)


def test_pycocoevalcap_is_silent_and_its_longest_order_is_primary(capsys):
    scores = here("pycocoevalcap").scores("bleu", PREDICTIONS, REFERENCES)
    assert list(scores) == ["bleu", "bleu_1", "bleu_2", "bleu_3", "bleu_4"]
    assert scores["bleu"] == scores["bleu_4"] < scores["bleu_1"]
    assert capsys.readouterr() == ("", "")


def test_bleuscore_takes_the_shortest_reference_unless_told():
    library = here("bleuscore")
    references = [["a b c d e f g h", "a b c"]]
    assert library.scores("bleu", ["a b c d e f"], references)["reference_length"] == 3
    closest = library.scores("bleu", ["a b c d e f"], references, reference_length="closest")
    assert closest["reference_length"] == 8


def test_torchmetrics_smoothing_and_orders_reach_the_library():
    library = here("torchmetrics")
    plain = library.scores("bleu", PREDICTIONS, REFERENCES)["bleu"]
    assert library.scores("bleu", PREDICTIONS, REFERENCES, smooth=True)["bleu"] > plain
    assert library.scores("bleu", PREDICTIONS, REFERENCES, max_order=2, weights=(1, 0))["bleu"] > plain


def test_hub_failure_is_told_and_remembered(monkeypatch, fresh_hub):
    evaluate = pytest.importorskip("evaluate")
    calls = []

    def load(path):
        calls.append(path)
        raise ConnectionError("no route to host")

    monkeypatch.setattr(evaluate, "load", load)
    for _ in range(2):
        status = get_library("evaluate").status()
        assert isinstance(status, Missing)
        assert "ConnectionError" in status.what
        assert "network access to huggingface.co" in status.cure
    assert calls == ["evaluate-metric/bleu"]


def test_hub_that_never_answers_does_not_hang(monkeypatch, fresh_hub):
    evaluate = pytest.importorskip("evaluate")
    monkeypatch.setattr(hub, "PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr(evaluate, "load", lambda path: time.sleep(2))
    start = time.perf_counter()
    status = get_library("evaluate-sacrebleu").status()
    assert isinstance(status, Missing)
    assert "takes over 0.05 s" in status.what
    assert time.perf_counter() - start < 1


def test_hub_offline_switch_is_passed_on(monkeypatch, fresh_hub):
    evaluate = pytest.importorskip("evaluate")
    from huggingface_hub import constants

    seen = []
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", False)
    monkeypatch.setattr(evaluate, "load", lambda path: seen.append(evaluate.config.HF_EVALUATE_OFFLINE))
    hub.load("evaluate-metric/bleu")
    assert seen == [True]


def test_hub_modules_are_asked_in_their_own_words(monkeypatch, fresh_hub):
    """Stand-ins with the signatures of the Hub's modules, backed by the libraries that those modules equal."""
    evaluate = pytest.importorskip("evaluate")
    bleuscore, sacrebleu = here("bleuscore"), here("sacrebleu")

    def bleu(*, predictions, references, tokenizer=None, max_order=4, smooth=False):
        import bleuscore

        return bleuscore.compute(references, predictions, max_order, smooth)

    def sacre(
        *, predictions, references, smooth_method="exp", smooth_value=None, force=False, lowercase=False, tokenize=None,
        use_effective_order=False,
    ):  # fmt: skip
        from sacrebleu.metrics.bleu import BLEU

        metric = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
        return vars(metric.corpus_score(predictions, [list(stream) for stream in zip(*references, strict=True)]))

    modules = {"evaluate-metric/bleu": bleu, "evaluate-metric/sacrebleu": sacre}
    monkeypatch.setattr(evaluate, "load", lambda path: SimpleNamespace(compute=modules[path]))
    nested = [texts[:1] for texts in REFERENCES]
    for name, twin, options in (
        ("evaluate", bleuscore, {"max_order": 2, "smooth": True}),
        ("evaluate-sacrebleu", sacrebleu, {"smooth": "floor", "lowercase": True}),
    ):
        library = get_library(name)
        assert isinstance(library.status(), Available)
        assert library.scores("bleu", PREDICTIONS, nested) == twin.scores("bleu", PREDICTIONS, nested)
        with_options = library.scores("bleu", PREDICTIONS, nested, **options)
        assert with_options == twin.scores("bleu", PREDICTIONS, nested, **options)


@pytest.mark.network
@pytest.mark.parametrize("name", ["evaluate", "evaluate-sacrebleu"])
def test_live_hub_equals_our_variant(name, fresh_hub):
    from metrologue.scorers import Bleu

    library = here(name)
    variant = Bleu.variant(name.removeprefix("evaluate-"))
    nested = [texts[:1] for texts in REFERENCES]
    assert library.scores("bleu", PREDICTIONS, nested)["bleu"] == pytest.approx(
        variant.corpus(PREDICTIONS, nested).value, rel=1e-12
    )
