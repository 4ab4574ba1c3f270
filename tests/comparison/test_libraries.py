"""The adapters: thin, honest about what is missing, and equal to a direct call of the library."""

from __future__ import annotations

import gc
import gzip
import shutil
import sys
import threading
import warnings
from importlib import metadata
from types import SimpleNamespace

import numpy as np
import pytest
from layouts import sample_of

from metrologue.comparison import compare
from metrologue.comparison.libraries import (
    Available,
    Library,
    LibraryError,
    Missing,
    adapters,
    get_library,
    hub,
    meteor,
    nltk,
    pycocoevalcap,
    rouge_metric,
)
from metrologue.comparison.running.absent import lacking
from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.scorers import get_scorer, list_scorers

PREDICTIONS = ["the cat sat on the mat, then left", "a dog barked at the man in the street"]
REFERENCES = [
    ["the cat sat on a mat, then it left", "the cat was on the mat"],
    ["the dog barked at a man in the street"],
]


def here(name: str, metric: str | None = None) -> Library:
    library = get_library(name)
    status = library.status(metric)
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
def fresh_hub(monkeypatch):
    """The Hub has not been asked for anything, and no folder stands in for it."""
    monkeypatch.delenv("METROLOGUE_HUB_MODULES", raising=False)
    hub._attempt.cache_clear()
    yield
    hub._attempt.cache_clear()


@pytest.mark.parametrize("library", adapters(), ids=lambda library: library.name)
def test_missing_distribution_is_named_with_its_cure(library, without):
    without(*library.distributions)
    status = library.status()
    assert isinstance(status, Missing)
    assert all(distribution in status.what for distribution in library.distributions)
    whole = [each for each in library.distributions if each not in library.bare]
    assert f"pip install {' '.join(whole)}" in status.cure or not whole
    assert all(f"pip install --no-deps {each}" in status.cure for each in library.bare)
    with pytest.raises(LibraryError, match=f"^{library.name}: .*not installed"):
        library.scores("bleu", PREDICTIONS, REFERENCES)


def test_only_what_is_missing_is_named(without):
    here("torchmetrics")
    without("torch")
    status = get_library("torchmetrics").status()
    assert isinstance(status, Missing)
    assert status.what == "torch not installed"
    assert status.cure == f"pip install torchmetrics torch, or {pip_install('torch')}"


def test_version_is_the_installed_one():
    status = here("sacrebleu").status()
    assert status == Available(metadata.version("sacrebleu"))


def test_unknown_metric_and_library_are_refused():
    with pytest.raises(LibraryError, match=r"nltk: no 'rouge' here; there are align_words, bleu"):
        here("nltk").scores("rouge", PREDICTIONS, REFERENCES)
    with pytest.raises(LibraryError, match=r"no adapter is called 'fortran'; "):
        get_library("fortran")


def test_one_method_adds_a_metric():
    class Lengths(get_library("sacrebleu").__class__):
        def score_length(self, predictions, references):
            return {"length": float(sum(map(len, predictions)))}

    assert set(Lengths.metrics()) - set(get_library("sacrebleu").metrics()) == {"length"}
    assert Lengths().scores("length", ["ab", "c"], ["x", "y"]) == {"length": 3.0}
    assert Lengths().segment_scores("length", ["ab", "c"], ["x", "y"]) == [2.0, 1.0]


def test_nltk_takes_characters_and_makes_no_noise():
    library = here("nltk")
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


def test_pycocoevalcap_cider_without_and_with_its_tokenizer(java):
    """Two columns of a comparison, on the scale of CIDEr."""
    texts = ["A cat sits.", "two dogs"], [["a cat sits", "The cat."], ["Two dogs!"]]
    plain, coco = get_library("pycocoevalcap"), get_library("coco")
    tokens = ["a cat sits", "two dogs"], [["a cat sits", "the cat"], ["two dogs"]]
    assert plain.scores("cider", *texts) != coco.scores("cider", *texts) == plain.scores("cider", *tokens)
    assert coco.segments("cider", *texts) == plain.segments("cider", *tokens)
    assert (plain.scale_of("cider"), coco.scale_of("cider"), plain.scale_of("bleu")) == (10.0, 10.0, 1.0)


def test_cider_in_java_is_missing_where_java_is(no_java):
    assert "java not installed" in str(get_library("coco").status("cider"))
    assert isinstance(get_library("pycocoevalcap").status("cider"), Available)


def test_hub_failure_is_told_and_remembered(monkeypatch, fresh_hub):
    evaluate = pytest.importorskip("evaluate")
    calls = []

    def load(path, **options):
        calls.append(path)
        raise ConnectionError("no route to host")

    monkeypatch.setattr(evaluate, "load", load)
    for _ in range(2):
        status = get_library("evaluate").status("bleu")
        assert isinstance(status, Missing)
        assert "ConnectionError" in status.what
        assert "network access to huggingface.co" in status.cure
        assert "METROLOGUE_HUB_MODULES" in status.cure
    assert calls == ["evaluate-metric/bleu"]
    assert get_library("evaluate").status() == Available(metadata.version("evaluate"))


def test_hub_that_never_answers_does_not_hang(monkeypatch, fresh_hub):
    evaluate = pytest.importorskip("evaluate")
    monkeypatch.setattr(hub, "PATIENCE_SECONDS", 0.05)
    answers = threading.Event()
    monkeypatch.setattr(evaluate, "load", lambda path, **options: answers.wait())
    status = get_library("evaluate-sacrebleu").status("bleu")
    answers.set()
    assert isinstance(status, Missing)
    assert "takes over 0.05 s" in status.what


def test_hub_offline_switch_is_passed_on(monkeypatch, fresh_hub):
    evaluate = pytest.importorskip("evaluate")
    from huggingface_hub import constants

    seen = []
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", False)
    monkeypatch.setattr(evaluate, "load", lambda path, **options: seen.append(evaluate.config.HF_EVALUATE_OFFLINE))
    hub.load("bleu")
    assert seen == [True]


# Two summaries of two sentences each, and what the libraries gave for them: rouge_score 0.1.2, rouge 1.0.1,
# rouge-metric 1.0.1 with its Perl script, torchmetrics 1.9.0.
SUMMARIES = ["how are you\ni am fine", "it is fine today\nwe won the football game"]
FIRST = ["how do you do\nfine thanks", "it is sunny today\nlet us go for a walk"]
SECOND = ["how old are you\ni am three", "it is a terrible day\nwe lost the game"]


def both() -> list[list[str]]:
    return [list(texts) for texts in zip(FIRST, SECOND, strict=True)]


def test_rouge_counts_bags_where_told():
    library = here("rouge")
    scores = [
        library.scores("rouge", ["a a b"], ["a a a c"], exclusive=flag)["rouge1_recall"] for flag in (True, False)
    ]
    assert scores == [1 / 2, 2 / 4]
    assert library.scores("rouge", ["a a"], ["a b"], exclusive=False)["rouge1_precision"] == 1 / 2
    assert "rouge3_recall" in library.scores("rouge", ["a b c"], ["a b c"], max_order=3)


def test_rouge_score_bootstrap_is_that_of_the_seed_and_leaves_numpy_alone():
    library = here("rouge_score")
    np.random.seed(5)
    expected = np.random.random()
    np.random.seed(5)
    texts = [f"a b {'c ' * n}d" for n in range(9)], ["a b c c d"] * 9
    found = [library.scores("rouge", *texts, bootstrap_seed=seed) for seed in (1, 1, 2)]
    assert np.random.random() == expected
    assert found[0] == found[1] != found[2]
    assert found[0].keys() == library.scores("rouge", *texts).keys()
    assert found[0] == pytest.approx(library.scores("rouge", *texts), rel=0.02)


def test_torchmetrics_rouge_says_what_its_sentences_need(monkeypatch):
    library = here("torchmetrics")
    best = library.scores("rouge", SUMMARIES, both())["rouge1_fmeasure"]
    assert library.scores("rouge", SUMMARIES, both(), accumulate="avg")["rouge1_fmeasure"] < best
    monkeypatch.setattr("metrologue.comparison.libraries.torchmetrics.has_punkt", lambda: False)
    assert not any("Lsum" in name for name in library.scores("rouge", SUMMARIES, FIRST))
    with pytest.raises(LibraryError, match=r"rougeLsum needs nltk's data; python -m nltk\.downloader punkt_tab"):
        library.scores("rouge", SUMMARIES, FIRST, types=["rougeLsum"])


@pytest.fixture
def perl(monkeypatch, tmp_path):
    """The Perl script with a cache of its own."""
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path))
    return here("rouge-1.5.5")


@pytest.fixture
def fresh_perl():
    rouge_metric._perl.cache_clear()
    yield
    rouge_metric._perl.cache_clear()


def test_perl_prints_once_what_it_is_asked_twice(perl, monkeypatch, tmp_path):
    first = perl.scores("rouge", SUMMARIES, both())
    assert first["rouge1_fmeasure"] == 0.53622
    monkeypatch.setattr(rouge_metric, "_run", lambda *args: pytest.fail("the script ran again"))
    assert perl.scores("rouge", SUMMARIES, both()) == first
    assert len(perl.segments("rouge", SUMMARIES, both())) == 2
    assert [len(path.name) for path in (tmp_path / "rouge-1.5.5").iterdir()] == [64]


def test_perl_failure_is_told(perl, monkeypatch):
    monkeypatch.setattr(
        rouge_metric.subprocess,
        "run",
        lambda *args, **options: SimpleNamespace(returncode=2, stdout="", stderr="no luck\n"),
    )
    monkeypatch.setattr(rouge_metric, "_data", lambda: "data")
    with pytest.raises(LibraryError, match=r"^rouge-1\.5\.5: the script fails: no luck$"):
        perl.scores("rouge", ["a"], ["b"])


def test_absent_perl_and_absent_modules_are_told(monkeypatch, fresh_perl):
    here("rouge-metric")
    monkeypatch.setattr(
        rouge_metric.subprocess, "run", lambda *args, **options: SimpleNamespace(returncode=2, stdout="")
    )
    monkeypatch.setattr(rouge_metric.shutil, "which", lambda name: "/bin/perl")
    status = get_library("rouge-1.5.5").status()
    assert isinstance(status, Missing)
    assert status.what == "Perl's XML::Parser not installed"
    assert "libxml-dom-perl" in status.cure
    rouge_metric._perl.cache_clear()
    monkeypatch.setattr(rouge_metric.shutil, "which", lambda name: None)
    status = get_library("rouge-1.5.5").status()
    assert isinstance(status, Missing)
    assert status.what == "perl not installed"


def test_each_module_of_the_hub_is_asked_for_on_its_own(monkeypatch):
    here("evaluate")
    present = SimpleNamespace(compute=lambda **arguments: 0.25)
    monkeypatch.setattr(hub, "load", lambda name: present if name == "wer" else Missing(f"no {name}", "wait"))
    assert get_library("evaluate").scores("wer", SUMMARIES, FIRST) == {"wer": 0.25}
    with pytest.raises(LibraryError, match=r"^evaluate: no rouge; wait$"):
        get_library("evaluate").scores("rouge", SUMMARIES, FIRST)


OBEYS = "It is a guide to action which ensures that the military always obeys the commands of the party"
HEED = "It is a guide to action that ensures that the military will forever heed Party commands"
# Java loads these two stages in no time, unlike the paraphrases.
QUICK = {"modules": ("exact", "stem")}


@pytest.fixture
def jar():
    """The program of METEOR 1.5, without a process when the test begins and when it ends."""
    library = here("meteor-1.5")
    meteor.close()
    yield library
    meteor.close()


@pytest.fixture
def no_java(monkeypatch):
    """A machine without Java."""
    meteor.java.cache_clear()
    monkeypatch.setattr(meteor.shutil, "which", lambda name: None)
    yield
    meteor.java.cache_clear()


@pytest.fixture
def quick_coco(monkeypatch):
    """pycocoevalcap with a program that loads no paraphrases."""
    library = here("pycocoevalcap")
    module = pytest.importorskip("pycocoevalcap.meteor.meteor")
    if missing := meteor.java():
        pytest.skip(str(missing))
    run = module.subprocess.Popen
    started = []

    def start(command, **options):
        started.append(run([*command, "-m", "exact stem"], **options))
        return started[-1]

    monkeypatch.setattr(module.subprocess, "Popen", start)
    pycocoevalcap._meteor.cache_clear()
    yield library, started
    pycocoevalcap._meteor.cache_clear()


def test_pycocoevalcap_meteor_pools_the_segments_and_returns_their_scores_beside(quick_coco, jar):
    library, _ = quick_coco
    texts = [OBEYS, "a cat sat"], [[HEED], ["a dog ran", "a cat sat there"]]
    rows = library.segments("meteor", *texts)
    assert rows == [library.scores("meteor", [p], [r]) for p, r in zip(*texts, strict=True)]
    pooled = library.scores("meteor", *texts)["meteor"]
    assert abs(pooled - np.mean([row["meteor"] for row in rows])) > 0.01
    assert jar.scores("meteor", *texts, norm=True, **QUICK)["meteor"] == pooled
    assert [row["meteor"] for row in jar.segments("meteor", *texts, norm=True, **QUICK)] == [
        row["meteor"] for row in rows
    ]


def test_pycocoevalcap_meteor_fails_of_a_line_end_and_goes_on(quick_coco):
    library, started = quick_coco
    expected = library.scores("meteor", ["a cat"], ["a dog"])
    for bad in ("a\nb", "a\rb"):
        with pytest.raises(ValueError, match="could not convert"):
            library.scores("meteor", [bad], ["a b"])
        # The object's end waits for a lock that an error leaves held: without the release this would never come back.
        gc.collect()
        assert started[-1].returncode is not None
        assert library.scores("meteor", ["a cat"], ["a dog"]) == expected
    assert len(started) == 3
    # No error, and no warning either: a reference with the separator in it is two references.
    assert library.scores("meteor", ["b c"], ["a b ||| b c"]) == {"meteor": 1.0}


def test_nltk_align_words_counts_matches_and_chunks():
    scores = here("nltk").scores("align_words", [OBEYS], [HEED])
    assert (scores["hypothesis_match_count"], scores["chunk_count"]) == (12, 6)
    assert (scores["hypothesis_length"], scores["reference_length"]) == (18, 16)


def test_absent_wordnet_is_told_and_bleu_goes_on(monkeypatch):
    library = here("nltk")

    def absent():
        raise InputError("WordNet is nowhere: apt install wordnet-base")

    nltk.wordnet.cache_clear()
    monkeypatch.setattr("metrologue.text.lexicon.wordnet_reader", absent)
    with pytest.raises(LibraryError, match=r"^nltk: WordNet is nowhere: apt install wordnet-base$"):
        library.scores("meteor", PREDICTIONS, REFERENCES)
    assert library.scores("bleu", PREDICTIONS, REFERENCES)["bleu"] > 0
    nltk.wordnet.cache_clear()


def test_wordnet_is_looked_for_and_not_opened(wordnet, monkeypatch):
    """nltk takes seconds to open it."""
    for module in ("text.lexicon", "text.lexicon.locate"):
        monkeypatch.setattr(f"metrologue.{module}.wordnet_reader", lambda: pytest.fail("it is opened"))
    assert "wordnet" not in [lack.what for lack in lacking(["meteor"], libraries=[])]
    monkeypatch.setattr("metrologue.text.lexicon.locate._wordnet_folder", lambda: None)
    monkeypatch.setattr("metrologue.text.lexicon.locate.find_spec", lambda name: None)
    assert "wordnet" in [lack.what for lack in lacking(["meteor"], libraries=[])]


def test_jar_numbers_belong_together(jar):
    parameters, weights = (0.8, 1.5, 0.4, 0.7), (1.0, 0.5)
    for scores in jar.segments("meteor", PREDICTIONS, REFERENCES, **QUICK, parameters=parameters, weights=weights):
        alpha, beta, gamma, delta = parameters
        sides = {}
        for side in ("hypothesis", "reference"):
            matched = sum(
                scores[f"{stage}_{side}_{kind}_count"] * weight * share
                for stage, weight in zip(QUICK["modules"], weights, strict=True)
                for kind, share in (("content", delta), ("function", 1 - delta))
            )
            functions = scores[f"{side}_function_length"]
            sides[side] = matched / (delta * (scores[f"{side}_length"] - functions) + (1 - delta) * functions)
        precision, recall = sides.values()
        fmean = 1 / ((1 - alpha) / precision + alpha / recall)
        words = (scores["hypothesis_match_count"] + scores["reference_match_count"]) / 2
        penalty = gamma * (scores["chunk_count"] / words) ** beta
        expected = {
            "meteor": fmean * (1 - penalty),
            "precision": precision,
            "recall": recall,
            "fmean": fmean,
            "f1": 2 * precision * recall / (precision + recall),
            "penalty": penalty,
        }
        assert {name: scores[name] for name in expected} == pytest.approx(expected, rel=1e-12)


def test_jar_paraphrases_can_be_given(jar, tmp_path):
    table = tmp_path / "paraphrases.gz"
    with gzip.open(table, "wt", encoding="utf-8") as file:
        file.write("1.0\nna złość\nwbrew temu\n")
    options = {"language": "other", "modules": ("exact", "paraphrase"), "weights": (1, 1), "paraphrases": str(table)}
    scores = jar.scores("meteor", ["ganku na złość"], ["wbrew temu siedział"], **options)
    assert scores["paraphrase_hypothesis_content_count"] == 2


def test_jar_takes_line_ends_for_blanks_and_refuses_its_separator(jar):
    assert jar.scores("meteor", ["a\nb\r\nc\x00"], ["a b c\x00"], **QUICK)["meteor"] == 1
    assert jar.scores("meteor", ["a || b |"], ["| a || b"], **QUICK)["hypothesis_match_count"] == 4
    with pytest.raises(LibraryError, match=r"^meteor-1\.5: a text of segment 2, counted from 1, has '\|\|\|'"):
        jar.scores("meteor", ["a", "b"], [["a"], ["b", "c|||d"]], **QUICK)
    with pytest.raises(LibraryError, match=r"^meteor-1\.5: Error: specify hypothesis"):
        jar.scores("meteor", ["a"], [[]], **QUICK)
    assert jar.scores("meteor", ["a"], ["a"], **QUICK)["meteor"] == 1


def test_jar_that_dies_is_told_and_started_again(jar):
    with pytest.raises(LibraryError, match=r"^meteor-1\.5: the program ends: .*Unknown language \(zz\)"):
        jar.scores("meteor", ["a"], ["a"], language="zz")
    assert jar.scores("meteor", ["a"], ["a"], **QUICK)["meteor"] == 1
    (program,) = meteor._programs.values()
    assert jar.scores("meteor", ["b"], ["b"], **QUICK)["meteor"] == 1
    assert [*meteor._programs.values()] == [program]
    program.java.kill()
    program.java.wait()
    assert jar.scores("meteor", ["a"], ["a"], **QUICK)["meteor"] == 1
    (successor,) = meteor._programs.values()
    assert successor is not program
    meteor.close()
    assert successor.java.returncode is not None


def test_jar_and_adapter_do_not_wait_for_each_other(jar):
    """More questions and more answers than pipes hold, and one question that no pipe holds."""
    many = [f"word{number} and more" for number in range(5_000)]
    assert jar.scores("meteor", many, many, **QUICK)["whole_count"] == 5_000
    long = " ".join(map(str, range(200_000)))
    assert jar.scores("meteor", [long], ["nothing of that"], **QUICK)["hypothesis_length"] == 200_000


def test_program_that_breaks_off_amid_an_answer_is_told():
    script = "import sys; sys.stdin.readline(); print('1.0'); sys.exit('no luck')"
    told = pytest.raises(LibraryError, match=r"^meteor-1\.5: the program ends: no luck$")
    with told, meteor.running((sys.executable, "-c", script)) as program:
        program.evaluate([dict.fromkeys(meteor.STATISTICS, 0.0)])
    meteor.close()


def test_absent_java_is_told_and_all_else_goes_on(no_java):
    status = here("pycocoevalcap") and get_library("meteor-1.5").status()
    assert isinstance(status, Missing)
    assert (status.what, "default-jre-headless" in status.cure) == ("java not installed", True)
    with pytest.raises(LibraryError, match=r"^pycocoevalcap: java not installed; apt install default-jre-headless"):
        get_library("pycocoevalcap").scores("meteor", PREDICTIONS, REFERENCES)
    assert get_library("pycocoevalcap").scores("bleu", PREDICTIONS, REFERENCES)["bleu"] > 0
    found = compare({"mine": PREDICTIONS}, REFERENCES, "meteor", ["meteor-1.5", "pycocoevalcap"], ["pycocoevalcap"])
    values = {number.label: (number.value, number.missing) for number in found.numbers}
    ours, _ = values.pop("metrologue pycocoevalcap")
    assert ours > 0
    assert all(value is None and "java not installed; apt install" in missing for value, missing in values.values())


def test_jar_given_by_its_path_needs_no_pycocoevalcap(jar, without, monkeypatch, tmp_path):
    from metrologue.text.lexicon import meteor_jar

    copy = shutil.copy(meteor_jar(), tmp_path)
    without("pycocoevalcap")
    assert isinstance(jar.status(), Missing)
    monkeypatch.setenv("METEOR_JAR", str(copy))
    assert jar.status() == Available("1.5")
    assert jar.scores("meteor", ["a"], ["a"], **QUICK)["meteor"] == 1
    assert any(str(copy) in command for command in meteor._programs)


# Of the other calls, the contract has the numbers.
LIVE = {variant.live for name in list_scorers() for variant in get_scorer(name).variants().values()}
HUB = [
    (library.name, metric)
    for library in adapters()
    if isinstance(library, hub.Hub)
    for metric in library.metrics()
    if f"{library.name}.{metric}" not in LIVE
]

# The variants with the Hub's numbers that have the name of the package behind its module.
OF_PACKAGES = {"character": "cer", "charcut_mt": "charcut"}


def assert_equals_our_variant(name, metric):
    library = here(name, metric)
    scorer = get_scorer(metric)
    variant = scorer.variant(OF_PACKAGES.get(metric, name.removeprefix("evaluate-")))
    predictions, references = sample_of(metric, PREDICTIONS, [texts[:1] for texts in REFERENCES])
    options = {"seed": variant.seed} if metric == "rouge" else {}
    theirs = library.scores(metric, predictions, references, **options)
    ours = variant.corpus(predictions, references).scores
    assert next(iter(theirs)) == variant.primary
    assert theirs == {key: pytest.approx(ours[key], rel=1e-12) for key in theirs}
    alone = [library.scores(metric, [p], r, **options) for p, r in zip(predictions, references, strict=True)]
    assert library.segments(metric, predictions, references, **options) == alone


@pytest.mark.parametrize(("name", "metric"), [pair for pair in HUB if pair[1] in list_scorers()])
def test_hub_of_a_folder_equals_our_variant(name, metric, hub_modules, request):
    if metric == "meteor":
        request.getfixturevalue("lexical_data")
    assert_equals_our_variant(name, metric)


@pytest.mark.parametrize(
    ("metric", "options"),
    [
        ("bleu", {"smooth": "floor", "lowercase": True}),
        ("chrf", {"word_order": 2, "lowercase": True, "eps_smoothing": True}),
        *(("ter", {"normalized": True, option: True}) for option in ("no_punct", "asian_support", "case_sensitive")),
    ],
)
def test_options_of_the_hubs_sacrebleu_are_those_of_sacrebleu(metric, options, hub_modules):
    library, twin = here("evaluate-sacrebleu", metric), here("sacrebleu")
    texts = ["漢字 Cat. here", "a B, c", "no match"], [["漢語 cat here"], ["c a b"], ["at all"]]
    expected = twin.scores(metric, *texts, **options)
    found = library.scores(metric, *texts, **options)
    assert found == {key: expected[key] for key in found}
    assert found != library.scores(metric, *texts)


@pytest.mark.network
@pytest.mark.parametrize("name", ["evaluate", "evaluate-sacrebleu"])
def test_live_hub_equals_our_variant(name, fresh_hub):
    assert_equals_our_variant(name, "bleu")


def test_hub_of_a_folder_says_so_and_leaves_nothing_there(hub_modules, fresh_hub, monkeypatch, tmp_path, capfd):
    evaluate = pytest.importorskip("evaluate")
    here("evaluate")
    monkeypatch.setattr(evaluate, "load", lambda path, **options: pytest.fail("nothing asks the Hub"))
    for name in ("bleu", "meteor"):
        shutil.copytree(hub_modules / name, tmp_path / name)
    monkeypatch.setenv("METROLOGUE_HUB_MODULES", str(tmp_path))
    before = sorted(tmp_path.rglob("*"))
    library = get_library("evaluate")
    version = f"{metadata.version('evaluate')} with bleu from METROLOGUE_HUB_MODULES"
    assert library.status("bleu") == Available(version)
    assert isinstance(library.status("meteor"), Available)  # without a download of nltk's data
    assert library.scores("bleu", PREDICTIONS, PREDICTIONS)["bleu"] == 1
    assert capfd.readouterr() == ("", "")
    assert sorted(tmp_path.rglob("*")) == before
    (label,) = {n.label for n in compare({"s": PREDICTIONS}, REFERENCES, libraries=["evaluate"], variants=[]).numbers}
    assert label == f"evaluate {version}"
    missing = library.status("wer")
    assert isinstance(missing, Missing)
    assert missing.what == f"METROLOGUE_HUB_MODULES is {str(tmp_path)!r}, where there is no wer/wer.py"
    assert "unset it" in missing.cure


def test_module_that_cannot_be_imported_says_why(fresh_hub, monkeypatch, tmp_path):
    here("evaluate")
    (tmp_path / "wer").mkdir()
    (tmp_path / "wer" / "wer.py").write_text("import no_such_package\n", "utf-8")
    monkeypatch.setenv("METROLOGUE_HUB_MODULES", str(tmp_path))
    status = get_library("evaluate").status("wer")
    assert isinstance(status, Missing)
    assert "no_such_package" in status.what
    assert pip_install("compare") in status.cure


def test_hub_meteor_says_what_its_words_need(hub_modules, monkeypatch):
    library = here("evaluate", "meteor")
    monkeypatch.setattr(hub, "wordnet", lambda: None)
    monkeypatch.setattr(hub, "has_punkt", lambda: False)
    with pytest.raises(LibraryError, match=r"^evaluate: word_tokenize needs nltk's data; python -m nltk\.downloader"):
        library.scores("meteor", PREDICTIONS, REFERENCES)


def test_a_missing_module_is_named_after_the_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("METROLOGUE_HUB_MODULES", raising=False)
    monkeypatch.setattr("metrologue.comparison.libraries.hub._attempt", lambda loader, path, cure: Missing(path, cure))
    hub = get_library("evaluate")
    for metric in hub.metrics():
        assert str(hub.status(metric)).startswith(f"evaluate-metric/{metric};")
