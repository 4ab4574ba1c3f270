"""The settings of a metric: every variant, and what becomes of it when a choice or two are changed.

The choices and their values come from the declarations of the fields and from the variants, so that a new field or a
new variant is searched as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from typing import Any

from metrologue.comparison.libraries.history import calls
from metrologue.data.strings import Strings
from metrologue.errors import InputError
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.engine import is_additive, with_fields
from metrologue.scorers.core.numbers import Chosen, Each
from metrologue.scorers.core.options import Choice, choices_of, field_types, item_type, options_of, stage_fields
from metrologue.text.scripts import SACREBLEU, letters_by_script
from metrologue.text.tokenizers.registry import canonical_name, missing_for, tokenizers_like

__all__ = [
    "ALL",
    "FIRST",
    "UNIQUE",
    "Alike",
    "Change",
    "Setting",
    "alternatives",
    "is_foreign",
    "likely_language",
    "missing_tokenizers",
    "moses_tokenizers",
    "rarity",
    "reads_tokens",
    "reporting",
    "settings",
    "telling",
    "tokenizers_of",
    "usual_settings",
]

# An int is tried from its least value to the greatest that a variant has, if that is not beyond this one.
_GREATEST = 10
# So many choices of the stage `read` change at once.
_READINGS = 2
# The choice of how segments are averaged, which decides what other choices do; and that of the case.
_AVERAGING, _CASE = "aggregation", "case"
# The texts that are compared, if nothing else is said; and parts of them.
ALL = "all"
FIRST, UNIQUE = "the first {} segments", "segments whose references did not occur before"

# The tokenizers that people name beside a score, the likelier first: those of sacrebleu's command, and nltk's.
_NAMED = (
    "13a", "whitespace", "intl", "zh", "moses", "nltk-words", "char", "ja-mecab", "ko-mecab", "flores200", "flores101",
    "spBLEU-1K", "compounds", "t2t", "mteval-v13a",
)  # fmt: skip

# Those that rewrite a short answer. Nobody compares sentences by them.
_OF_ANSWERS = {"text", "math", "drop", "squad"}
# Words that are common in one of these languages, for whose tokens papers ran Moses' tokenizer.
_COMMON = {
    "en": "the of and to is", "de": "der die und das nicht", "fr": "le les et des est", "es": "el los y del las",
    "it": "il di che non gli", "pt": "o os não do uma", "nl": "het een van en niet", "cs": "na je že se v",
    "ru": "и в не на что", "ro": "și de în nu care", "fi": "on ja ei se että", "pl": "w nie na się z",
    "hu": "a az és nem hogy", "sv": "och att det som på", "lv": "un ir ka no ar",
}  # fmt: skip

# The languages of scripts. So many of the letters are kana in Japanese, most others of which are Han.
_SCRIPTS, _KANA = {"Han": "zh", "Hiragana": "ja", "Katakana": "ja", "Hangul": "ko"}, 0.05

# A change of a choice: values of some of its fields.
Change = Mapping[str, Any]
# The class of values that have the same effect, by the name of a choice and the values of its fields.
Alike = Mapping[tuple[str, tuple[Any, ...]], int]


@dataclass(frozen=True)
class Setting:
    """A variant with some fields changed, and the texts that it compares.

    Attributes
    ----------
    metric, variant : str
    changes : mapping
        The values of fields that are not the variant's.
    steps : int
        How many choices are changed; the tokenizer and the case count once, together.
    texts : str
        Which texts are compared: "all", or another name that the search knows.
    """

    metric: str
    variant: str
    changes: Change = field(default_factory=dict)
    steps: int = 0
    texts: str = ALL

    def scorer(self) -> Scorer:
        """The scorer: the variant itself with its own numbers, or a changed one with the usual numbers.

        Raises an InputError if a changed field contradicts another one, such as an order with a smoothing of its own.
        """
        kind = get_scorer(self.metric)
        if not self.steps and not self.changes:
            return kind.variant(self.variant)
        return with_fields(kind, {**_fields(kind, self.variant), **self.changes})

    @property
    def key(self) -> str:
        """A text that no other setting has."""
        return repr((self.metric, self.variant, sorted(self.changes.items()), self.texts))

    @property
    def reading(self) -> tuple[Any, ...]:
        """What decides how text is read, after whether segments are drawn: settings with one reading share the work.

        Settings of two metrics share it where both have the same fields.
        """
        kind = get_scorer(self.metric)
        own = {**_values(kind, self.variant), **self.changes}
        return (
            not _is_sum(kind, own[_AVERAGING]),
            self.texts,
            *((name, own[name]) for name in stage_fields(kind, "read")),
        )


def tokenizers_of(kind: type[Scorer], field: str = "tokenizer") -> list[str]:
    """The tokenizers that a metric may have been computed with: those of its variants, then others, the common first.

    A metric of words may have been computed with every tokenizer, one of characters only with others of characters. The
    tokenizers that only metrics of other inputs use, such as those of lexical diversity, are left out.

    Examples
    --------
    >>> from metrologue.scorers import CharacterErrorRate
    >>> tokenizers_of(CharacterErrorRate)[:3]
    ['characters-stripped', 'characters', 'char']
    """
    own = [*dict.fromkeys(_value(kind, variant, field) for variant in kind.variants())]
    every = dict.fromkeys(name for one in own for name in tokenizers_like(one))
    foreign = {name for name, used in _used().items() if kind.input_names() not in used} | _OF_ANSWERS
    return [*dict.fromkeys([*own, *sorted((name for name in every if name not in foreign), key=rarity)])]


def likely_language(texts: Iterable[str]) -> str:
    """The language of texts, by their script or their commonest words; "" if neither says it.

    Examples
    --------
    >>> likely_language(["der Hund und die Katze"]), likely_language(["猫坐在垫子上"]), likely_language(["1 2 3"])
    ('de', 'zh', '')
    """
    lines = [*texts]
    letters = letters_by_script(Strings.of(lines))
    script = max(letters, key=letters.__getitem__, default="")
    if letters["Hiragana"] + letters["Katakana"] > _KANA * letters.total():
        script = "Hiragana"
    if script in _SCRIPTS:
        return _SCRIPTS[script]
    words = Counter(" ".join(lines).lower().split())
    counts = {code: sum(words[word] for word in _COMMON[code].split()) for code in _COMMON}
    language = max(counts, key=counts.__getitem__)
    return language if counts[language] else ""


def is_foreign(setting: Setting, language: str) -> bool:
    """Whether a setting cuts words by the rules of another language than that of the texts.

    Examples
    --------
    >>> [is_foreign(Setting("bleu", "get-ende-bleu"), language) for language in ("de", "zh", "")]
    [False, True, False]
    """
    kind = get_scorer(setting.metric)
    own = {**_values(kind, setting.variant), **setting.changes}
    for name in _tokenizer_fields(kind):
        tokenizer, _, options = str(own[name]).partition(":")
        chosen = dict(option.partition("=")[::2] for option in options.split(","))
        of = chosen.get("language", SACREBLEU.get(tokenizer))
        if of and language and of != language:
            return True
    return False


def moses_tokenizers(texts: Iterable[str]) -> list[str]:
    """Moses' tokenizer as papers ran it on texts of one language: its rules before and since 2018, -a, and compounds.

    Examples
    --------
    >>> moses_tokenizers(["der Hund und die Katze"])[0]
    'moses:language=de'
    """
    language = likely_language(texts)
    found = [
        canonical_name("moses", language=language if language in _COMMON else "en", final_period=final, **options)
        for options in ({}, {"compounds": True}, {"aggressive": True})
        for final in (False, True)
    ]
    return [] if missing_for("moses") else found


def missing_tokenizers(kind: type[Scorer]) -> dict[str, list[str]]:
    """The tokenizers that cannot be tried on this machine, by what they need."""
    found: dict[str, list[str]] = {}
    for field_ in _tokenizer_fields(kind):
        for name in tokenizers_of(kind, field_):
            if needed := missing_for(name):
                found.setdefault(needed, []).append(name)
    return {needed: [*dict.fromkeys(names)] for needed, names in found.items()}


def rarity(tokenizer: str) -> int:
    """How rare a tokenizer is: those that people name beside a score come first, then those that many metrics use.

    Examples
    --------
    >>> rarity("13a") < rarity("zh") < rarity("characters") < rarity("meteor-1.5-norm") <= rarity("graphemes")
    True
    """
    name, has_options, _ = tokenizer.partition(":")
    if name in _NAMED:
        return _NAMED.index(name) + len(_NAMED) * bool(has_options)
    used = _used()
    return len(_NAMED) + max(map(len, used.values())) - len(used.get(tokenizer, ()))


def is_likely(tokenizer: str) -> bool:
    """Whether people name a tokenizer beside a score, or somebody chose its options."""
    return ":" in tokenizer or rarity(tokenizer) < len(_NAMED)


@cache
def _used() -> Mapping[str, list[tuple[str, ...]]]:
    """The inputs of the metrics that have a variant with each tokenizer."""
    kinds = [get_scorer(name) for name in list_scorers()]
    pairs = [(name, each.input_names()) for each in kinds for name in _tokenizers(each)]
    return {name: [inputs for own, inputs in pairs if own == name] for name, _ in pairs}


def _tokenizers(kind: type[Scorer]) -> set[str]:
    """The tokenizers of the variants of a metric."""
    return {_value(kind, variant, name) for variant in kind.variants() for name in _tokenizer_fields(kind)}


def _tokenizer_fields(kind: type[Scorer]) -> list[str]:
    return [name for name, declared in options_of(kind).items() if declared.kind == "tokenizer"]


def _value(kind: type[Scorer], variant: str, name: str) -> Any:
    """The value of a variant's field; None if it follows from other fields."""
    return _values(kind, variant)[name]


@cache
def _values(kind: type[Scorer], variant: str) -> Mapping[str, Any]:
    """The value of each field of a variant; None if it follows from other fields."""
    return {**{name: getattr(kind, name) for name in options_of(kind)}, **_fields(kind, variant)}


@cache
def _fields(kind: type[Scorer], variant: str) -> Mapping[str, Any]:
    """The fields that a variant sets, but for those that only say which numbers are reported."""
    own = kind.variants()[variant].fields
    return {name: value for name, value in own.items() if name not in reporting(kind)}


def alternatives(kind: type[Scorer], tokenizers: Sequence[str] = ()) -> dict[Choice, list[Change]]:
    """What each choice can be changed to: values of a variant or of an older version, and those declared for a field.

    Numbers without names, tables and lists are only tried as a variant has them. A field that only says which numbers
    are reported, such as the types of ROUGE, keeps its default.

    Parameters
    ----------
    kind : class of a Scorer
    tokenizers : sequence of str
        Others to try; see ``tokenizers_of``.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> by_name = {choice.name: changes for choice, changes in alternatives(Bleu, ["nist:western=false"]).items()}
    >>> by_name["case"], by_name["tokenizer"][-1]
    ([{'lowercase': False}, {'lowercase': True}], {'tokenizer': 'nist:western=false'})
    """
    found: dict[Choice, list[Change]] = {}
    for choice in choices_of(kind):
        if {*choice.fields} & reporting(kind):
            continue
        changes = [{name: _value(kind, variant, name) for name in choice.fields} for variant in _mixed(kind)]
        changes += [{name: value} for name in choice.fields for value in _declared(kind, name, tokenizers)]
        changes += [{name: old[name] for name in choice.fields} for old in _older(kind) if {*choice.fields} & {*old}]
        found[choice] = [change for place, change in enumerate(changes) if change not in changes[:place]]
    return {choice: changes for choice, changes in found.items() if len(changes) > 1}


@cache
def _older(kind: type[Scorer]) -> tuple[Change, ...]:
    """The choices that older versions of libraries made otherwise, as the table of versions says."""
    found = []
    for call in calls(kind.name):
        newest = call.versions[-1]
        for run in call.versions[:-1]:
            changed = {*call.changed(run, newest)}  # none if a version has no variant
            own = [choice.fields for choice in choices_of(kind) if changed & {*choice.fields}]
            told = {**_values(kind, run.variant), **run.fields} if run.variant else {}
            found.append({name: told[name] for fields in own for name in fields})
    return tuple(found)


@cache
def _mixed(kind: type[Scorer]) -> tuple[str, ...]:
    """The variants whose choices are mixed."""
    return tuple(name for name, variant in kind.variants().items() if not variant.is_apart)


@cache
def reporting(kind: type[Scorer]) -> set[str]:
    """The fields that only say which numbers are reported: lists of which the metric's own number is one.

    Examples
    --------
    >>> from metrologue.scorers import Meteor, Rouge
    >>> reporting(Rouge), reporting(Meteor)
    ({'types'}, set())
    """
    scorer = kind()
    named = {
        one.attribute
        for one in kind.numbers
        if isinstance(one, Chosen | Each) and any(each.name == scorer.primary for each, _ in one.reported(scorer))
    }
    return {name for name in named if isinstance(getattr(kind, name, None), tuple)}


def _declared(kind: type[Scorer], name: str, tokenizers: Sequence[str]) -> list[Any]:
    """The values of a field that have names, and small numbers of things, such as the orders of n-grams."""
    declared, known = options_of(kind)[name], field_types(kind)[name]
    values = [_value(kind, variant, name) for variant in kind.variants()]
    if declared.kind == "tokenizer":
        return [*(each for each in tokenizers_of(kind, name) if not missing_for(each)), *tokenizers]
    if isinstance(values[0], tuple) or declared.kind is not None:
        return []
    if declared.one_of:
        return [*declared.one_of]
    if item_type(known) is bool:
        return [False, True]
    # A value that follows from other fields is None here.
    made = [getattr(kind.variant(variant), name) for variant in kind.variants()]
    if item_type(known) is int and None not in made and max(made) <= _GREATEST:
        derived = {each for each, value in zip(made, values, strict=True) if value is None}
        return [each for each in range(int(declared.least), max(made) + 1) if each not in derived]
    return []


def settings(
    kind: type[Scorer],
    found: Mapping[Choice, Sequence[Change]],
    most: int,
    texts: Sequence[str] = (ALL,),
    alike: Alike | None = None,
) -> Iterator[Setting]:
    """Every variant, and every variant with up to `most` choices changed; the fewest changes first, each setting once.

    The tokenizer and the case count as one choice, and so does which of the `texts` are compared. A tokenizer that
    nobody names beside a score changes alone, with the case.

    Parameters
    ----------
    kind : class of a Scorer
    found : mapping of Choice to sequence of mappings
        What each choice can be changed to; see ``alternatives``.
    most : int
    texts : sequence of str
        The names of the texts that can be compared, the usual ones first.
    alike : mapping, optional
        Values that give the same numbers, by ``telling``. Of settings with such values, one is given.

    Examples
    --------
    >>> from metrologue.scorers import GoogleBleu
    >>> for setting in list(settings(GoogleBleu, alternatives(GoogleBleu), 1))[:4]:
    ...     print(setting.variant, dict(setting.changes), setting.steps)
    evaluate {} 0
    nltk {} 0
    evaluate {'aggregation': 'mean'} 1
    nltk {'aggregation': 'mean'} 1
    """
    cutting = {*_tokenizer_fields(kind)}
    readings = [changes for choice, changes in found.items() if choice.stage == "read"]
    others = [changes for choice, changes in found.items() if choice.stage != "read"]
    together = cutting.union(*(choice.fields for choice in found if choice.name == _CASE))
    reads = [
        _Merged({}, 0),
        *(
            _Merged(read.values, 1 if {*read.values} <= together else read.size)
            for read in _merged(readings, range(1, _READINGS + 1))
        ),
    ]
    likely = [read for read in reads if all(is_likely(read.values[name]) for name in {*read.values} & cutting)]
    keys, seen = _Keys(kind, alike or {}), set()
    for steps in range(most + 1):
        for compared, read in [*product(texts[:1], reads if steps < 2 else likely), *product(texts[1:], reads[:1])]:
            own = read.size + (compared != texts[0])
            for other in _merged(others, [steps - own] if steps >= own else []):
                for variant in _mixed(kind) if steps else kind.variants():
                    changes = _differing(kind, variant, {**read.values, **other.values})
                    key = compared, keys.of(variant, changes)
                    if key not in seen or not steps:
                        seen.add(key)
                        yield Setting(kind.name, variant, changes, steps, compared)


def usual_settings(kind: type[Scorer], tokenizers: Iterable[str]) -> list[Setting]:
    """Each variant on the texts as they are, in lower case, and, if it takes tokenized files, on their tokens.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> [dict(each.changes) for each in usual_settings(Bleu, ["13a"]) if each.variant == "multi-bleu"]
    [{}, {'lowercase': True}, {'tokenizer': '13a'}, {'tokenizer': '13a', 'lowercase': True}]
    """
    found = []
    cases: list[Change] = [{}, {"lowercase": True}] if "lowercase" in options_of(kind) else [{}]
    for variant in kind.variants():
        cuts = [{}, *({"tokenizer": name} for name in tokenizers)] if reads_tokens(kind, variant) else [{}]
        for cut, case in product(cuts, cases):
            changes = _differing(kind, variant, {**cut, **case})
            found.append(Setting(kind.name, variant, changes, int(bool(changes))))
    return found


def reads_tokens(kind: type[Scorer], variant: str) -> bool:
    """Whether a variant expects tokens between whitespace."""
    own = kind.variants()[variant].fields.get("tokenizer", "")
    return str(own).partition(":")[0] in ("whitespace", "ascii-whitespace")


def telling(
    kind: type[Scorer], found: Mapping[Choice, Sequence[Change]], evaluate: Callable[[Sequence[Setting]], Sequence[Any]]
) -> tuple[dict[Choice, list[Change]], Alike]:
    """The changes that change a number, one of those that have the same effect; and which values have the same effect.

    Parameters
    ----------
    kind, found
        As for ``settings``.
    evaluate : callable
        Gives the numbers of settings on some texts of each system. Each change is tried on each variant, as the score
        of sums and as a mean of segments. How segments are averaged is kept as it is. A change that there was no time
        for is kept, too.
    """
    if not found:
        return {}, {}
    averaging = next((choice for choice in found if choice.name == _AVERAGING), None)
    base = [{_AVERAGING: value} for value in options_of(kind)[_AVERAGING].one_of or () if _is_sum(kind, value)]
    tried: list[Change] = [{}, *(change for choice in found if choice != averaging for change in found[choice])]
    places: dict[Any, int] = {}
    every: list[Setting] = []
    rows, keys = [], _Keys(kind, {})
    for change in tried:
        row = []
        for mean, variant in product(base, _mixed(kind)):
            changes = _differing(kind, variant, {**mean, **change})
            row.append(places.setdefault(keys.of(variant, changes), len(every)))
            if row[-1] == len(every):
                every.append(Setting(kind.name, variant, changes, steps=1))
        rows.append(row)
    numbers = [_rounded(each, place) for place, each in enumerate(evaluate(every))]
    effects = [tuple(numbers[at] for at in row) for row in rows]
    kept: dict[Choice, list[Change]] = {}
    alike: dict[tuple[str, tuple[Any, ...]], int] = {}
    place = 1
    for choice in found:
        if choice == averaging:
            kept[choice] = [*found[choice]]
            continue
        by_effect: dict[Any, Change] = {effects[0]: {}}
        cutting = all(name in _tokenizer_fields(kind) for name in choice.fields)
        for change in found[choice]:
            if cutting and effects[place] != effects[0]:  # of tokenizers that cut these texts alike, the likeliest
                known = by_effect.get(effects[place], change)
                by_effect[effects[place]] = min(known, change, key=lambda each: rarity(next(iter(each.values()))))
            by_effect.setdefault(effects[place], change)
            if change.keys() >= {*choice.fields}:
                values = tuple(change[name] for name in choice.fields)
                alike[choice.name, values] = [*by_effect].index(effects[place])
            place += 1
        if len(by_effect) > 1:
            kept[choice] = [*by_effect.values()][1:]
    return kept, alike


@cache
def _is_sum(kind: type[Scorer], averaging: str) -> bool:
    """Whether segments that are averaged in this way add up. A bootstrap takes its time, and says no more."""
    return is_additive(kind.variant(next(iter(kind.variants())), **{_AVERAGING: averaging}))


def _rounded(each: Sequence[Mapping[str, float] | InputError | None], place: int) -> Any:
    """The numbers of several systems, equal to others that are equal but for the last bits; the place if unknown."""
    if None in each:
        return place
    known = [numbers for numbers in each if numbers and not isinstance(numbers, InputError)]
    return tuple((name, f"{value:.9g}") for numbers in known for name, value in numbers.items())


@dataclass(frozen=True)
class _Merged:
    """Changes of several choices in one, and their number."""

    values: Change
    size: int


def _merged(choices: Sequence[Sequence[Change]], sizes: Iterable[int]) -> Iterator[_Merged]:
    for size in sizes:
        for some in combinations(choices, size):
            for changes in product(*some):
                yield _Merged({name: value for change in changes for name, value in change.items()}, size)


def _differing(kind: type[Scorer], variant: str, changes: Change) -> Change:
    return {name: value for name, value in changes.items() if value != _value(kind, variant, name)}


class _Keys:
    """The key of each setting of a metric: two settings with one key have the same numbers, but for the last bits.

    It has the values of all choices. Those of a variant are looked up once, however many settings change one.
    """

    def __init__(self, kind: type[Scorer], alike: Alike) -> None:
        self._kind, self._alike = kind, alike
        self._choices = choices_of(kind)
        self._of_field = {name: at for at, choice in enumerate(self._choices) for name in choice.fields}
        self._variants: dict[str, tuple[Any, ...]] = {}

    def of(self, variant: str, changes: Change) -> tuple[Any, ...]:
        if variant not in self._variants:
            own = _values(self._kind, variant)
            self._variants[variant] = tuple(self._value(at, own) for at in range(len(self._choices)))
        key = [*self._variants[variant]]
        if changed := {at for name in changes if (at := self._of_field.get(name)) is not None}:
            own = {**_values(self._kind, variant), **changes}
            for at in changed:
                key[at] = self._value(at, own)
        return tuple(key)

    def _value(self, at: int, own: Mapping[str, Any]) -> Any:
        choice = self._choices[at]
        value = choice.name, tuple([own[name] for name in choice.fields])
        return self._alike.get(value, value)
