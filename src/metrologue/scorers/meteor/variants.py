"""The variants of METEOR: the programs and libraries that are mirrored, and the parameters of METEOR 1.5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from metrologue.errors import InputError, shown
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.text.lexicon.locate import LANGUAGES

STAGES = ("exact", "stem", "synonym", "paraphrase")


class Task(NamedTuple):
    """METEOR 1.5's parameters and stage weights, tuned to one kind of human judgement."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


# The tasks of METEOR 1.5 by language; "*" is any language.
TASKS: dict[str, dict[str, Task]] = {
    "rank": {
        "en": Task(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
        "cz": Task(0.95, 0.2, 0.6, 0.8, (1.0, 0.4)),
        "fr": Task(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4)),
        "es": Task(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6)),
        "de": Task(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2)),
        "ru": Task(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5)),
    },
    "adq": {"en": Task(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8))},
    "hter": {"en": Task(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8))},
    "util": {"en": Task(0.65, 0.1, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8))},
    "li": {"*": Task(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5))},
    "tune": {"*": Task(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5))},
}
# The stages for which METEOR 1.5 has data. A language that is not listed has the stages "exact" and "stem".
_STAGES_OF = {
    "en": STAGES,
    **dict.fromkeys(("fr", "es", "de", "ru"), ("exact", "stem", "paraphrase")),
    "cz": ("exact", "paraphrase"),
    "other": ("exact",),
}
LANGUAGE_CODES = {full: short for short, full in LANGUAGES.items()} | {short: short for short in LANGUAGES}
LANGUAGE_CODES |= {"cs": "cz", "sv": "se"}


def language_code(name: str) -> str:
    """METEOR 1.5's short name of a language.

    Parameters
    ----------
    name : str
        One of ``metrologue.text.lexicon.LANGUAGES``, or its long name; also "cs" and "sv".

    Raises
    ------
    InputError
        If METEOR 1.5 does not know the language.

    Examples
    --------
    >>> language_code("german"), language_code("de"), language_code("cs")
    ('de', 'de', 'cz')
    """
    if not isinstance(name, str) or str.__str__(name) not in LANGUAGE_CODES:
        raise InputError(f"Meteor: `language` is {shown(name)}; one of {', '.join(LANGUAGES)} is expected.")
    return LANGUAGE_CODES[str.__str__(name)]


def task_fields(task: str | None = None, language: str = "en") -> dict[str, Any]:
    """The field values for a task of METEOR 1.5 (its options -t and -l).

    Parameters
    ----------
    task : str, optional
        "rank", "adq", "hter", "util", "li" (the same for all languages) or "tune". The default is "rank" if METEOR 1.5
        was tuned to it in this language, otherwise "li".
    language : str
        One of ``metrologue.text.lexicon.LANGUAGES``.

    Returns
    -------
    dict
        Values of language, stages, weights, alpha, beta, gamma and delta.

    Raises
    ------
    InputError
        If the task or the language is unknown, or if METEOR 1.5 was not tuned to the task in this language.

    Examples
    --------
    >>> task_fields("rank", "de")["stages"], task_fields("rank", "de")["weights"]
    (('exact', 'stem', 'paraphrase'), (1.0, 0.8, 0.2))
    """
    language = language_code(language)
    task = ("rank" if language in TASKS["rank"] else "li") if task is None else task
    if not isinstance(task, str) or task not in TASKS:
        raise InputError(f"Meteor: `task` is {shown(task)}; {' or '.join(TASKS)} is expected.")
    tuned = TASKS[task].get(language) or TASKS[task].get("*")
    if tuned is None:
        raise InputError(
            f"Meteor: the task {task!r} has no parameters for {language!r}, only for {', '.join(TASKS[task])}; "
            "take the task 'li', or give alpha, beta, gamma, delta and weights."
        )
    stages = _STAGES_OF.get(language, ("exact", "stem"))
    return {**tuned._asdict(), "language": language, "stages": stages, "weights": tuned.weights[: len(stages)]}


def default_weights(language: str, parameters: tuple[float, ...] | None) -> tuple[float, ...]:
    """The stage weights that METEOR 1.5 takes if none are given (no -w).

    Parameters
    ----------
    language : str
        As for ``task_fields``.
    parameters : alpha, beta, gamma and delta, or None
        None: any that are given (-p). They have the weights of the English task "adq" in English; 0 in any other
        language, for which the program has none and scores 0.

    Examples
    --------
    >>> default_weights("en", None), default_weights("de", None), default_weights("de", (0.95, 1.0, 0.55, 0.55))
    ((1.0, 1.0, 0.6, 0.8), (0.0, 0.0, 0.0, 0.0), (1.0, 0.8, 0.2))
    """
    language = language_code(language)
    names = (language, "*", *LANGUAGES)  # those of another language, if nobody gave any for this one
    tuned = [tasks[name] for name in names for tasks in TASKS.values() if name in tasks]
    found = [task.weights for task in tuned if task[:4] == parameters]
    return found[0] if found else TASKS["adq"]["en"].weights if language == "en" else (0.0,) * len(STAGES)


# The parameters of the first papers, which nltk kept: all stages have the same weight, and so have all words.
_FIRST: dict[str, Any] = {
    "stages": STAGES[:3],
    "weights": (1.0, 1.0, 1.0),
    "function_words": None,
    "alpha": 0.9,
    "beta": 3.0,
    "gamma": 0.5,
    "penalize_whole": True,
    "delta": 1.0,
}
_NLTK: dict[str, Any] = {
    "lowercase": True,
    "aligner": "greedy",
    "stemmer": "porter",
    "synonyms": "wordnet",
    "arithmetic": "product",
    **_FIRST,
    "aggregation": "mean",
}

VARIANTS: Mapping[str, Variant] = {
    "meteor-1.5": Variant(
        "meteor", "the jar with -l en: parameters for ranking in English, words as they are, summed counts",
        live="meteor-1.5.meteor", needs=("meteor-1.5", "java"),
        recommended=Recommended(
            "it is the authors' program, for English; its tables come with the extra `meteor`",
            "denkowski-lavie-2014-meteor",
        ),
    ),
    "meteor-1.5-norm": Variant(
        "meteor", "the jar with -l en -norm, for raw text: lower case, punctuation apart",
        {"tokenizer": "meteor-1.5-norm"}, live="meteor-1.5.meteor", options={"norm": True},
        needs=("meteor-1.5", "java"),
    ),
    "meteor-1.5-lower": Variant(
        "meteor", "the jar with -l en -lower, for tokenized text: lower case",
        {"tokenizer": "meteor-1.5:lowercase=true"}, live="meteor-1.5.meteor", options={"lower": True},
        needs=("meteor-1.5", "java"),
    ),
    "pycocoevalcap": Variant(
        "pycocoevalcap", "the same jar with -l en -norm, by its line protocol",
        {"tokenizer": "meteor-1.5-norm", "protocol": True}, live="pycocoevalcap.meteor", needs=("meteor-1.5", "java"),
    ),
    "coco": Variant(
        "pycocoevalcap", "METEOR of COCO's table: the same jar after pycocoevalcap's PTB tokenizer",
        {"tokenizer": "meteor-1.5-norm:ptb=true"}, live="pycocoevalcap.coco_meteor", needs=("meteor-1.5", "java"),
    ),
    "meteor-1.0": Variant(
        "meteor",
        "by definition, checked against one published score: three stages of equal weight, normalized English",
        {"tokenizer": "meteor-1.5-norm", "aligner": "paper", **_FIRST}, needs=("meteor-1.5",), version="1.0",
    ),
    "nltk": Variant(
        "nltk", "meteor_score over text.split(): greedy matches, synonyms of stems, the mean of the segments",
        {"tokenizer": "whitespace", **_NLTK}, live="nltk.meteor", needs=("wordnet",),
    ),
    "nltk-3.6.2": Variant(
        "nltk", "meteor_score up to 3.6.2: words that match by their stem can match again as synonyms",
        {"tokenizer": "whitespace", **_NLTK, "aligner": "greedy-again"}, needs=("wordnet",), version="3.6.2",
    ),
    "evaluate": Variant(
        "evaluate", "the Hub's `meteor`: nltk's meteor_score over tokens of word_tokenize",
        {"tokenizer": "nltk-words", **_NLTK}, live="evaluate.meteor", needs=("wordnet", "punkt"),
    ),
}  # fmt: skip
