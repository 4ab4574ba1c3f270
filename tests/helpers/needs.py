"""What variants say that they need, and the fixtures that provide it or skip the test and say what to install."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from small_encoder import Letters
from small_model import WordModel
from small_trained import trained

from metrologue.representations import FunctionEntailment, FunctionSequence
from metrologue.representations.frames import FunctionLabeller
from metrologue.representations.parses import FunctionParser, Token
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.homes import folder_of
from metrologue.scorers.core.needs import model_field, model_kind, needs_model
from metrologue.scorers.judged import Judge

__all__ = [
    "CLAUSES",
    "FRAMES",
    "JUDGE",
    "PARSER",
    "PROGRAMS",
    "SAMPLED",
    "TRAINED",
    "WITH_ENCODER",
    "WITH_FRAMES",
    "WITH_PARSER",
    "data_of",
    "made",
    "provide",
    "small_model",
]

# The metrics that have no score without an encoder or a language model, or without a model trained for them.
TRAINED = tuple(name for name in list_scorers() if model_kind(get_scorer(name)) == "trained")
SAMPLED = tuple(name for name in TRAINED if (folder_of(name) / "sample").is_dir())
WITH_ENCODER = tuple(name for name in list_scorers() if needs_model(get_scorer(name)) or name in TRAINED)

# A language model of a few words.
WORDS = WordModel("words@1", math.e, {"the": -1.0, "really": -2.0, "That's": -3.0, "you": -1.5}, -6.0)

# The metrics that have no score without frames.
WITH_FRAMES = ("meant",)


def _first_words(texts: list[list[str]]) -> list[list[dict[str, Any]]]:
    """A frame for each text: its first word, with the others as what it is about."""
    return [[{"pred": (0, 1), "args": [("A1", 1, len(own))] if own[1:] else []}] if own else [] for own in texts]


FRAMES = FunctionLabeller("first", _first_words, "1")

# The metrics that have no score without a parser.
WITH_PARSER = ("peak", "spice", "tesla")

# Parses a word as itself, with its first letter as its tag. Nouns and adjectives take turns.
PARSER = FunctionParser(
    "letters",
    lambda texts: [
        [Token(w, w.lower(), w[0], "NOUN", at - 1, "amod" if at % 2 else "dep") for at, w in enumerate(text.split())]
        for text in texts
    ],
    "1",
)


def _clause(words: list[str]) -> list[Token]:
    """Every three words are a subject, a verb and an object."""
    kinds = [("nsubj", 1), ("ROOT", 0), ("dobj", -1)]
    found = []
    for place, word in enumerate(words):
        relation, step = kinds[place % 3]
        head = place + step if step and place + step < len(words) else -1
        found.append(Token(word, word.lower(), "", "", head, relation if head >= 0 else "ROOT"))
    return found


CLAUSES = FunctionParser("clauses", lambda texts: [_clause(text.split()) for text in texts], "1")


def _judged(premise: str, hypothesis: str) -> tuple[float, float, float]:
    """By the share of the hypothesis' words that the premise has; a hyphen before a word turns it round."""
    words, known = hypothesis.split(), {*premise.split()}
    entailed = sum(word in known for word in words) / len(words) if words else 0.0
    turned = sum((word[1:] if word[0] == "-" else f"-{word}") in known for word in words) / max(1, len(words))
    entailed = min(entailed, 1 - turned)
    return turned, 1 - entailed - turned, entailed


JUDGE = FunctionEntailment("words", _judged, "1")

# What a live library needs, and we do not: programs, and data.
PROGRAMS = ("java", "perl")
_OF_LIBRARIES = (*PROGRAMS, "perluniprops")
_FIXTURES = {
    "cmudict": "cmudict",
    "java": "java",
    "meteor-1.5": "meteor_tables",
    "perl": "perl",
    "perluniprops": "perluniprops",
    "punkt": "punkt_data",
    "textstat": "textstat",
    "wordnet": "wordnet",
}


def _said(source: str, target: str) -> list[float]:
    """Words that the source has are sure. A question is answered by how many words the first text has of the others."""
    if not source.startswith("question: "):
        return [0.0 if word in source.split() else -4.0 for word in target.split()] or [-1.0]
    own, *others = (part.partition(": ")[2].split() for part in source.split(" </s> ")[1:])
    known = {word for other in others for word in other} if others else {w for w in own if {*w} & {*"aeiou"}}
    share = min(max(sum(word in known for word in own) / max(len(own), 1), 1e-9), 1 - 1e-9)
    return [math.log(share if target == "Yes" else 1 - share)]


SAID = FunctionSequence("said", _said, "1")


def _common(texts: list[str], *others: Any) -> list[float]:
    """The words of a text that its references have, less those that they lack."""
    known = [{*(own if isinstance(own, str) else " ".join(own)).split()} for own in (others or [texts])[0]]
    pairs = [({*text.split()}, own) for text, own in zip(texts, known, strict=True)]
    return [float(len(words & own) - len(words - own)) for words, own in pairs]


COMMON = Judge("common", _common, "1")

# The metrics whose model is no encoder of texts.
_MODELS: dict[str, Callable[[], Any]] = {
    "nli_faithfulness": lambda: JUDGE,
    "judged": lambda: COMMON,
    **dict.fromkeys(("bartscore", "unieval"), lambda: SAID),
}


def data_of(*metrics: str) -> list[str]:
    """The lexical data that our numbers need, of all variants of these metrics."""
    variants = (variant for metric in metrics for variant in get_scorer(metric).variants().values())
    return sorted({need for variant in variants for need in variant.needs} - {*_OF_LIBRARIES})


def small_model(name: str) -> Any:
    """A small encoder, language model or trained model, for a metric that has no score without one."""
    if name in TRAINED:
        return trained(name)
    if name in _MODELS:
        return _MODELS[name]()
    return Letters() if model_kind(get_scorer(name)) == "encoder" else WORDS


def made(name: str, variant: str | None = None, **fields: Any) -> Scorer:
    """The scorer of a metric; with a small encoder, if it has no score without one."""
    kind = get_scorer(name)
    model = {str(model_field(kind)): small_model(name)} if name in WITH_ENCODER else {}
    if name == "usr":
        model |= {"context_encoder": Letters(), "fact_encoder": Letters()}
    if name in WITH_FRAMES or variant in ("yisi-1-srl", "yisi-2-srl"):
        model = {"frames": FRAMES}
    if (name, variant) in (("tesla", "tesla-m"), ("tesla", "tesla-m-2010")):
        model = {"parser": PARSER}
    if name == "peak" and variant == "dependency":
        model = {"parser": CLAUSES}
    few = {"neighbors": 1, "radius": "last"} if name == "huse" else {}  # for the few texts of a test
    values = {**model, **few, **fields}
    return kind.variant(variant, **values) if variant else kind(**values)


def provide(request: pytest.FixtureRequest, needs: Iterable[str]) -> None:
    """Have each of these at hand, or skip the test."""
    for need in needs:
        request.getfixturevalue(_FIXTURES[need])
