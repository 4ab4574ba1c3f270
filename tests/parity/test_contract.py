"""Every variant of every scorer against the live call that it mirrors, or against goldens where nothing can be run.

A variant says whose number it is; how that library's options are drawn is told in ``options``. All else is the same for
all: corpora and each segment, one reference and several, generated and real text, as it is and under random options.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from compared import compared
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import SAMPLES, columns_of, rows_of, sample_of
from needs import PROGRAMS, WITH_ENCODER, provide
from parity.options import PEERS, TEXTS, Options, Peer
from strategies import BLANKS, Corpus, characters, corpora

from metrologue.comparison.libraries import Library, LibraryError, Missing, get_library
from metrologue.comparison.libraries.history import calls
from metrologue.errors import InputError
from metrologue.scorers import Scorer, Variant, get_scorer, list_scorers
from metrologue.scorers.core.options import fitted_fields
from metrologue.text.lexicon import register_synonyms

EXAMPLES = int(os.environ.get("METROLOGUE_EXAMPLES", "4"))
GOLDENS = Path(__file__).with_name("goldens")

# Texts of one alphabet of a few characters out of all of Unicode, and whitespace of every kind: much matches by chance.
blank = st.sampled_from([" ", " ", " ", "  ", *BLANKS])


@st.composite
def hostile_corpora(draw: st.DrawFn) -> Corpus:
    words = draw(st.lists(st.text(characters, min_size=1, max_size=5), min_size=1, max_size=6))

    def text() -> str:
        parts = draw(st.lists(st.tuples(st.sampled_from(words), blank), max_size=9))
        repeated = "".join(map("".join, parts)) * draw(st.sampled_from([1, 1, 1, 7]))
        return draw(st.sampled_from(["", "", " ", "\n"])) + repeated

    count = draw(st.integers(1, 4))
    return [text() for _ in range(count)], [[text() for _ in range(draw(st.integers(1, 3)))] for _ in range(count)]


generated = st.one_of(corpora(), corpora(max_references=1), hostile_corpora())


def texts_for(metric: str) -> st.SearchStrategy[Corpus]:
    """Generated corpora, half of which are about what the metric looks at. It may be all that the metric can read."""
    if metric in SAMPLES:
        return TEXTS[metric]
    return st.one_of(TEXTS[metric], generated) if metric in TEXTS else generated


@cache
def batch(metric: str) -> Corpus:
    """All that hypothesis generates, as one corpus: for programs, which start slowly."""
    found: list[Corpus] = [(["a b c", "a"], [["a b c", "a b"], ["a", "b", ""]])]

    @settings(max_examples=max(EXAMPLES, 20))
    @given(corpus=texts_for(metric))
    def collect(corpus: Corpus) -> None:
        found.append(corpus)

    collect()
    predictions, references = zip(*found, strict=True)
    return [*chain(*predictions)], [*chain(*references)]


@dataclass(frozen=True)
class Contract:
    """A variant of a scorer, and the live call that gives its number."""

    metric: str
    name: str

    def __str__(self) -> str:
        return f"{self.metric}-{self.name}"

    @property
    def variant(self) -> Variant:
        return get_scorer(self.metric).variants()[self.name]

    @property
    def golden(self) -> Path:
        return GOLDENS / f"{self.metric}-{self.name}.json"

    @property
    def printed(self) -> Path:
        """What a program printed that cannot be run here: a test of the metric compares it."""
        return Path(__file__).parents[1] / "metrics" / self.metric / f"{self.name}.json"

    @property
    def runs_a_program(self) -> bool:
        return bool({*PROGRAMS} & {*self.variant.needs})

    @property
    def peer(self) -> Peer:
        return PEERS.get(self.variant.live or "", Peer())

    @property
    def call(self) -> str:
        return (self.variant.live or "").rpartition(".")[2]

    @cached_property
    def library(self) -> Library:
        return get_library((self.variant.live or "").rpartition(".")[0])

    def inputs(self, predictions: list[str], references: list[list[str]]) -> Options:
        """What the metric takes beside these."""
        columns = columns_of(self.metric, predictions, references)
        return {name: rows for name, rows in columns.items() if name not in ("predictions", "references")}

    @cached_property
    def takes_several_references(self) -> bool:
        try:
            texts = sample_of(self.metric, ["a b c d e"] * 2, [["a b c d e"] * 2] * 2)
            self.library.scores(self.call, *texts, **self.inputs(*texts), **self.variant.options)
        except LibraryError as error:
            if "one reference per segment" in str(error):
                return False
            raise
        return True

    def scorer(self, fields: Options) -> Scorer:
        return get_scorer(self.metric).variant(self.name, **fields)

    def corpus(self, corpus: Corpus) -> Corpus:
        """The corpus as the call takes it."""
        predictions, references = self.peer.corpus(corpus)
        return predictions, references if self.takes_several_references else [own[:1] for own in references]

    def check(self, call: tuple[Options, Options], corpus: Corpus) -> None:
        """Our numbers of the corpus and of each segment are those of the library under its options."""
        options, fields = {**self.variant.options, **call[0]}, call[1]
        scorer = self.scorer(fields)
        predictions, references = self.corpus(corpus)
        if self.peer.whole(options):
            whole = self.live(options, predictions, references)
            if whole is None:
                self.refused(scorer, predictions, references)
            else:
                ours = scorer.corpus(predictions, references, **self.inputs(predictions, references)).scores
                self.alike(scorer, ours, whole, options)
        rows = self.live_rows(options, predictions, references)
        told = [index for index, row in enumerate(rows) if row is not None]
        if told:
            ours = self.our_rows(scorer, [predictions[i] for i in told], [references[i] for i in told])
            for row, index in zip(ours, told, strict=True):
                self.alike(scorer, row, rows[index], options)
        for index in {*range(len(rows))} - {*told}:
            self.refused(scorer, [predictions[index]], [references[index]])

    def live(self, options: Options, predictions: list[str], references: list[list[str]]) -> dict[str, float] | None:
        """What the library gives; None where it fails, or its primary number is none."""
        try:
            inputs = self.inputs(predictions, references)
            scores = self.library.scores(self.call, predictions, references, **inputs, **options)
        except Exception:  # each library fails in its own way
            return None
        return scores if self.is_told(next(iter(scores.items()))) else None

    def is_told(self, number: tuple[str, float]) -> bool:
        """Whether it is a number, or infinite where ours may be infinite too."""
        key, value = number
        return math.isfinite(value) or (math.isinf(value) and key in get_scorer(self.metric)()._infinite)

    def live_rows(
        self, options: Options, predictions: list[str], references: list[list[str]]
    ) -> list[dict[str, float] | None]:
        if self.gives_rows:
            try:
                inputs = self.inputs(predictions, references)
                return [*self.library.segments(self.call, predictions, references, **inputs, **options)]
            except Exception:  # as for the corpus
                return [None] * len(predictions)
        return [self.live(options, [text], [own]) for text, own in zip(predictions, references, strict=True)]

    @property
    def gives_rows(self) -> bool:
        """Whether the library gives the numbers of all segments in one run."""
        return hasattr(self.library, f"segments_{self.call}")

    def our_rows(self, scorer: Scorer, predictions: list[str], references: list[list[str]]) -> list[dict[str, float]]:
        """The numbers of the segments.

        A metric that is fitted has a table of all segments. If the library scores each segment alone, so do we.
        """
        if fitted_fields(type(scorer)) and not self.gives_rows:
            pairs = zip(predictions, references, strict=True)
            return [dict(scorer.corpus([text], [own]).scores) for text, own in pairs]
        columns = scorer.segment_scores(predictions, references, **self.inputs(predictions, references))
        return [dict(zip(columns, row, strict=True)) for row in zip(*map(list, columns.values()), strict=True)]

    def refused(self, scorer: Scorer, predictions: list[str], references: list[list[str]]) -> None:
        with pytest.raises(InputError):
            scorer.corpus(predictions, references, **self.inputs(predictions, references))

    def alike(self, scorer: Scorer, ours: dict[str, Any], theirs: dict[str, float] | None, options: Options) -> None:
        assert theirs is not None
        told = [key for key, value in theirs.items() if self.is_told((key, value)) and self.peer.told(key, options)]
        keys = [key for key in told if key in ours]
        assert scorer.primary in keys
        tolerances = {"rel_tol": self.library.resolution, "abs_tol": self.peer.absolute}
        digits = scorer._printed_digits

        def equal(one: float, other: float) -> bool:
            if digits is None:
                return math.isclose(one, other, **tolerances)
            return f"{one:.{digits}f}" == f"{other:.{digits}f}"  # as it is printed

        assert {key: (ours[key], theirs[key]) for key in keys if not equal(ours[key], theirs[key])} == {}
        compared(len(keys), sum(ours[key] == theirs[key] for key in keys))


# A metric that needs an encoder is compared with its library in tests/metrics, on models that are made there.
CONTRACTS = [
    Contract(metric, name)
    for metric in list_scorers()
    for name in get_scorer(metric).variants()
    if metric not in WITH_ENCODER
]


def cases(chosen: Callable[[Contract], bool], slow: Collection[str] = ()) -> list[Any]:
    """Contracts as parameters; those that run a program, and those of the metrics in `slow`, are slow."""
    return [
        pytest.param(each, id=str(each), marks=pytest.mark.slow if each.runs_a_program or each.metric in slow else ())
        for each in CONTRACTS
        if chosen(each)
    ]


@pytest.fixture
def contract(request: pytest.FixtureRequest) -> Contract:
    """The contract, with all that it needs at hand."""
    contract: Contract = request.param
    provide(request, {*contract.variant.needs, *contract.peer.needs})
    if contract.variant.live and isinstance(status := contract.library.status(contract.call), Missing):
        pytest.skip(f"{contract.variant.live}: {status}")
    return contract


live = pytest.mark.parametrize("contract", cases(lambda each: each.variant.live is not None), indirect=True)


@pytest.mark.parametrize("contract", CONTRACTS, ids=str)
def test_a_variant_can_be_proved(contract: Contract) -> None:
    """By a live call, by goldens, or by the numbers of an older version, which a test of that table compares."""
    if contract.variant.live is None:
        proofs = contract.golden, contract.printed
        older = {run.variant for call in calls(contract.metric) for run in call.versions}
        proved = contract.name in older or any(path.is_file() for path in proofs)
        assert proved, f"{contract} has neither a live call nor recorded numbers"
    else:
        assert contract.call in contract.library.metrics()


@live
def test_version_is_the_one_that_is_mirrored(contract: Contract) -> None:
    assert str(contract.library.status()) == contract.variant.version


@live
def test_the_primary_number_is_the_librarys(contract: Contract) -> None:
    # Two, because one text alone has no Self-BLEU.
    texts = sample_of(contract.metric, ["a b c d e"] * 2, [["a b c d x"]] * 2)
    scores = contract.library.scores(contract.call, *texts, **contract.inputs(*texts), **contract.variant.options)
    assert next(iter(scores)) == contract.scorer({}).primary


@live
def test_generated_text(contract: Contract) -> None:
    if contract.runs_a_program:
        contract.check(({}, {}), batch(contract.metric))
        return

    @settings(max_examples=EXAMPLES)
    @given(corpus=texts_for(contract.metric))
    def check(corpus: Corpus) -> None:
        contract.check(({}, {}), corpus)

    check()


@pytest.mark.parametrize(
    "contract", cases(lambda each: each.variant.live is not None and each.peer.calls is not None), indirect=True
)
def test_random_options(contract: Contract) -> None:
    calls = contract.peer.calls
    assert calls is not None
    program = contract.runs_a_program

    # The first examples have few options: four find less than half of what is wrong with one.
    @settings(max_examples=max(4, EXAMPLES // 8) if program else max(12, EXAMPLES))
    @given(call=calls, corpus=st.just(batch(contract.metric)) if program else texts_for(contract.metric))
    def check(call: tuple[Options, Options], corpus: Corpus) -> None:
        contract.check(call, corpus)

    check()


@live
def test_real_text(contract: Contract, newstest: tuple[dict[str, list[str]], list[str]]) -> None:
    """News; the second and the third reference of some segments are other systems' outputs."""
    systems, reference = newstest
    columns = [reference, *systems.values()]
    step = len(reference) // min(3 * EXAMPLES, 200)
    first, prediction, second, third = (column[::step] for column in columns[:4])
    ragged = [[*own][: 1 + i % 3] for i, own in enumerate(zip(first, second, third, strict=True))]
    contract.check(({}, {}), (prediction, ragged))


of_texts = pytest.mark.parametrize(
    "contract", cases(lambda each: each.variant.live is not None and each.metric not in SAMPLES), indirect=True
)


@of_texts
def test_captions(contract: Contract, shared_data: Path) -> None:
    """One to five references each."""
    path = shared_data / "flickr8k_expert" / "flickr8k_expert.jsonl"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()[:: 4000 // (4 * EXAMPLES)]]
    references = [row["references"][: 1 + i % 5] for i, row in enumerate(rows)]
    contract.check(({}, {}), ([row["hypothesis"] for row in rows], references))


SHORT = ("", "\u3000", "x", "a b", "a x c", "a b c d", "abc", "...")
TWO = (["a b c", "b x"], ["c", ""], ["", " "], ["abc", "ab"], ["a b c d e"])
# More words than a machine word has bits. `rouge` recurses, and so takes no more than about a thousand.
LONG = (
    [
        "a b c a d " * 60 + "\n" + "x " * 300,
        "one",
        "the cat sat on the mat.\n" * 50,
        "".join(map(chr, range(20_000, 20_900))),
    ],
    [
        ["b a c d a " * 60 + "\n" + "a x " * 100, "b"],
        ["one"],
        ["cat. the sat.\n" * 80],
        ["".join(map(chr, range(20_300, 21_200)))],
    ],
)


@of_texts
def test_short_and_empty_texts(contract: Contract) -> None:
    pairs = [(text, own) for text in SHORT for own in TWO]
    contract.check(({}, {}), ([text for text, _ in pairs], [own for _, own in pairs]))


# The libraries of CharacTER, RIBES and TER take minutes.
@pytest.mark.parametrize(
    "contract",
    cases(
        lambda each: each.variant.live is not None and each.metric not in (*SAMPLES, "character", "ribes", "ter"),
        slow=("charcut_mt", "edit_distance", "eed"),
    ),
    indirect=True,
)
def test_long_texts(contract: Contract) -> None:
    contract.check(({}, {}), LONG)


def fields_of(golden: dict[str, Any]) -> Options:
    """The fields that goldens were made for, with their tables."""
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in golden["fields"].items()}
    if synonyms := golden.get("synonyms"):
        fields["synonyms"] = register_synonyms("goldens", synonyms)
    return fields


@pytest.mark.parametrize("contract", cases(lambda each: each.golden.is_file()), indirect=True)
def test_goldens(contract: Contract) -> None:
    golden = json.loads(contract.golden.read_text("utf-8"))
    assert golden["variant"] == str(contract)
    assert golden["version"] == contract.variant.version
    scorer = contract.scorer(fields_of(golden))
    columns = {key: column for key in ("references", *scorer.input_names()) if (column := golden.get(key))}
    ours = {"corpus": scorer.corpus(**columns).scores}
    for index in range(len(columns["predictions"])):
        ours[f"segment {index}"] = scorer.corpus(**rows_of(columns, index, index + 1)).scores
    assert scorer.primary in golden["scores"]["corpus"]
    wrong = {
        (place, key): (ours[place][key], value)
        for place, scores in golden["scores"].items()
        for key, value in scores.items()
        if not math.isclose(ours[place][key], value, rel_tol=1e-12)
    }
    assert wrong == {}
    assert len(golden["scores"]) == len(ours)


@pytest.mark.slow
def test_goldens_are_what_their_script_writes(tmp_path: Path) -> None:
    script = Path(__file__).with_name("goldens.py")
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in GOLDENS.iterdir())
    for path in GOLDENS.iterdir():
        kept, made = (json.loads(each.read_text("utf-8")) for each in (path, tmp_path / path.name))
        kept_scores, made_scores = kept.pop("scores"), made.pop("scores")
        assert made == kept
        assert made_scores.keys() == kept_scores.keys()
        for place in kept_scores:
            assert made_scores[place] == pytest.approx(kept_scores[place], rel=1e-12, abs=0)


def test_every_option_is_of_a_call_that_there_is() -> None:
    assert PEERS.keys() <= {contract.variant.live for contract in CONTRACTS}
