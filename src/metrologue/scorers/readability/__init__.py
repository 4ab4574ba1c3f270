"""Readability: FKGL, Flesch's reading ease, Gunning fog, SMOG, ARI, Coleman-Liau and Dale-Chall, as programs count."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from metrologue.data.arrays import Flags, Floats
from metrologue.scorers.core.about import About
from metrologue.scorers.core.hints import other_letters, refuse_undefined
from metrologue.scorers.core.inputs import Input, texts
from metrologue.scorers.core.numbers import chosen, counted
from metrologue.scorers.core.options import option, with_default
from metrologue.scorers.core.rows import by_name, ratio
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.shapes import Tokenized
from metrologue.scorers.readability.measures import (
    MEASURES,
    NUMBERS,
    ari,
    coleman_liau,
    dale_chall,
    fkgl,
    flesch,
    gunning_fog,
    rounded_in_steps,
    smog,
)
from metrologue.scorers.readability.sentences import sample_of_sentences, sentence_counts
from metrologue.scorers.readability.variants import VARIANTS
from metrologue.scorers.readability.words import COUNTED, Rules, check_lists, counts_of_words, distinct_words
from metrologue.segments import Segments, View
from metrologue.text.scripts import Language
from metrologue.text.tokenizers import get_tokenizer

__all__ = ["Readability"]

# All but Dale-Chall, whose list of words is not ours to ship.
_WITHOUT_A_LIST = tuple(name for name in MEASURES if name != "dale_chall")
# The share of letters beyond ASCII from which text is hardly English.
_OTHER_LETTERS = 0.2


@dataclass(frozen=True, kw_only=True)
class Readability(Tokenized, Scorer):
    """How hard texts are to read, by seven formulas over the lengths of words and sentences. There are no references.

    FKGL, Gunning fog, SMOG, ARI and Coleman-Liau are school grades, so that lower is easier; so is Dale-Chall. Flesch's
    reading ease is higher for easier texts. All are made for English.

    The numbers of a corpus are those of the sums of its texts' counts, as EASSE prints FKGL; with
    ``aggregation="mean"`` they are means of the texts' own numbers, as MLflow gives those of textstat.

    Raises
    ------
    InputError
        If a list of words, a dictionary or a model of sentences is not installed; if a text has no word and `undefined`
        is "error".

    Notes
    -----
    The programs disagree about all that is counted, and each has its slips. EASSE's words are tokens, marks too, and
    its sentences are found in lower case; "tree" has no syllable. textstat keeps an apostrophe before any t, s, d, ve,
    ll or re, and a sentence of two words is none. The package readability takes capitals for consonants, so that "I"
    has no syllable, and adds 3.6365 to the Dale-Chall score of easy texts in place of hard ones. py-readability-metrics
    has 0.38 in FKGL, and "I" is a difficult word; it refuses texts of fewer than 100 words and SMOG of fewer than 30
    sentences, which have numbers here. textstat 0.7.3 gives an empty text a reading ease of 206.84.

    References
    ----------
    Kincaid et al. 1975, https://apps.dtic.mil/sti/citations/ADA006655; Flesch 1948,
    https://doi.org/10.1037/h0057532; Alva-Manchego et al. 2019, https://aclanthology.org/D19-3009, for EASSE.

    Examples
    --------
    >>> fields = {"tokenizer": "whitespace", "marks": "removed", "sentences": "endings"}
    >>> result = Readability(measures=("fkgl", "flesch"), **fields).corpus(["The physician prescribed a medication."])
    >>> round(result.value, 2), round(result.scores["flesch"], 2), result.scores["syllable_count"]
    (17.04, -18.2, 13)
    """

    name: ClassVar[str] = "readability"
    inputs: ClassVar[tuple[Input, ...]] = (texts("predictions"),)
    about: ClassVar = About(papers=("kincaid-etal-1975-derivation", "flesch-1948-yardstick"), two_texts=False)

    # fmt: off
    tokenizer: str = with_default("13a")
    lowercase: bool = True
    measures: tuple[str, ...] = option(
        _WITHOUT_A_LIST, stage="pairs", choice="measures",
        about="The numbers to give; `value` is the first one. By default all but Dale-Chall, whose list of easy words "
        "is in the package textstat.",
        one_of={one.name: one.about for one in NUMBERS},
    )
    marks: str = option(
        "words", stage="pairs", choice="marks", about="What punctuation is.",
        one_of={
            "words": "each token is a word, marks too",
            "removed": "all but letters, digits and underscores is removed from tokens, and empty ones are no words",
            "contractions": "the same, but an apostrophe stays before t, s, d, ve, ll and re",
            "skipped": "tokens of nothing but ASCII marks are no words",
            "single": "some single marks are no words",
        },
    )
    sentences: str = option(
        "punkt-of-tokens", stage="pairs", choice="sentences", about="What a sentence is.",
        one_of={
            "punkt-of-tokens": "what nltk's English model finds in the tokens, with spaces between them",
            "punkt": "what nltk's English model finds in the text",
            "endings": "what ends with full stops, exclamation or question marks, and has more than two words; a text "
            "has at least one",
            "lines": "a line that is not empty",
        },
    )
    syllables: str = option(
        "fast", stage="pairs", choice="syllables", about="How the syllables of a word are counted.",
        one_of={
            "fast": "groups of vowels, corrected by the patterns and the 61 words of Greg Fast's rule",
            "fast-cased": "the same in words as they are written: a capital is no vowel",
            "pairs": "each two vowels, without an e at the end; a word of three letters has one",
            "hyphens": "the parts between pyphen's hyphens",
            "dictionary": "the first pronunciation in nltk's CMU Pronouncing Dictionary; otherwise pyphen's hyphens",
        },
    )
    complex_words: str = option(
        "all", stage="pairs", choice="complex words",
        about="Which words of three or more syllables Gunning fog counts.",
        one_of={
            "all": "all",
            "lowercase": "those that begin with no capital and are no number",
            "unhyphenated": "those that begin with no capital and have no hyphen",
            "difficult": "those that are no easy words of Dale and Chall",
        },
    )
    difficult_words: str = option(
        "all", stage="pairs", choice="difficult words",
        about="Which words Dale-Chall counts if they are no easy words.",
        one_of={"all": "all", "lowercase": "those that begin with no capital and are no number"},
    )
    easy_words: str = option(
        "list", stage="pairs", choice="difficult words",
        about="Which words are easy. The list is Dale and Chall's, as textstat has it.",
        one_of={
            "list": "those of the list",
            "pieces": "also what tokenizers leave of contractions, such as n't; useful is missing (readability)",
            "stems": "those that have the Porter stem of one of the list",
        },
    )
    distinct_words: bool = option(
        False, stage="pairs", choice="difficult words",
        about="Whether a complex or difficult word counts once in a text. It is then a run of letters, digits, = and "
        "apostrophes, and no easy word.",
    )
    characters: str = option(
        "words", stage="pairs", choice="characters",
        about="The characters per word of ARI.",
        one_of={
            "words": "those of the words, per word",
            "tokens": "those of all tokens, per word",
            "per-token": "those of all tokens, per token",
        },
    )
    letters: str = option(
        "alphanumeric", stage="pairs", choice="letters",
        about="The letters of Coleman-Liau.",
        one_of={"alphanumeric": "letters, digits and underscores", "all": "all characters of the words"},
    )
    smog_words: str = option(
        "all", stage="pairs", choice="SMOG",
        about="Which words of three or more syllables SMOG counts.",
        one_of={"all": "all", "complex": "the complex words of Gunning fog"},
    )
    smog_sentences: str = option(
        "all", stage="pairs", choice="SMOG",
        about="In which sentences SMOG counts.",
        one_of={
            "all": "in all",
            "sample": "in the first, the middle and the last ten of a text that has thirty, by nltk's English model",
        },
    )
    smog_constants: str = option(
        "published", stage="score", choice="SMOG", about="How SMOG is made of its count.",
        one_of={"published": "1.043 times the root, plus 3.1291", "simple": "the root, plus 3"},
    )
    fkgl_length: float = option(
        0.39, stage="score", choice="constants", greatest=10, about="The weight of words per sentence in FKGL."
    )
    coleman_liau_constants: str = option(
        "published", stage="score", choice="constants", about="The constants of Coleman-Liau.",
        one_of={
            "published": "0.0588, 0.296 and 15.8",
            "short": "0.058 in place of 0.0588",
            "exact": "5.879851, 29.58728 and 15.800804",
        },
    )
    dale_chall_added: str = option(
        "hard", stage="score", choice="constants", about="To which texts Dale-Chall adds 3.6365.",
        one_of={
            "hard": "to those with more than 5 per cent of difficult words",
            "easy": "to the others, by a slip (readability)",
        },
    )
    negative: str = option(
        "zero", stage="score", choice="negative grades", about="FKGL below 0.",
        one_of={"zero": "it is 0", "keep": "it stays"},
    )
    rounding: str = option(
        "none", stage="score", choice="rounding",
        about="Whether numbers are rounded.",
        one_of={
            "none": "they are not",
            "steps": "ratios are rounded to one or two decimals, and what is made of them too; SMOG of fewer than "
            "three sentences is 0, and the constants are those of textstat 0.7.3",
        },
    )
    undefined: str = option(
        "words", stage="score", choice="undefined", about="What has a number.",
        one_of={
            "words": "a text without a word or a sentence has 0 for each",
            "factors": "a number is 0 if a factor of it is 0, such as the syllables (textstat)",
            "error": "a text without a word or a sentence is an InputError",
        },
    )
    # fmt: on

    _columns = (
        "sentence_count", "word_count", "syllable_count", "complex_count", "difficult_count", "character_count",
        "character_word_count", "letter_count", "smog_word_count", "smog_sentence_count",
    )  # fmt: skip

    numbers: ClassVar = (
        chosen("measures", *NUMBERS),
        counted("sentence_count", "sentences", about="sentences"),
        counted("word_count", "words", about="words"),
        counted("syllable_count", "syllables", about="syllables of all words"),
    )

    def _derive(self) -> None:
        self._set_field(measures=tuple(dict.fromkeys(self.measures)))

    def _check_together(self) -> None:
        self._check("measures", bool(self.measures), "a list of at least one measure")

    @property
    def _usual(self) -> str:
        return self.measures[0]

    @property
    def _least_fkgl(self) -> float:
        return 0.0 if self.negative == "zero" and self.rounding == "none" else -math.inf

    @cached_property
    def _rules(self) -> Rules:
        of_fog = self.complex_words == "difficult" or self.distinct_words
        needs_easy_words = "dale_chall" in self.measures or (of_fog and "gunning_fog" in self.measures)
        return Rules(
            self.marks, self.syllables, self.complex_words, self.difficult_words, self.easy_words, needs_easy_words
        )

    def _statistics(self, segments: Segments) -> Floats:
        rules = self._rules
        check_lists(rules)
        view = self._view(segments)
        of_types = view.vocabulary.layer(("readability", rules), lambda types: counts_of_words(types, rules))
        offsets = view.offsets[: len(view) + 1]
        sums = np.concatenate([np.zeros((1, len(COUNTED))), np.cumsum(of_types[view.ids[: offsets[-1]]], axis=0)])
        counts = dict(zip(COUNTED, (sums[offsets[1:]] - sums[offsets[:-1]]).T, strict=True))
        sentences = self._sentences(segments, view)
        complex_words, difficult_words = counts["complex_words"], counts["difficult_words"]
        if self.distinct_words and rules.needs_easy_words:
            found = [distinct_words(text, rules) for text in self._texts(segments)]
            complex_words, difficult_words = np.array(found, np.float64).reshape(-1, 2).T
        long_words = counts["complex_words" if self.smog_words == "complex" else "long_words"]
        smog_words, smog_sentences = self._for_smog(segments, long_words, sentences)
        return np.column_stack(
            [
                sentences,
                counts["words"],
                counts["syllables"],
                complex_words,
                difficult_words,
                counts["word_characters" if self.characters == "words" else "characters"],
                counts["tokens" if self.characters == "per-token" else "words"],
                counts["letters" if self.letters == "alphanumeric" else "word_characters"],
                smog_words,
                smog_sentences,
            ]
        )

    def _texts(self, segments: Segments) -> list[str]:
        given: list[str] = segments.strings().to_pylist()
        return given

    def _sentences(self, segments: Segments, view: View) -> Floats:
        """The number of sentences of each text."""

        def count() -> Floats:
            if self.sentences != "punkt-of-tokens":
                return np.array(sentence_counts(self._texts(segments), self.sentences), np.float64)
            spellings, ids, limits = view.spellings(), view.ids.tolist(), view.offsets.tolist()
            tokens = (ids[limits[text] : limits[text + 1]] for text in range(len(view)))
            joined = [" ".join(map(spellings.__getitem__, own)) for own in tokens]
            return np.array(sentence_counts(joined, "punkt"), np.float64)

        own = (self.tokenizer, self.lowercase) if self.sentences == "punkt-of-tokens" else ()
        return segments.memoize(("readability", "sentences", self.sentences, self.unicode, *own), count)

    def _for_smog(self, segments: Segments, long_words: Floats, sentences: Floats) -> tuple[Floats, Floats]:
        """The long words, and the sentences in which they are."""
        if self.smog_sentences == "all" or "smog" not in self.measures:
            return long_words, sentences
        words, counts = long_words.copy(), sentences.copy()
        tokenize = get_tokenizer(self.tokenizer)
        column = COUNTED.index("complex_words" if self.smog_words == "complex" else "long_words")
        for index, text in enumerate(self._texts(segments)):
            if (sample := sample_of_sentences(text)) is not None:
                tokens = tokenize(sample.lower() if self.lowercase else sample)
                words[index], counts[index] = counts_of_words(tokens, self._rules)[:, column].sum(), 30
        return words, counts

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        counts = by_name(self._columns, statistics)
        sentences, words, syllables = (counts[f"{name}_count"] for name in ("sentence", "word", "syllable"))
        has_words = (words > 0) & (sentences > 0)
        if self.undefined == "error":
            refuse_undefined(self._label, ~has_words, "has no word; drop it, or give undefined='words'")
        if self.rounding == "steps":
            numbers = rounded_in_steps(counts)
        else:
            numbers = self._numbers(counts)
            defined = self._defined(counts) if self.undefined == "factors" else dict.fromkeys(numbers, has_words)
            numbers = {name: np.where(defined[name], value, 0.0) for name, value in numbers.items()}
        return {
            **{name: numbers[name] for name in self.measures},
            "sentence_count": sentences,
            "word_count": words,
            "syllable_count": syllables,
        }

    def _numbers(self, counts: Mapping[str, Floats]) -> dict[str, Floats]:
        """The value of each formula, also where it has no meaning."""
        sentences, words = counts["sentence_count"], counts["word_count"]
        length, syllables = ratio(words, sentences), ratio(counts["syllable_count"], words)
        grade = fkgl(length, syllables, self.fkgl_length)
        difficult = ratio(counts["difficult_count"], words) * 100
        return {
            "fkgl": np.maximum(grade, 0.0) if self.negative == "zero" else grade,
            "flesch": flesch(length, syllables),
            "gunning_fog": gunning_fog(length, ratio(counts["complex_count"], words) * 100),
            "smog": smog(ratio(counts["smog_word_count"], counts["smog_sentence_count"]), self.smog_constants),
            "ari": ari(length, ratio(counts["character_count"], counts["character_word_count"])),
            "coleman_liau": coleman_liau(counts["letter_count"], words, sentences, self.coleman_liau_constants),
            "dale_chall": dale_chall(length, difficult, (difficult > 5) == (self.dale_chall_added == "hard")),
        }

    def _defined(self, counts: Mapping[str, Floats]) -> dict[str, Flags]:
        """Where the factors of each number are above 0."""
        sentences, words = counts["sentence_count"] > 0, counts["word_count"] > 0
        syllables = words & sentences & (counts["syllable_count"] > 0)
        return {
            "fkgl": syllables,
            "flesch": syllables,
            "gunning_fog": words,
            "smog": sentences,
            "ari": words & sentences & (counts["character_count"] > 0),
            "coleman_liau": words & sentences & (counts["letter_count"] > 0),
            "dale_chall": words,
        }

    def _hints(self, segments: Segments, of_each: bool = False) -> list[str]:
        """A warning about text that is hardly English, for which no formula and no rule of syllables is made."""
        hints = super()._hints(segments, of_each)
        if (share := other_letters(segments)) > _OTHER_LETTERS:
            hints.append(
                f"{self._label}: {100 * share:.0f}% of the letters are no English ones. The formulas, the lists of "
                "words and the syllables are made for English, and say little of other text."
            )
        return hints

    @classmethod
    def _for_language(cls, language: Language) -> Mapping[str, Any]:
        """Nothing: another tokenizer would make no number of another language right."""
        return {}

    _variants: ClassVar = VARIANTS
