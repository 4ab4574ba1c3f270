"""The configuration of a metric: checked fields, variants by name, and a signature that can be read back."""

from __future__ import annotations

import re
from abc import ABCMeta
from collections.abc import Mapping
from functools import cached_property
from inspect import Signature, signature
from typing import TYPE_CHECKING, Any, ClassVar, Self

from metrologue.data.named import NamedValue
from metrologue.deferred import Deferred
from metrologue.errors import InputError, instead_of, shown
from metrologue.scorers.core import options
from metrologue.scorers.core.homes import Registry
from metrologue.scorers.core.packages import SWITCH
from metrologue.scorers.core.research import how_to_install
from metrologue.scorers.core.variants import Variant, variant_of
from metrologue.text.lexicon.resource import Resource

# What follows from the defaults of a class whose scorer with these was checked.
_OF_DEFAULTS: dict[type, Mapping[str, Any]] = {}
# Stands for a default that is checked whenever a scorer is made. No value of a field is this object.
_CHECKED_ANEW = object()
# The reader of each program's own signatures.
_FOREIGN: Mapping[str, Any] = Deferred(
    {"sacrebleu": ("metrologue.scorers.core.sacrebleu_signatures", "read_signature")}
)

# Names of papers that are a setting of a metric: the metric, a field and its value.
_SETTINGS = {
    "spbleu": ("bleu", "tokenizer", "flores200"), "spbleu200": ("bleu", "tokenizer", "flores200"),
    "spbleu101": ("bleu", "tokenizer", "flores101"), "spbleu1k": ("bleu", "tokenizer", "spBLEU-1K"),
}  # fmt: skip
# Parts of a signature that are not fields.
_ABOUT = ("mirrors", "package", "metrologue", "variant")


class Described(ABCMeta):
    """The class of scorer classes. It refuses a field that they do not have, and says what to use instead; and it
    writes the section ``Parameters`` of their docstrings when somebody asks for it.
    """

    if not TYPE_CHECKING:  # so that type checkers see the fields of the dataclass

        @property
        def __signature__(cls) -> Signature:
            call = signature(cls.__init__)
            return call.replace(parameters=[*call.parameters.values()][1:])

        def __call__(cls, *arguments: Any, **values: Any) -> Any:
            if arguments:
                call = f"{cls.__name__}.variant({shown(arguments[0])})"
                raise InputError(f"{cls.__name__}: fields are given by their names; for a variant, a call is `{call}`.")
            for name in values:
                if name not in cls.__dataclass_fields__:
                    cure = instead_of(name, options.options_of(cls))
                    raise InputError(f"{cls.__name__}: unknown field {shown(name)}; {cure}")
            return super().__call__(**values)

    @property
    def __doc__(cls) -> str | None:  # type: ignore[override]  # an attribute, for which Python takes a property too
        own: str | None = vars(cls).get("__doc__")
        if "__dataclass_params__" in vars(cls) and "__match_args__" not in vars(cls):
            return own or cls.__name__  # `dataclass` asks whether there is one, before the class has all its fields
        if own is None:
            return None
        from metrologue.scorers.core.described import with_parameters

        return with_parameters(cls, own)


class Configuration(metaclass=Described):  # its subclass Scorer has the abstract methods
    """The fields of a metric, a frozen dataclass. Two metrics with equal fields are equal."""

    # The class of each metric, by the metric's name.
    _registered: ClassVar[Registry] = Registry()

    name: ClassVar[str]
    _variants: ClassVar[Mapping[str, Variant]] = {}

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "name" in cls.__dict__:
            Configuration._registered.enter(cls.name, cls)

    def __post_init__(self) -> None:
        kind, values = type(self), self.__dict__
        kinds, defaults = options.field_types(kind), options.settled_defaults(kind)
        given = [name for name in kinds if values[name] is not defaults.get(name, _CHECKED_ANEW)]
        if not given and kind in _OF_DEFAULTS:
            values.update(_OF_DEFAULTS[kind])
            return
        declared = options.options_of(kind)
        for name in given:
            value = values[name]
            try:
                if callable(value) and (named := options.NAMED_FUNCTIONS.get(declared[name].kind or "")):
                    value = named(value)
                self._set_field(**{name: options.converted(value, kinds[name])})
            except UnicodeEncodeError:
                raise self._refused(name, "text without lone surrogates") from None
            except (TypeError, ValueError, OverflowError) as error:
                if isinstance(error, InputError) and issubclass(options.item_type(kinds[name]), NamedValue):
                    raise InputError(f"{self._label}: `{name}`: {error}") from error
                raise self._refused(name, options.described(kinds[name])) from None
        self._derive()
        for name in [name for name in declared if values[name] is not defaults.get(name, _CHECKED_ANEW)]:
            if expected := options.refusal(kind, name, values[name]):
                raise self._refused(name, expected)
            try:
                self._set_field(**{name: options.canonical(declared[name], values[name])})
            except InputError as error:
                raise InputError(f"{self._label}: `{name}`: {error}") from None
        for name in options.fitted_fields(kind):
            _check_table(self, name, getattr(self, name))
        self._check_together()
        if not given and not options.table_fields(kind):  # a name of a table may stand for another one later
            _OF_DEFAULTS[kind] = {name: values[name] for name in kinds if values[name] is not defaults[name]}

    def __getstate__(self) -> dict[str, Any]:
        """The scorer without what was computed from its fields once: a copy computes that anew."""
        kind = type(self)
        kept = (name for name in vars(self) if not isinstance(getattr(kind, name, None), cached_property))
        return {name: getattr(self, name) for name in kept}

    def _derive(self) -> None:  # most metrics have nothing to derive
        """Set the fields that are None because their values depend on other fields."""

    def _check_together(self) -> None:
        """Refuse fields that contradict each other."""

    def _set_field(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @cached_property
    def _label(self) -> str:
        return type(self).__name__

    def _refused(self, name: str, expected: str) -> InputError:
        return InputError(f"{self._label}: `{name}` is {shown(getattr(self, name))}; {expected} is expected.")

    def _check(self, name: str, holds: bool, expected: str) -> None:
        """Raise an InputError unless `holds`; the message says what is expected of the field."""
        if not holds:
            raise self._refused(name, expected)

    def _key(self, stage: str) -> tuple[object, ...]:
        """A key for the outcome of a stage: two scorers with equal keys have the same outcome."""
        return (type(self), stage, *(getattr(self, name) for name in options.stage_fields(type(self), stage)))

    @classmethod
    def variants(cls) -> dict[str, Variant]:
        """The variants of this metric by name: each gives the numbers of a library."""
        return dict(options.variants_of(cls))

    @classmethod
    def variant(cls, name: str, **overrides: Any) -> Self:
        """The scorer that gives a library's number.

        Parameters
        ----------
        name : str
            One of ``variants()``.
        **overrides
            Field values that differ from the variant's.

        Raises
        ------
        InputError
            If there is no such variant or field, or a value is out of range.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu.variant("nltk", max_order=2).weights
        (0.5, 0.5)
        """
        variants = options.variants_of(cls)
        if not isinstance(name, str) or name not in variants:
            raise InputError(f"{cls.__name__}: no variant is called {shown(name)}; {instead_of(name, variants)}")
        return cls._from_fields({**variants[name].fields, **overrides})

    @classmethod
    def _from_fields(cls, values: Mapping[str, Any]) -> Self:
        """The scorer with these field values, and with what a metric derives from them."""
        return cls(**values)

    @cached_property
    def signature(self) -> str:
        """All field values on one line, with the version of the mirrored library and of metrologue.

        Examples
        --------
        >>> from metrologue.scorers import Bleu
        >>> Bleu.variant("nltk").signature.split("|")[1]
        'mirrors=nltk-3.10.4'
        """
        return options.signature_line(self, variant_of(self), [*options.field_types(type(self))])

    @classmethod
    def from_signature(cls, signature: str, **tables: str) -> Self:
        """The scorer that a signature describes.

        Reading a signature opens no file. A signature names tables by their digests; these tables must be built in,
        registered or in use.

        Parameters
        ----------
        signature : str
            A scorer's full or short signature, or one of sacrebleu, such as
            ``nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0``.
        **tables
            Paths of tables that the signature names and that are not registered here, by the names of their fields.

        Raises
        ------
        InputError
            If the text is not a signature, or names a tokenizer or a table that is not registered here; if a table is
            given that the signature does not name, or that has another digest.

        Examples
        --------
        >>> from metrologue.scorers import Bleu, Scorer
        >>> Scorer.from_signature(Bleu(lowercase=True).signature) == Bleu(lowercase=True)
        True
        >>> Scorer.from_signature("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0") == Bleu(lowercase=True)
        True
        """
        found: Self = _read_signature(signature, tables, cls)
        return found


def _read_signature(signature: str, tables: Mapping[str, str], base: type[Configuration]) -> Any:
    for foreign in _FOREIGN.values() if isinstance(signature, str) else ():
        if found := foreign(signature):
            if tables:
                raise InputError(f"from_signature: `{sorted(tables)[0]}` is not a table that the signature names.")
            metric, variant, values = found
            return _named(metric, signature, base).variant(variant, **values)
    scorer, texts = _texts(signature, base)
    values = options.parsed_fields(scorer, {key: text for key, text in texts.items() if key not in _ABOUT})
    named = [key for key in options.table_fields(scorer) if values.get(key) is not None]
    if unknown := sorted(tables.keys() - set(named)):
        raise InputError(f"from_signature: `{unknown[0]}` is not a table that the signature names.")
    for key in named:
        values[key] = _named_table(scorer, key, values[key], tables.get(key))
    return scorer.variant(texts["variant"], **values) if "variant" in texts else scorer._from_fields(values)


def _texts(signature: Any, base: type[Configuration]) -> tuple[type[Configuration], dict[str, str]]:
    name, *parts = signature.strip().split("|") if isinstance(signature, str) else ("",)
    scorer = _named(name if all("=" in part for part in parts) else "", signature, base)
    texts = dict(part.split("=", 1) for part in parts)
    if len(texts) < len(parts):
        raise InputError(f"from_signature: {shown(signature)} has one field twice.")
    return scorer, texts


def _named(name: str, signature: Any, base: type[Configuration]) -> type[Configuration]:
    """The class of a metric, `base` or a subclass of it. Raises an InputError if there is none of that name."""
    registered = base._registered
    if name in registered and issubclass(registered[name], base):
        return registered[name]
    if package := re.search(r"\|package=([^|]+)", signature) if name and name not in registered else None:
        raise InputError(
            f"from_signature: the metric {shown(name)} comes with the package {shown(package[1])}, which is not "
            f"installed here, or is switched off by {SWITCH}=0."
        )
    known = sorted(each for each, kind in registered.items() if issubclass(kind, base))
    of = "a metric" if len(known) > 1 else known[0]
    raise InputError(f"from_signature: {shown(signature)} is not a signature of {of}.")


def _named_table(scorer: type[Configuration], field: str, named: str, path: str | None) -> Any:
    if options.options_of(scorer)[field].kind != "table":
        try:
            return options.item_type(options.field_types(scorer)[field]).found(named, path)
        except InputError as error:
            raise InputError(f"from_signature: `{field}`: {error}") from None
    from metrologue.text.lexicon import named_source

    return named_source(field, named, path)


def _check_table(scorer: Configuration, field: str, table: Resource | None) -> None:
    """Raise an InputError if the table was fitted for another metric, or on text that was read differently."""
    if table is None:
        return
    if table.name != f"{scorer.name}-{field}":
        raise InputError(f"{scorer._label}: `{field}` is {table}, a table for another metric or field.")
    for name, value in options.reading_fields(scorer).items():
        if (made := table.about.get(name, options.spelled(getattr(type(scorer), name)))) != value:
            raise InputError(f"{scorer._label}: `{field}` was fitted with {name}={made}, not {name}={value}.")


def class_of_name(name: str) -> type[Any]:
    """The class of a metric. Raises an InputError if there is no metric of that name."""
    if not isinstance(name, str) or name not in Configuration._registered:
        raise InputError(f"no metric is called {shown(name)}; {_instead_of(name)}")
    return Configuration._registered[name]


def _instead_of(name: Any) -> str:
    """What an unknown name may mean: a variant, a number, a module, one of the Hub's, or a name nearly the same."""
    from importlib import resources  # slow to import

    from metrologue.hub_names import told_of_absent

    wanted = name.casefold() if isinstance(name, str) else ""
    if setting := _SETTINGS.get(wanted.replace("-", "").replace("_", "")):
        metric, field, value = setting
        return (
            f"it is '{metric}' with {field}={value!r}: `metrologue score {metric} --set {field}={value}`, or "
            f"metrologue.score('{metric}', ..., {field}='{value}')."
        )
    if isinstance(name, str) and wanted == name and (told := how_to_install(name)):
        return told
    kinds = [] if wanted in Configuration._registered else sorted(Configuration._registered.items())
    for metric, kind in kinds:
        if wanted in kind.variants():
            return f"it is a variant, such as '{metric}:{wanted}'; `metrologue list` shows all variants."
    for metric, kind in kinds:
        if wanted in kind().range:
            return f"it is a number that the metric '{metric}' gives."
    if kinds and wanted in {each.name for each in (resources.files("metrologue") / "metrics").iterdir()}:
        return f"it is a module, but no metric of texts: metrologue.load('{wanted}')."
    return told_of_absent(name) or instead_of(name, sorted(Configuration._registered))


def settle_table(scorer: Configuration, field: str) -> None:
    """Store the name of a table with the digest of its content."""
    if (source := getattr(scorer, field)) is not None:
        from metrologue.text.lexicon import canonical_source  # here: it takes long to import

        scorer._set_field(**{field: canonical_source(field, source)})
