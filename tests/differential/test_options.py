"""Every scorer beside every live library, under options drawn at random, on texts that no author would write.

A peer states how the options of one call of a library are drawn, and which of our fields mirror them; all else is
the same for all. What a library gets wrong is left out here by name, and pinned in the tests of its metric.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from compared import compared
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import BLANKS, characters, corpora

from metrologue.comparison.libraries import Library, Missing, get_library
from metrologue.errors import InputError
from metrologue.scorers import Scorer, get_scorer

pytestmark = pytest.mark.slow

Corpus = tuple[list[str], list[list[str]]]
Options = dict[str, Any]
Call = tuple[Options, Options]  # of the library; the fields of ours

# Texts of one alphabet of a few characters out of all of Unicode, and whitespace of every kind: much matches by chance.
blank = st.sampled_from([" ", " ", " ", "  ", *BLANKS])


@st.composite
def hostile_corpora(draw: st.DrawFn) -> Corpus:
    words = draw(st.lists(st.text(characters, min_size=1, max_size=5), min_size=1, max_size=6))

    def text() -> str:
        parts = draw(st.lists(st.tuples(st.sampled_from(words), blank), max_size=9))
        return draw(st.sampled_from(["", "", " ", "\n"])) + draw(st.sampled_from([1, 1, 1, 7])) * "".join(
            map("".join, parts)
        )

    count = draw(st.integers(1, 4))
    return [text() for _ in range(count)], [[text() for _ in range(draw(st.integers(1, 3)))] for _ in range(count)]


generated = st.one_of(corpora(), hostile_corpora())


@dataclass(frozen=True)
class Peer:
    """A library's number, and how its options are drawn.

    Attributes
    ----------
    calls : strategy of (options, fields)
    single : bool
        Whether it takes one reference only.
    tolerance, absolute : float
        By how much its number may differ, of the number and at all: none, but for rounding and float32.
    defined : callable
        Whether the library has numbers for a corpus under these options: what it gets wrong has tests of its own.
    """

    metric: str
    library: str
    calls: st.SearchStrategy[Call]
    variant: str | None = None
    single: bool = False
    tolerance: float = 1e-12
    absolute: float = 0.0
    defined: Callable[[Corpus, Options], bool] = lambda corpus, options: True

    def __str__(self) -> str:
        return f"{self.metric}-{self.variant or self.library}"

    @property
    def live(self) -> Library:
        library = get_library(self.library)
        if isinstance(status := library.status(), Missing):
            pytest.skip(f"{self.library}: {status}")
        return library

    def scorer(self, fields: Options) -> Scorer:
        kind = get_scorer(self.metric)
        name = self.variant or self.library
        return kind.variant(name, **fields) if name in kind.variants() else kind(**fields)


def same_names(**options: st.SearchStrategy[Any]) -> st.SearchStrategy[Call]:
    """Options that our fields are called after; each may be left out."""
    return st.fixed_dictionaries({}, optional=options).map(lambda given: (given, given))


orders, flag = st.integers(1, 7), st.booleans()
betas = st.one_of(st.integers(0, 4), st.floats(0, 9, allow_subnormal=False))
weights = st.lists(st.floats(0.01, 1), min_size=1, max_size=6).map(tuple)


@st.composite
def sacrebleu_bleu(draw: st.DrawFn) -> Call:
    options, fields = draw(same_names(lowercase=flag, max_order=orders, effective_order=flag))
    more = {
        "tokenize": draw(st.sampled_from(["13a", "intl", "char", "none", "zh"])),
        "smooth": draw(st.sampled_from(["exp", "none", "floor", "add-k"])),
    }
    if more["smooth"] in ("floor", "add-k"):
        more["smooth_value"] = draw(st.one_of(st.none(), st.floats(0, 2, allow_subnormal=False)))
    ours = {"tokenize": "tokenizer", "smooth": "smoothing"}
    return options | more, fields | {ours.get(key, key): value for key, value in more.items()}


@st.composite
def nltk_bleu(draw: st.DrawFn) -> Call:
    names = {"method0": "none", "method1": "floor", "method2": "add-k", "method3": "exp", "method4": "chen-cherry-4"}
    method, chosen = draw(st.sampled_from([*names])), draw(weights)
    fields = {} if method == "method0" else {"smoothing": names[method]}
    return {"smooth": method, "weights": chosen}, {**fields, "weights": chosen}


@st.composite
def bleuscore_bleu(draw: st.DrawFn) -> Call:
    options, fields = draw(same_names(max_order=orders, reference_length=st.sampled_from(["shortest", "closest"])))
    return (
        (options | {"smooth": True}, fields | {"smoothing": "add-k", "smooth_from": 1})
        if draw(flag)
        else (options, fields)
    )


@st.composite
def torchmetrics_bleu(draw: st.DrawFn) -> Call:
    options, fields = draw(same_names(max_order=orders))
    return (options | {"smooth": True}, fields | {"smoothing": "add-k"}) if draw(flag) else (options, fields)


@st.composite
def sacrebleu_chrf(draw: st.DrawFn) -> Call:
    names = {"char_order": st.integers(0, 8), "beta": st.integers(0, 5), "lowercase": flag, "whitespace": flag}
    options, fields = draw(same_names(**names))
    options = fields = {**options, "word_order": draw(st.integers(options.get("char_order", 6) == 0, 4))}
    if draw(flag):
        fields = {**fields, "average": "fscore", "effective_order": False, "smoothing": "epsilon"}
        options = {**options, "eps_smoothing": True}
    return options, fields


nltk_chrf = st.tuples(st.integers(1, 5), st.integers(0, 5), betas, flag).map(
    lambda drawn: (
        2
        * (
            {
                "min_char_order": drawn[0],
                "char_order": drawn[0] + drawn[1],
                "beta": float(drawn[2]),
                "whitespace": drawn[3],
            },
        )
    )
)
torchmetrics_chrf = same_names(
    char_order=st.integers(1, 7), word_order=st.integers(0, 4), beta=betas.map(float), lowercase=flag, whitespace=flag
)
kinds = st.lists(
    st.sampled_from([*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum"]), min_size=1, unique=True
)


@st.composite
def rouge_score(draw: st.DrawFn, bootstrap: bool = False) -> Call:
    chosen = tuple(draw(kinds))
    options, fields = {"types": chosen}, {"types": chosen}
    if bootstrap:
        options["bootstrap_seed"] = fields["seed"] = draw(st.integers(0, 2**32 - 1))
    if draw(flag):
        return options | {"stem": True}, fields | {"stemmer": "porter"}
    return (
        (options | {"tokenize": "whitespace"}, fields | {"tokenizer": "whitespace"})
        if draw(flag)
        else (options, fields)
    )


@st.composite
def py_rouge(draw: st.DrawFn) -> Call:
    order, gap = draw(st.integers(1, 5)), draw(st.one_of(st.none(), st.integers(1, 12)))
    skip = "*" if gap is None else str(gap)
    types = (
        *(f"rouge{n}" for n in range(1, order + 1)),
        "rougeL",
        "rougeLsum",
        "rougeW",
        f"rougeS{skip}",
        f"rougeSU{skip}",
    )
    alpha, weight = draw(st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0])), draw(st.floats(1, 4))
    options = {"max_order": order, "gap": gap, "alpha": alpha, "weight": weight}
    fields = {"types": types, "beta": math.sqrt(1 / alpha - 1) if alpha else math.inf, "weight": weight}
    return (
        (options | {"multi_ref": "best"}, fields | {"references": "best-recall"}) if draw(flag) else (options, fields)
    )


@st.composite
def rouge_by_order(draw: st.DrawFn) -> Call:
    order = draw(st.integers(1, 5))
    return {"max_order": order}, {"types": (*(f"rouge{n}" for n in range(1, order + 1)), "rougeL", "rougeLsum")}


@st.composite
def torchmetrics_rouge(draw: st.DrawFn) -> Call:
    chosen = tuple(kind for kind in draw(kinds) if kind != "rougeLsum") or ("rouge1",)
    options: Options = {"types": chosen}
    fields: Options = {"types": chosen}
    if draw(flag):
        options, fields = options | {"accumulate": "avg"}, fields | {"references": "average"}
    return (options | {"stem": True}, fields | {"stemmer": "porter"}) if draw(flag) else (options, fields)


ter = same_names(normalized=flag, no_punct=flag, asian_support=flag, case_sensitive=flag)


@st.composite
def rapidfuzz(draw: st.DrawFn) -> Call:
    kind = draw(st.sampled_from(["Levenshtein", "OSA", "DamerauLevenshtein"]))
    moves = {"Levenshtein": "none", "OSA": "adjacent", "DamerauLevenshtein": "any"}[kind]
    options, fields = {"kind": kind}, {"transpositions": moves, "normalization": "maximum"}
    if kind == "Levenshtein" and draw(flag):
        costs = draw(st.tuples(*[st.integers(0, 5)] * 3))
        options["weights"] = costs
        fields |= dict(zip(("insertion_cost", "deletion_cost", "substitution_cost"), costs, strict=True))
    return options, fields


nltk_distance = st.tuples(st.integers(0, 5), flag).map(
    lambda drawn: (
        {"substitution_cost": drawn[0], "transpositions": drawn[1]},
        {"substitution_cost": drawn[0], "transpositions": "any" if drawn[1] else "none"},
    )
)
nothing = st.just(({}, {}))
unit = st.floats(0, 1, allow_subnormal=False)


def has_sentences(corpus: Corpus, options: Options) -> bool:
    """`rouge` fails on a text without one."""
    return all(text.strip(".") for text in [*corpus[0], *(own[0] for own in corpus[1])])


FLOAT32 = {"tolerance": 1e-6, "absolute": 1e-6}
PEERS = [
    Peer("bleu", "sacrebleu", sacrebleu_bleu()),
    Peer("bleu", "nltk", nltk_bleu()),
    Peer("bleu", "pycocoevalcap", same_names(max_order=st.integers(1, 4))),
    Peer("bleu", "bleuscore", bleuscore_bleu()),
    Peer("bleu", "torchmetrics", torchmetrics_bleu(), **FLOAT32),
    Peer("chrf", "sacrebleu", sacrebleu_chrf()),
    Peer("chrf", "nltk", nltk_chrf, single=True),
    Peer("chrf", "torchmetrics", torchmetrics_chrf, **FLOAT32),
    Peer("rouge", "rouge_score", rouge_score()),
    Peer("rouge", "rouge_score", rouge_score(bootstrap=True), "evaluate"),
    Peer("rouge", "rouge", rouge_by_order(), single=True, defined=has_sentences),
    Peer("rouge", "rouge-metric", py_rouge()),
    Peer("rouge", "pycocoevalcap", nothing),
    Peer("rouge", "torchmetrics", torchmetrics_rouge(), **FLOAT32),
    Peer("ter", "sacrebleu", ter),
    Peer("ter", "torchmetrics", ter, **FLOAT32),
    *(Peer(rate, "jiwer", nothing, single=True) for rate in ("wer", "cer", "mer", "wil", "wip")),
    *(Peer(rate, "torchmetrics", nothing, single=True, **FLOAT32) for rate in ("wer", "cer", "mer", "wil", "wip")),
    Peer("edit_distance", "rapidfuzz", rapidfuzz(), single=True),
    Peer("edit_distance", "nltk", nltk_distance, single=True),
    Peer("edit_distance", "torchmetrics", same_names(substitution_cost=st.integers(0, 4)), single=True, **FLOAT32),
    Peer("meteor", "nltk", same_names(alpha=unit, beta=st.floats(0, 9), gamma=unit)),
]


def assert_alike(peer: Peer, ours: dict[str, float], theirs: dict[str, float], options: Options) -> None:
    """All that the library tells, but counts to which sacrebleu's add-k has added, and bleuscore's ratio to nothing."""
    keys = [
        key
        for key in theirs
        if not ("count" in key and options.get("smooth") == "add-k")
        and not (key == "length_ratio" and not ours["reference_length"])
    ]
    wrong = {
        key: (ours[key], theirs[key])
        for key in keys
        if not math.isclose(ours[key], theirs[key], rel_tol=peer.tolerance, abs_tol=peer.absolute)
    }
    assert not wrong
    compared(len(keys))


@pytest.mark.parametrize("peer", PEERS, ids=str)
@given(data=st.data(), corpus=generated)
def test_random_options(peer: Peer, data: st.DataObject, corpus: Corpus, request: pytest.FixtureRequest) -> None:
    if peer.metric == "meteor":
        request.getfixturevalue("lexical_data")
    if peer.single:
        corpus = corpus[0], [own[:1] for own in corpus[1]]
    options, fields = data.draw(peer.calls)
    assume(peer.defined(corpus, options))
    scorer, live = peer.scorer(fields), peer.live
    theirs = live.scores(peer.metric, *corpus, **options)
    if not math.isfinite(next(iter(theirs.values()))):  # errors are infinite, or not a number, of nothing
        with pytest.raises(InputError):
            scorer.corpus(*corpus)
        return
    assert_alike(peer, scorer.corpus(*corpus).scores, theirs, options)
    for prediction, own in zip(*corpus, strict=True):
        one = [prediction], [own]
        if not peer.defined(one, options):
            continue
        theirs = live.scores(peer.metric, *one, **options)
        if math.isfinite(next(iter(theirs.values()))):
            assert_alike(peer, scorer.corpus(*one).scores, theirs, options)
