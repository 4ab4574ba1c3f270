"""What the contract has to know of a live call: how its options are drawn, and which of our fields mirror them.

A call that is not here has no options. What a library gets wrong is left out, and pinned in the tests of its metric.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from layouts import CLASSIFICATION
from strategies import (
    Corpus,
    blank_corpora,
    label_corpora,
    letter_corpora,
    marked_corpora,
    probability_lines,
    short_corpora,
    shuffled_corpora,
    summary_corpora,
    tag_corpora,
)

__all__ = ["PEERS", "TEXTS", "Options", "Peer"]

Options = dict[str, Any]
Call = tuple[Options, Options]  # of the library; the fields of ours

LINE_END = re.compile("[\n\x0b\x0c\r\x85\u2028\u2029]")
# METEOR's protocol drops these at either end of a text.
CONTROLS = "".join(map(chr, range(0x21)))


@dataclass(frozen=True)
class Peer:
    """Facts on one live call.

    Attributes
    ----------
    calls : strategy of (options, fields), or None
        None where it has no options.
    absolute : float
        By how much its numbers may differ, however small they are: float32 knows 1 less a share to that.
    prepared : callable
        A text as the call can take it: a line of a protocol has no line end.
    reference : callable
        The same, of a reference.
    told : callable
        Whether a number of the call, under these options, is one to compare.
    whole : callable
        Whether its number of a corpus is one to compare; those of the segments are.
    needs : tuple of str
        Data that some of the options need.
    is_even : bool
        Whether it refuses segments with different numbers of references.
    """

    calls: st.SearchStrategy[Call] | None = None
    absolute: float = 0.0
    prepared: Callable[[str], str] = lambda text: text
    reference: Callable[[str], str] = lambda text: text
    told: Callable[[str, Options], bool] = lambda key, options: True
    whole: Callable[[Options], bool] = lambda options: True
    needs: tuple[str, ...] = ()
    is_even: bool = False

    def corpus(self, corpus: Corpus) -> Corpus:
        """The corpus as the call can take it."""
        predictions, references = corpus
        fewest = min(map(len, references)) if self.is_even else None
        return [*map(self.prepared, predictions)], [
            [*map(self.reference, map(self.prepared, own))][:fewest] for own in references
        ]


def same_names(**options: st.SearchStrategy[Any]) -> st.SearchStrategy[Call]:
    """Options that our fields are called after; each may be left out."""
    return st.fixed_dictionaries({}, optional=options).map(lambda given: (given, given))


def together(draw: st.DrawFn, *pairs: Call) -> Call:
    """Each of these options, or not, with its fields."""
    options: Options = {}
    fields: Options = {}
    for more, mirrored in pairs:
        if draw(flag):
            options |= more
            fields |= mirrored
    return options, fields


orders, flag = st.integers(1, 7), st.booleans()
betas = st.one_of(st.integers(0, 4), st.floats(0, 9, allow_subnormal=False))
weights = st.lists(st.floats(0.01, 1), min_size=1, max_size=6).map(tuple)
unit = st.floats(0, 1, allow_subnormal=False)
STEMMED: Call = ({"stem": True}, {"stemmer": "porter"})


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


# nltk's methods, ours, and the values that their one parameter is drawn from. Those from 5 on are of one segment.
NLTK_METHODS: dict[str, tuple[str, st.SearchStrategy[float] | None]] = {
    "method0": ("none", None),
    "method1": ("floor", st.floats(1e-6, 2)),
    "method2": ("add-k", None),
    "method3": ("exp", None),
    "method4": ("chen-cherry-4", st.floats(1, 9)),
    "method5": ("chen-cherry-5", None),
    "method6": ("chen-cherry-6", st.floats(0.5, 9)),
    "method7": ("chen-cherry-7", st.floats(1, 9)),
}
OF_ONE_SEGMENT = ("method5", "method6", "method7")


@st.composite
def nltk_bleu(draw: st.DrawFn, methods: tuple[str, ...] = tuple(NLTK_METHODS)) -> Call:
    method = draw(st.sampled_from(methods))
    name, values = NLTK_METHODS[method]
    chosen = draw(weights.filter(lambda drawn: len(drawn) > 2 or method != "method6"))
    fields = {} if method == "method0" else {"smoothing": name}
    options, more = draw(same_names(auto_reweigh=flag, **({} if values is None else {"smooth_value": values})))
    return {"smooth": method, "weights": chosen, **options}, {**fields, "weights": chosen, **more}


@st.composite
def bleuscore_bleu(draw: st.DrawFn) -> Call:
    options, fields = draw(same_names(max_order=orders, reference_length=st.sampled_from(["shortest", "closest"])))
    smooth = together(draw, ({"smooth": True}, {"smoothing": "add-k", "smooth_from": 1}))
    return options | smooth[0], fields | smooth[1]


@st.composite
def torchmetrics_bleu(draw: st.DrawFn) -> Call:
    options, fields = draw(same_names(max_order=orders))
    if draw(flag):
        options = fields = {"weights": (chosen := draw(weights)), "max_order": len(chosen)}
    smooth = together(draw, ({"smooth": True}, {"smoothing": "add-k"}))
    return options | smooth[0], fields | smooth[1]


@st.composite
def with_tokens(draw: st.DrawFn, calls: st.SearchStrategy[Call]) -> Call:
    """Calls of a module of the Hub, which takes a tokenizer."""
    options, fields = draw(calls)
    more = together(draw, ({"tokenize": str.split}, {"tokenizer": "whitespace"}))
    return options | more[0], fields | more[1]


google_bleu = st.tuples(orders, orders).map(
    lambda drawn: ({"min_len": drawn[0], "max_len": drawn[1]}, {"min_order": drawn[0], "max_order": drawn[1]})
)


@st.composite
def sacrebleu_chrf(draw: st.DrawFn) -> Call:
    names = {"char_order": st.integers(0, 10), "beta": st.integers(0, 5), "lowercase": flag, "whitespace": flag}
    options, fields = draw(same_names(**names))
    options = fields = {**options, "word_order": draw(st.integers(options.get("char_order", 6) == 0, 4))}
    if draw(flag):
        fields = {**fields, "average": "fscore", "effective_order": False, "smoothing": "epsilon"}
        options = {**options, "eps_smoothing": True}
    return options, fields


@st.composite
def nltk_chrf(draw: st.DrawFn) -> Call:
    least = draw(st.integers(1, 5))
    options = {
        "min_char_order": least,
        "char_order": least + draw(st.integers(0, 5)),
        "beta": float(draw(betas)),
        "whitespace": draw(flag),
    }
    return options, options


torchmetrics_chrf = same_names(
    char_order=st.integers(1, 7), word_order=st.integers(0, 4), beta=betas.map(float), lowercase=flag, whitespace=flag
)
rouge_types = st.lists(
    st.sampled_from([*(f"rouge{n}" for n in range(1, 10)), "rougeL", "rougeLsum"]), min_size=1, unique=True
).map(tuple)


@st.composite
def rouge_score(draw: st.DrawFn) -> Call:
    chosen = draw(rouge_types)
    ways: list[Call] = [({}, {}), STEMMED, ({"tokenize": "whitespace"}, {"tokenizer": "whitespace"})]
    options, fields = draw(st.sampled_from(ways))
    split = together(draw, ({"split_summaries": True}, {"sentences": "punkt"}))
    return {**options, "types": chosen, **split[0]}, {**fields, "types": chosen, **split[1]}


@st.composite
def hub_rouge(draw: st.DrawFn) -> Call:
    seed = draw(st.integers(0, 2**32 - 1))
    chosen = draw(rouge_types)
    ways: list[Call] = [({}, {}), STEMMED, ({"tokenize": str.split}, {"tokenizer": "whitespace"})]
    options, fields = draw(st.sampled_from(ways))
    mean = together(draw, ({"aggregate": False}, {"aggregation": "mean"}))
    own: Options = {"types": [*chosen], "seed": seed}
    return {**options, **own, **mean[0]}, {**fields, "types": chosen, "seed": seed, **mean[1]}


def skipped(order: int, gap: int | None) -> tuple[str, ...]:
    """All types of ROUGE-1.5.5 and its twin."""
    skip = "*" if gap is None else gap
    return (
        *(f"rouge{n}" for n in range(1, order + 1)),
        "rougeL",
        "rougeLsum",
        "rougeW",
        f"rougeS{skip}",
        f"rougeSU{skip}",
    )


@st.composite
def script(draw: st.DrawFn, gaps: st.SearchStrategy[int | None]) -> Call:
    """What ROUGE-1.5.5 and its twin are asked for alike."""
    order, gap, weight = draw(st.integers(1, 6)), draw(gaps), draw(st.sampled_from([1.0, 1.2, 2.5, 4.0]))
    alpha = draw(st.sampled_from([0.0, 0.2, 0.3, 0.5, 0.9, 1.0]))
    beta = math.sqrt(1 / alpha - 1) if alpha else math.inf
    return (
        {"max_order": order, "gap": gap, "alpha": alpha, "weight": weight},
        {"types": skipped(order, gap), "beta": beta, "lcs_weight": weight},
    )


@st.composite
def py_rouge(draw: st.DrawFn) -> Call:
    options, fields = draw(script(st.one_of(st.none(), st.integers(1, 12))))
    best = together(draw, ({"multi_ref": "best"}, {"multi_reference": "best-recall"}))
    return options | best[0], fields | best[1]


@st.composite
def perl_rouge(draw: st.DrawFn) -> Call:
    options, fields = draw(script(st.sampled_from([None, 0, 1, 4, 11])))
    more = together(
        draw,
        ({"multi_ref": "best"}, {"multi_reference": "best-1.5.5"}),
        ({"stem": True}, {"stemmer": "porter-1.5.5"}),
        ({"drop_stop_words": True}, {"stop_words": True}),
        draw(st.sampled_from([({"word_limit": 7}, {"max_words": 7}), ({"byte_limit": 25}, {"max_bytes": 25})])),
    )
    return options | more[0], fields | more[1]


@st.composite
def rouge_by_order(draw: st.DrawFn) -> Call:
    order = draw(st.integers(1, 5))
    return {"max_order": order}, {"types": (*(f"rouge{n}" for n in range(1, order + 1)), "rougeL", "rougeLsum")}


@st.composite
def sumeval(draw: st.DrawFn) -> Call:
    order, alpha = draw(st.integers(1, 5)), draw(st.sampled_from([0.2, 0.5, 0.9]))
    types = (*(f"rouge{n}" for n in range(1, order + 1)), "rougeL")
    options, fields = together(draw, ({"stopwords": False}, {"stop_words": False}))
    return {**options, "max_order": order, "alpha": alpha}, {**fields, "types": types, "beta": math.sqrt(1 / alpha - 1)}


@st.composite
def torchmetrics_rouge(draw: st.DrawFn) -> Call:
    chosen = draw(rouge_types)
    tokens: list[Call] = [
        ({"normalize": str}, {"tokenizer": "whitespace"}),
        ({"normalize": str.lower, "tokenize": str.split}, {"tokenizer": "whitespace", "lowercase": True}),
    ]
    options, fields = together(
        draw, ({"accumulate": "avg"}, {"multi_reference": "mean"}), STEMMED, draw(st.sampled_from(tokens))
    )
    return {**options, "types": chosen}, {**fields, "types": chosen}


ter = same_names(normalized=flag, no_punct=flag, asian_support=flag, case_sensitive=flag)


@st.composite
def rapidfuzz(draw: st.DrawFn) -> Call:
    kind, moves = draw(st.sampled_from([("Levenshtein", "none"), ("OSA", "adjacent"), ("DamerauLevenshtein", "any")]))
    options: Options = {"kind": kind}
    fields: Options = {"transpositions": moves, "normalization": "maximum"}
    if kind == "Levenshtein" and draw(flag):
        costs = options["weights"] = draw(st.tuples(*[st.integers(0, 5)] * 3))
        fields |= dict(zip(("insertion_cost", "deletion_cost", "substitution_cost"), costs, strict=True))
    return options, fields


nltk_distance = st.tuples(st.sampled_from([0, 1, 2, 3, 5, 0.5, 1.75, math.inf]), flag).map(
    lambda drawn: (
        {"substitution_cost": drawn[0], "transpositions": drawn[1]},
        {"substitution_cost": drawn[0], "transpositions": "any" if drawn[1] else "none"},
    )
)


@st.composite
def meteor(draw: st.DrawFn) -> Call:
    """Of METEOR 1.5 without its paraphrases, whose table takes long to load."""
    language = draw(st.sampled_from(["en", "en", "de", "fr", "es", "ru", "cz"]))
    known = {"en": ["exact", "stem", "synonym"], "cz": ["exact"]}.get(language, ["exact", "stem"])
    stages = tuple(draw(st.lists(st.sampled_from(known), min_size=1, unique=True)))
    shares = tuple(draw(st.sampled_from([0.1, 0.5, 0.8, 1.0])) for _ in stages)
    hundredths = (st.integers(0, 100 * most).map(lambda n: n / 100) for most in (1, 4, 1, 1))
    parameters = tuple(map(draw, hundredths))
    options: Options = {"language": language, "modules": stages, "weights": shares, "parameters": parameters}
    fields: Options = {"language": language, "stages": stages, "weights": shares}
    fields |= dict(zip(("alpha", "beta", "gamma", "delta"), parameters, strict=True))
    forms = {"": "", "lower": ":lowercase=true", "norm": f"-norm:language={language}"}
    form = draw(st.sampled_from([*forms]))
    options |= {"lower": form == "lower", "norm": form == "norm"}
    fields["tokenizer"] = f"meteor-1.5{forms[form]}"
    more = together(draw, ({"characters": True}, {"unit": "characters"}))
    return options | more[0], fields | more[1]


nist_orders = st.integers(1, 6).map(lambda n: ({"n": n}, {"max_order": n}))


@st.composite
def hub_nist(draw: st.DrawFn) -> Call:
    western, lowercase = draw(flag), draw(flag)
    tokenizer = f"nist:western={western},lowercase={western and lowercase}".lower()
    orders = draw(nist_orders)
    own = {"western_lang": western, "lowercase": lowercase}, {"tokenizer": tokenizer}
    return {**orders[0], **own[0]}, {**orders[1], **own[1]}


@st.composite
def nltk_meteor(draw: st.DrawFn) -> Call:
    options, fields = draw(same_names(alpha=unit, beta=st.floats(0, 9), gamma=unit, lowercase=flag))
    words = together(draw, ({"stem": False}, {"stages": ("exact", "synonym"), "weights": (1.0, 1.0)}))
    return {**options, **words[0]}, {**fields, **words[1]}


positive = st.floats(0.1, 20)


@st.composite
def pypi_hlepor(draw: st.DrawFn) -> Call:
    options, fields = draw(same_names(alpha=positive, beta=positive))
    if draw(flag):
        more = draw(st.tuples(*[positive] * 3))
        options = {**options, **dict(zip(("weight_elp", "weight_pos", "weight_pr"), more, strict=True))}
        fields = {**fields, "weights": more}
    if draw(flag):
        options, fields = {**options, "separate_punctuation": False}, {**fields, "tokenizer": "blank:stripped=true"}
    context = draw(st.integers(0, 6))
    return {**options, "n": context}, {**fields, "context": context}


@st.composite
def nltk_lepor(draw: st.DrawFn) -> Call:
    options, fields = draw(same_names(alpha=positive, beta=positive))
    words = together(draw, ({"tokenize": "whitespace"}, {"tokenizer": "whitespace"}))
    return {**options, **words[0]}, {**fields, **words[1]}


@st.composite
def charcut(draw: st.DrawFn) -> Call:
    size = draw(st.integers(1, 5))
    norm = together(draw, ({"alt_norm": True}, {"normalization": "hypothesis"}))
    return {"match_size": size, **norm[0]}, {"shortest": size, **norm[1]}


PATTERNS = ("the ", r"\s+", "[a-z]at", r"\d", r"\b", "", "a,b|c", "é?")


@st.composite
def hub_exact_match(draw: st.DrawFn) -> Call:
    # With an empty list, the Hub's module compares the whole columns: 1 or 0.
    chosen = draw(st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=3))
    options, fields = draw(same_names(ignore_punctuation=flag, ignore_numbers=flag))
    lower = together(draw, ({"ignore_case": True}, {"lowercase": True}))
    given = together(draw, ({"regexes": chosen}, {"regexes_to_ignore": chosen}))
    return {**options, **lower[0], **given[0]}, {**fields, **lower[1], **given[1]}


MEASURES = (
    "ttr", "root_ttr", "corrected_ttr", "herdan_c", "summer_s", "dugast_u", "maas_a2", "yule_k", "yule_i", "simpson_d",
    "msttr", "mattr", "hdd", "mtld",
)  # fmt: skip


@st.composite
def lexicalrichness(draw: st.DrawFn) -> Call:
    """Windows that fit into short texts. A measure that is undefined takes all others with it, so few are drawn."""
    chosen = tuple(draw(st.lists(st.sampled_from(MEASURES), min_size=1, max_size=3, unique=True)))
    options, fields = draw(same_names(window=st.integers(1, 6), draws=st.integers(1, 6)))
    threshold, discard = draw(st.floats(0, 0.99)), draw(flag)
    more = {"measures": chosen, "threshold": threshold, "discard": discard}
    ours = {"measures": chosen, "mtld_threshold": threshold, "msttr_rest": "drop-last" if discard else "keep"}
    return options | more, fields | ours


def six_words(text: str) -> str:
    """A text of six tokens: without one of equal length beside it, fast-bleu's number is not always the same."""
    return " ".join((text.split() * 6 + ["x"] * 6)[:6])


averages, zeros = st.sampled_from(["binary", "micro", "macro", "weighted"]), st.sampled_from(["warn", 0, 1])
some_labels = st.lists(st.sampled_from(["0", "1", "2", "ham", "é"]), min_size=1, unique=True)
of_hub_f1 = {"average": averages, "pos_label": st.sampled_from(["0", "1", "ham"]), "labels": some_labels}
of_labels = same_names(**of_hub_f1, zero_division=zeros)
several = st.sampled_from(["micro", "macro", "weighted"])


PEERS: dict[str, Peer] = {
    "evaluate.wiki_split": Peer(is_even=True),
    "scikit-learn.accuracy": Peer(same_names(normalize=flag)),
    "evaluate.accuracy": Peer(same_names(normalize=flag)),
    **{
        f"{library}.{name}": Peer(of_labels)
        for library in ("scikit-learn", "evaluate")
        for name in ("precision", "recall")
    },
    "scikit-learn.f1": Peer(of_labels),
    "scikit-learn.confusion_matrix": Peer(same_names(labels=some_labels)),
    "evaluate.f1": Peer(same_names(**of_hub_f1)),
    **{
        f"torchmetrics.{name}": Peer(same_names(average=several, zero_division=st.sampled_from([0, 1])))
        for name in ("precision", "recall", "f1")
    },
    "evaluate.seqeval": Peer(same_names(suffix=st.just(False))),
    "evaluate.word_length": Peer(with_tokens(st.just(({}, {})))),
    "evaluate.word_count": Peer(st.integers(1, 9).map(lambda most: ({"max_vocab": most}, {"vocabulary": most}))),
    # It has no F1 if a question has no span on one side.
    "evaluate-squad.cuad": Peer(prepared=lambda text: f"{text}\nword"),
    "evaluate-squad.squad_v2": Peer(same_names(no_answer_threshold=st.sampled_from([0.0, 1.0]))),
    # sacrebleu's add-k adds to the counts that it reports, too.
    "sacrebleu.bleu": Peer(
        sacrebleu_bleu(), told=lambda key, options: "count" not in key or options.get("smooth") != "add-k"
    ),
    "nltk.bleu": Peer(nltk_bleu(), whole=lambda options: options.get("smooth") not in OF_ONE_SEGMENT),
    "pycocoevalcap.bleu": Peer(same_names(max_order=st.integers(1, 4))),
    # The tokenizer answers line by line, and knows seven characters that end a line.
    "pycocoevalcap.coco_bleu": Peer(
        same_names(max_order=st.integers(1, 4)), prepared=lambda text: LINE_END.sub(" ", text)
    ),
    "pycocoevalcap.coco_rouge": Peer(prepared=lambda text: LINE_END.sub(" ", text)),
    "pycocoevalcap.coco_meteor": Peer(prepared=lambda text: LINE_END.sub(" ", text)),
    "pycocoevalcap.cider": Peer(same_names(sigma=st.floats(0.5, 50))),
    "pycocoevalcap.coco_cider": Peer(
        same_names(sigma=st.floats(0.5, 50)), prepared=lambda text: LINE_END.sub(" ", text)
    ),
    "bleuscore.bleu": Peer(bleuscore_bleu()),
    "torchmetrics.bleu": Peer(torchmetrics_bleu()),
    "evaluate.bleu": Peer(with_tokens(bleuscore_bleu().filter(lambda call: "reference_length" not in call[0]))),
    # The parts of its reading ease are added in another order.
    "readability.readability": Peer(absolute=1e-12),
    "lexicalrichness.lexical_diversity": Peer(lexicalrichness()),
    "lexical-diversity.lexical_diversity": Peer(
        st.tuples(st.integers(1, 6), st.integers(0, 12)).map(
            lambda drawn: (
                {"window": drawn[0], "least_length": drawn[1]},
                {"window": drawn[0], "mtld_least_length": drawn[1]},
            )
        )
    ),
    "nltk.self_bleu": Peer(
        nltk_bleu(methods=tuple(NLTK_METHODS)[:5]).map(
            lambda call: ({"smooth": "method0", **call[0]}, {"smoothing": "tiny", **call[1]})
        )
    ),
    "fast-bleu.self_bleu": Peer(same_names(max_order=st.integers(2, 6)), prepared=six_words),
    "sacrebleu.self_bleu": Peer(same_names(max_order=orders, lowercase=flag)),
    "nltk.nist_mt": Peer(nist_orders),
    "evaluate.nist_mt": Peer(hub_nist()),
    # In arrays of fixed width, a text loses U+0000 at its end, and perhaps the dot of this letter in lower case.
    "evaluate.exact_match": Peer(
        hub_exact_match(), prepared=lambda text: text.replace("\0", "").replace("\u0130", "I")
    ),
    "nltk.google_bleu": Peer(google_bleu),
    "nltk.ribes": Peer(same_names(alpha=unit, beta=unit)),
    "nltk.hlepor": Peer(nltk_lepor()),
    "pypi.hlepor": Peer(pypi_hlepor()),
    "evaluate.google_bleu": Peer(with_tokens(google_bleu)),
    **dict.fromkeys(
        # jiwer itself takes the columns then, and empty references too.
        ("evaluate.wer", "evaluate.cer"),
        Peer(st.sampled_from([({}, {}), ({"concatenate_texts": True}, {"empty": "insertions"})])),
    ),
    # The package divides by the number of the reference's words.
    "cer.character": Peer(reference=lambda text: text if text.split() else "a"),
    # The texts go through a file, line by line.
    "charcut.charcut_mt": Peer(charcut(), prepared=lambda text: text.replace("\n", " ")),
    "sacrebleu.chrf": Peer(sacrebleu_chrf()),
    "nltk.chrf": Peer(nltk_chrf()),
    "torchmetrics.chrf": Peer(torchmetrics_chrf),
    "rouge_score.rouge": Peer(rouge_score(), needs=("punkt",)),
    "evaluate.rouge": Peer(hub_rouge()),
    "rouge.rouge": Peer(rouge_by_order()),
    "rouge-metric.rouge": Peer(py_rouge()),
    "sumeval.rouge": Peer(sumeval()),
    "torchmetrics.rouge": Peer(torchmetrics_rouge()),
    # The script dies of ROUGE-W without a word in a reference; under each limit there is one.
    "rouge-1.5.5.rouge": Peer(perl_rouge(), reference=lambda text: f"gunman {text}"),
    "sacrebleu.ter": Peer(ter),
    "torchmetrics.ter": Peer(ter),
    # Without rho, an empty reference of Japanese divides by zero.
    "torchmetrics.eed": Peer(
        same_names(
            language=st.sampled_from(["en", "ja"]), alpha=positive, rho=positive, deletion=positive, insertion=positive
        )
    ),
    "torchmetrics.wil": Peer(absolute=1e-6),
    "rapidfuzz.edit_distance": Peer(rapidfuzz()),
    "rapidfuzz.normalized_distance": Peer(rapidfuzz()),
    "rapidfuzz.ratio": Peer(),
    "nltk.edit_distance": Peer(nltk_distance),
    "torchmetrics.edit_distance": Peer(same_names(substitution_cost=st.integers(0, 4))),
    "nltk.meteor": Peer(nltk_meteor()),
    "evaluate.meteor": Peer(same_names(alpha=unit, beta=st.floats(0, 9), gamma=unit)),
    # What its protocol does not give, the adapter makes of what it gives.
    "meteor-1.5.meteor": Peer(
        meteor(),
        prepared=lambda text: text.strip(CONTROLS),
        told=lambda key, options: key not in ("f1", "penalty"),
    ),
    "pycocoevalcap.meteor": Peer(prepared=lambda text: text.replace("\n", " ").replace("\r", " ")),
}

# Texts that are about what a metric looks at, beside those that every metric gets.
TEXTS: dict[str, st.SearchStrategy[Corpus]] = {
    **dict.fromkeys(CLASSIFICATION, label_corpora()),
    "cer": blank_corpora,
    "seqeval": tag_corpora(),
    "character": st.one_of(shuffled_corpora, blank_corpora),
    "charcut_mt": st.one_of(shuffled_corpora, marked_corpora, letter_corpora),
    "chrf": short_corpora,
    "edit_distance": letter_corpora,
    "eed": st.one_of(blank_corpora, marked_corpora),
    "hlepor": st.one_of(shuffled_corpora, blank_corpora),
    "mer": blank_corpora,
    "perplexity": probability_lines(),
    "ribes": shuffled_corpora,
    "rouge": summary_corpora,
    "ter": st.one_of(shuffled_corpora, marked_corpora),
    "wer": blank_corpora,
    "wil": blank_corpora,
    "wip": blank_corpora,
}
