"""Fields of every scorer: what they take, what they refuse, and how signatures and the command line spell them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amounts import nth
from hostile import HOSTILE, Raising, Text
from hypothesis import given
from hypothesis import strategies as st
from layouts import columns_of, sample_of
from needs import WITH_ENCODER, small_model
from small_encoder import Letters

from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.scorers import Bleu, Chrf, EditDistance, Huse, Meteor, Rouge, Scorer, Ter, Usr, get_scorer, list_scorers
from metrologue.scorers.core.needs import model_field
from metrologue.scorers.core.options import field_types, parse_value, parsed_fields
from metrologue.text.lexicon import (
    names,
    register_function_words,
    register_paraphrases,
    register_stems,
    register_synonyms,
)
from metrologue.text.tokenizers import list_tokenizers, register_tokenizer, registry

CORPUS = (["the cat sat on the mat", "a dog"], [["the cat sat on a mat", "the cat"], ["the dog"]])
BOOLEANS = [
    (name, field.name)
    for name in list_scorers()
    for field in dataclasses.fields(get_scorer(name))
    if isinstance(getattr(get_scorer(name), field.name), bool)
]

# Settings in which a field is looked at, beside the defaults; METEOR's need no data.
EXACT = {"stages": ("exact",), "weights": (1.0,), "function_words": None}
SETTINGS: dict[type[Scorer], list[dict[str, Any]]] = {
    Bleu: [{}, {"smoothing": "add-k"}, {"smoothing": "tiny", "aggregation": "mean"}],
    Chrf: [{"word_order": 2}, {"average": "fscore", "multi_reference": "best-single", "aggregation": "mean"}],
    EditDistance: [{}, {"transpositions": "any", "beam": 2, "normalization": "maximum"}],
    Huse: [{"neighbors": 1, "radius": "last"}],
    Meteor: [EXACT, {**EXACT, "aligner": "paper", "aggregation": "mean"}],
    Rouge: [
        {"types": ("rouge2", "rougeLsum", "rougeW", "rougeSU4"), "lcs_of": "sentences", "stemmer": "porter"},
        {
            "types": ("rougeW",),
            "weight_rule": "paper",
            "aggregation": "bootstrap-median",
            "samples": 3,
            "round_digits": 3,
        },
        {"types": ("rougeS4",), "aggregation": "bootstrap-mean", "samples": 3},
    ],
    Ter: [{}],
    **{get_scorer(name): [{str(model_field(get_scorer(name))): small_model(name)}] for name in WITH_ENCODER},
}
SETTINGS[Usr] = [{"model": small_model("usr"), "context_encoder": Letters(), "fact_encoder": Letters()}]


def test_boolean_fields_of_every_scorer_are_looked_at() -> None:
    assert ("bleu", "lowercase") in BOOLEANS
    declared = {
        (name, field)
        for name in list_scorers()
        for field, kind in field_types(get_scorer(name)).items()
        if kind is bool
    }
    assert {*BOOLEANS} == declared


@pytest.mark.parametrize(("metric", "field"), BOOLEANS)
def test_a_boolean_field_takes_booleans(metric: str, field: str) -> None:
    scorer = get_scorer(metric)
    for value in (True, False):
        made = scorer(**{field: value})
        assert getattr(made, field) is value
        assert getattr(scorer(**{field: np.bool_(value)}), field) is value
        for text in ("true", "True", "YES", "yes", "1") if value else ("false", "FALSE", "no", "No", "0"):
            assert scorer._from_fields(parsed_fields(scorer, {field: text})) == made
            assert Scorer.from_signature(f"{metric}|{field}={text}") == made
    for wrong in ("no", "False", "", 0, 1, 1.0, None, [], np.array([True])):
        with pytest.raises(InputError, match=f"`{field}` is .*; True or False is expected"):
            scorer(**{field: wrong})
    for text in ("maybe", "", "2", "null", "on", "[]"):
        with pytest.raises(InputError, match=f"`{field}` is .*; True or False is expected"):
            Scorer.from_signature(f"{metric}|{field}={text}")


def test_a_boolean_is_no_number() -> None:
    for wrong in ({"max_order": True}, {"max_order": np.True_}, {"scale": True}, {"weights": (True,)}):
        with pytest.raises(InputError, match=f"`{next(iter(wrong))}` is"):
            Bleu(**wrong)


@pytest.mark.parametrize(
    ("scorer", "fields"),
    [
        (Rouge, {"types": ("rougeS9223372036854775806",)}),
        (Rouge, {"types": ("rouge101",)}),
        (Rouge, {"types": ("rouge" + "9" * 5000,)}),
        (Rouge, {"types": ("rougeS٤",)}),
        (Rouge, {"lcs_weight": 400.0}),
        (Rouge, {"seed": 2**33}),
        (Rouge, {"seed": -1}),
        (Rouge, {"samples": 10**9}),
        (Rouge, {"round_digits": 18}),
        (Rouge, {"beta": 1e200}),
        (Rouge, {"stemmer": "porter|scale=1"}),
        (Rouge, {"sentences": "newline|scale=1"}),
        (EditDistance, {"beam": 2**63 - 1}),
        (EditDistance, {"insertion_cost": 1e308}),
        (Bleu, {"max_order": 10**9}),
        (Bleu, {"weights": "abc"}),
        (Bleu, {"weights": 0.5}),
        (Bleu, {"weights": (1e308,)}),
        (Bleu, {"smooth_value": 1e308}),
        (Bleu, {"scale": 1e308}),
        (Bleu, {"scale": 5e-324}),
        (Bleu, {"scale": 10**400}),
        (Bleu, {"epsilons": (0.0, 1e308)}),
        (Chrf, {"char_order": 101}),
        (Chrf, {"word_order": 10**9}),
        (Chrf, {"beta": 1e200}),
        (Meteor, {"beam": 10**9}),
        (Meteor, {"beta": 1e308}),
        (Meteor, {"language": []}),
        (Ter, {"beam": 2**31}),
        (Rouge, {"types": 5}),
    ],
)
def test_values_out_of_all_range(scorer: type[Scorer], fields: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=rf"`{next(iter(fields))}` is|^Rouge: `types`: ") as caught:
        scorer(**fields)
    assert len(str(caught.value)) < 300


def test_the_greatest_values_score() -> None:
    greatest: list[tuple[type[Scorer], dict[str, Any]]] = [
        (Bleu, {"max_order": 100, "scale": 2**31 - 1}),
        (Bleu, {"smoothing": "floor", "smooth_value": 2**31 - 1, "epsilons": (2**31 - 1, 2**31 - 1)}),
        (Chrf, {"char_order": 100, "word_order": 100, "beta": 2**31 - 1}),
        (EditDistance, {"beam": 2**31 - 1, "max_length": 2**31 - 1, "insertion_cost": 2**31 - 1}),
        (Ter, {"beam": 2**31 - 1, "max_shift_length": 2**31 - 1, "max_shift_distance": 2**31 - 1}),
        (Ter, {"max_candidates": 2**31 - 1}),
        (Meteor, {**EXACT, "beam": 10_000, "beta": 2**31 - 1}),
        (Rouge, {"types": ("rouge100", "rougeS2147483647", "rougeSU2147483647", "rougeW"), "lcs_weight": 5}),
        (Rouge, {"max_words": 2**31 - 1, "max_bytes": 2**31 - 1, "stem_longer_than": 2**31 - 1, "stemmer": "porter"}),
        (Rouge, {"seed": 2**32 - 1, "aggregation": "bootstrap-median", "round_digits": 17, "beta": 2**31 - 1}),
        (Rouge, {"seed": 2**32 - 1, "aggregation": "bootstrap-mean", "beta": math.inf}),
    ]
    for scorer, fields in greatest:
        assert all(map(math.isfinite, scorer(**fields).corpus(*CORPUS).scores.values()))
    far, any_gap = Rouge(types=("rougeSU2147483647",)), Rouge(types=("rougeSU*",))
    assert [*far.corpus(*CORPUS).scores.values()] == [*any_gap.corpus(*CORPUS).scores.values()]
    assert EditDistance(beam=2**31 - 1).corpus(*CORPUS).scores == EditDistance().corpus(*CORPUS).scores


def test_values_that_are_too_much_together() -> None:
    bleu = Bleu(weights=(-100.0,) * 4, smoothing="tiny", aggregation="mean")
    for score in (bleu.corpus, bleu.segments):
        with pytest.raises(InputError, match="`bleu` is infinite or not a number"):
            score(["a b c d e f"], ["a u v w x y"])


def outcome(scorer: type[Scorer], values: Mapping[str, Any]) -> str:
    """Whether a scorer of these values is "refused" in few words or "scored"; anything else is an error."""
    try:
        made = scorer._from_fields(values)
    except InputError as error:
        return "refused" if len(str(error).encode()) < 1500 else str(error)
    assert hash(made) == hash(made._from_fields({name: getattr(made, name) for name in SPELLED[made.name]}))
    assert Scorer.from_signature(made.signature) == made
    try:
        corpus = columns_of(made.name, *sample_of(made.name, *CORPUS))
        numbers = [made.corpus(**corpus).scores, made.segment_scores(**corpus)]
    except InputError:
        return "refused"
    for each in numbers:
        assert all(np.isfinite(number).all() for name, number in each.items() if name not in made._infinite), values
    return "scored"


SPELLED = {name: [field.name for field in dataclasses.fields(get_scorer(name))] for name in list_scorers()}


@pytest.fixture
def nothing_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages list the names that are registered, and other tests have registered many. No model is looked for."""
    monkeypatch.setattr("metrologue.representations.named.is_hub_name", lambda name: False)
    monkeypatch.setattr("metrologue.text.tokenizers.registry._registered", {})
    monkeypatch.setattr("metrologue.text.tokenizers.registry._full_names", {})
    monkeypatch.setattr("metrologue.text.lexicon.names._registered", {})
    monkeypatch.setattr("metrologue.text.lexicon.names._full_names", {})


@pytest.mark.parametrize("metric", list_scorers())
def test_a_hostile_value_is_refused_or_scores(metric: str, nothing_registered: None) -> None:
    """Everyday each metric has a part of the values, and another one than the next metric."""
    scorer, step = get_scorer(metric), nth(3)
    values = HOSTILE[list_scorers().index(metric) % step :: step]
    found = set()
    for field in SPELLED[metric]:
        for settings in SETTINGS.get(scorer, [{}])[: 1 if field in ("tokenizer", "word_tokenizer") else None]:
            for value in values:
                found.add(outcome(scorer, {**settings, field: value}))
    assert found == {"refused", "scored"} or (step > 1 and found == {"refused"})


@pytest.mark.slow
@pytest.mark.usefixtures("lexical_data", "nothing_registered")
@pytest.mark.parametrize("metric", list_scorers())
def test_a_hostile_value_in_every_variant(metric: str) -> None:
    scorer = get_scorer(metric)
    for variant in scorer.variants().values():
        for field in SPELLED[metric]:
            for value in HOSTILE:
                outcome(scorer, {**variant.fields, field: value})


def test_objects_that_cannot_be_compared() -> None:
    assert Bleu(tokenizer=Text("13a")) == Bleu()
    assert type(Bleu(tokenizer=Text("13a")).tokenizer) is str
    with pytest.raises(InputError, match="`tokenizer` is a Raising; a str is expected"):
        Bleu(tokenizer=Raising())
    assert Rouge(types=["rouge1", "rougeL", "rouge1"]) == Rouge(types=("rouge1", "rougeL"))
    assert Bleu(weights=[1, 0]) == Bleu(weights=np.array([1, 0])) == Bleu(weights=(1.0, 0.0))


@pytest.mark.parametrize("threads", [[1], "2", "abc", True, 0, -1, 1.5, 10**9, 2**64, None])
def test_numbers_of_threads(threads: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if threads is None:
        monkeypatch.setenv("METROLOGUE_THREADS", " 2 ")
        assert Bleu().corpus(*CORPUS, threads=2) == Bleu().corpus(*CORPUS)
        for text in ("abc", "0", "1.5", "", str(10**9), "9" * 5000):
            monkeypatch.setenv("METROLOGUE_THREADS", text)
            with pytest.raises(InputError, match=r"^threads: .* is not an int from 1 to 1024"):
                Bleu().corpus(*CORPUS)
        return
    for score in (Bleu().corpus, Bleu().segments, Bleu().accumulate):
        with pytest.raises(InputError, match=r"^threads: .* is not an int from 1 to 1024"):
            score(*CORPUS, threads=threads)


@pytest.mark.parametrize("wrong", [5, None, [], {}, b"bleu", "", Raising(), "x y" * 5000])
def test_names_that_are_none(wrong: Any) -> None:
    calls: list[Callable[[Any], Any]] = [
        get_scorer,
        Scorer.from_signature,
        *(get_scorer(name).variant for name in list_scorers()),
        lambda value: Bleu().segments(*CORPUS, key=value) if value is not None else get_scorer(value),
        lambda value: Meteor.variant("nltk", task=value) if value is not None else get_scorer(value),
        lambda value: Meteor.variant("nltk", language=value),
        lambda value: explain(value, value, *CORPUS),
        lambda value: explain(Bleu(), value, *CORPUS),
        lambda value: Bleu().accumulate(*CORPUS, value) if value is not None else get_scorer(value),
        Bleu().score_totals,
        lambda value: register_tokenizer(value, str.split),
        lambda value: register_synonyms(value, [["a", "b"]]),
    ]
    for call in calls:
        with pytest.raises(InputError) as caught:
            call(wrong)
        assert len(str(caught.value)) < 1500


def test_fields_that_a_signature_has_twice() -> None:
    for parts in ("max_order=1|max_order=2", "max_order=1|max_order=1", "metrologue=0.1|metrologue=0.1"):
        with pytest.raises(InputError, match="has one field twice"):
            Scorer.from_signature(f"bleu|{parts}")


@pytest.mark.parametrize("kind", [bool, int, float, str, int | None, str | None, tuple[float, ...], tuple[str, ...]])
def test_text_of_any_size_is_parsed(kind: Any) -> None:
    for text in (
        "9" * 5000,
        "-" + "9" * 5000,
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        "{" * 100_000,
        "",
        "[",
        "]",
    ):
        parse_value(text, kind)


@pytest.fixture(scope="module", autouse=True)
def own_names() -> Iterator[None]:
    """Tables whose names look like other values. The tests of other files do not know them."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (registry, names):
            for table in ("_registered", "_full_names"):
                patch.setattr(module, table, {**getattr(module, table)})
        for name in NAMES:
            register_tokenizer(name, str.split, digest=name)
        yield


NAMES = [
    "null",
    "true",
    "1",
    "[a]",
    "[a,b]",
    "größe",
    "猫",
    "back\\slash",
    "it's",
    "a,b",
    "1e5",
    "NaN",
    "mirrors",
    "{}",
]
small = st.sampled_from([0.0, 1e-300, 5e-324, 0.1 + 0.2, 1 / 3, 1.0, math.nextafter(1.0, 0.0)])
large = st.one_of(small, st.floats(0, 2**31 - 1), st.sampled_from([2.0**31 - 1, 1.2, 1 + 2**-52]))
scales = st.one_of(st.floats(1e-9, 2**31 - 1), st.sampled_from([1e-9, 0.1 + 0.2, 2.0**31 - 1]))
counts = st.one_of(st.integers(1, 2**31 - 1), st.sampled_from([1, 2**31 - 1]))
optional_counts = st.none() | counts
orders = st.integers(1, 100)
tokenizers = st.one_of(st.sampled_from(NAMES), st.sampled_from(list_tokenizers(registered=False)))
tables = {
    "stemmer": register_stems,
    "synonyms": register_synonyms,
    "paraphrases": register_paraphrases,
}


@st.composite
def bleus(draw: st.DrawFn) -> Bleu:
    smoothing = draw(
        st.sampled_from(["none", "tiny", "floor", "add-k", "exp", *(f"chen-cherry-{n}" for n in (4, 5, 6, 7))])
    )
    weights = draw(st.lists(st.floats(-100, 100), min_size=3 if smoothing == "chen-cherry-6" else 1, max_size=5))
    return Bleu(
        tokenizer=draw(tokenizers),
        weights=weights,
        smoothing=smoothing,
        smooth_value=draw(st.none() | large),
        lowercase=draw(st.booleans()),
        reference_length=draw(st.sampled_from(["closest", "average"])),
        floor_totals=draw(st.booleans()),
        smooth_from=draw(orders),
        epsilons=draw(st.tuples(large, large)),
        zero_when=draw(st.sampled_from(["no-match", "never"])),
        skip_zero=draw(st.booleans()),
        effective_order=draw(st.booleans()),
        empty=draw(st.sampled_from(["zero", "error"])),
        aggregation=draw(st.sampled_from(["corpus", "mean"])),
        scale=draw(scales),
    )


@st.composite
def chrfs(draw: st.DrawFn) -> Chrf:
    longest = draw(orders)
    return Chrf(
        char_order=longest,
        word_order=draw(st.integers(0, 100)),
        min_char_order=draw(st.integers(1, longest)),
        tokenizer=draw(tokenizers),
        whitespace=draw(st.booleans()),
        word_tokenizer=draw(tokenizers),
        lowercase=draw(st.booleans()),
        beta=draw(large),
        average=draw(st.sampled_from(["precision-recall", "fscore"])),
        effective_order=draw(st.booleans()),
        smoothing=draw(st.sampled_from(["none", "epsilon", "epsilon-all"])),
        multi_reference=draw(st.sampled_from(["best", "best-single"])),
        count_unpaired=draw(st.booleans()),
        drop_unmatched=draw(st.booleans()),
        scale=draw(scales),
    )


@st.composite
def meteors(draw: st.DrawFn) -> Meteor:
    stages = draw(st.lists(st.sampled_from(["exact", "stem", "synonym", "paraphrase"]), min_size=1, unique=True))
    shares = st.one_of(st.floats(0, 1), small)
    names = {field: register(draw(st.sampled_from(NAMES)), [["a", "b"]]) for field, register in tables.items()}
    words = draw(st.none() | st.sampled_from(NAMES).map(lambda name: register_function_words(name, ["a"])))
    return Meteor(
        tokenizer=draw(tokenizers),
        stages=stages,
        weights=[draw(shares) for _ in stages],
        lowercase=draw(st.booleans()),
        language=draw(st.sampled_from(["en", "de", "ar-bw-red"])),
        beam=draw(st.integers(1, 10_000)),
        aligner=draw(st.sampled_from(["beam", "paper"])),
        function_words=words,
        alpha=draw(shares),
        beta=draw(large),
        gamma=draw(shares),
        delta=draw(shares),
        unit=draw(st.sampled_from(["words", "characters"])),
        penalize_whole=draw(st.booleans()),
        scale=draw(scales),
        **names,
    )


TYPES = ["rouge1", "rouge100", "rougeL", "rougeLsum", "rougeW", "rougeS*", "rougeSU0", "rougeSU*", "rougeS2147483647"]
rouges = st.builds(
    Rouge,
    types=st.lists(st.sampled_from(TYPES), min_size=1, unique=True),
    tokenizer=tokenizers,
    stemmer=st.sampled_from([None, "porter", "porter-1.5.5"]),
    stem_longer_than=st.integers(0, 2**31 - 1),
    max_words=optional_counts,
    max_bytes=optional_counts,
    sentences=st.sampled_from(["newline", "none", "punkt"]),
    lcs_weight=st.floats(1, 5),
    beta=st.one_of(large, st.just(math.inf)),
    f_epsilon=large,
    round_digits=st.none() | st.integers(0, 17),
    aggregation=st.sampled_from(["mean", "mean-pr", "bootstrap-median"]),
    samples=st.integers(1, 100_000),
    seed=st.integers(0, 2**32 - 1),
    stop_words=st.booleans(),
    binary=st.booleans(),
    scale=scales,
)
edit_distances = st.builds(
    EditDistance,
    tokenizer=tokenizers,
    insertion_cost=large,
    deletion_cost=large,
    substitution_cost=large,
    beam=optional_counts,
    max_length=optional_counts,
    scale=scales,
    lowercase=st.booleans(),
    normalization=st.sampled_from(["none", "maximum", "sum"]),
    transpositions=st.sampled_from(["none", "any"]),
)
ters = st.builds(
    Ter,
    normalized=st.booleans(),
    asian_support=st.booleans(),
    max_shift_length=counts,
    max_shift_distance=counts,
    beam=counts,
    max_candidates=counts,
    shifted=st.sampled_from(["hypothesis", "reference"]),
    scale=scales,
)
error_rates = st.sampled_from(["wer", "cer", "mer", "wil", "wip"]).flatmap(
    lambda name: st.builds(
        get_scorer(name),
        tokenizer=tokenizers,
        lowercase=st.booleans(),
        scale=scales,
        hits=st.sampled_from(["aligned", "most"]),
        empty=st.sampled_from(["insertions", "error"]),
    )
)


@given(scorer=st.one_of(bleus(), chrfs(), meteors(), rouges, edit_distances, ters, error_rates))
def test_signatures_of_any_values_round_trip(scorer: Scorer) -> None:
    again = Scorer.from_signature(scorer.signature)
    assert again == scorer
    assert (hash(again), again.signature) == (hash(scorer), scorer.signature)
    assert scorer.signature.count("\n") == scorer.signature.count(" ") == 0


@given(name=st.text(min_size=1, max_size=6))
def test_a_name_that_is_taken_stands_in_a_signature(name: str) -> None:
    try:
        full = register_tokenizer(name, str.split, digest=name[::-1])
        table = register_synonyms(name, [["a", "b"]])
    except InputError:
        assert not name.isprintable() or set(name) & set(' @|="') or name in list_tokenizers()
        return
    for scorer in (Bleu(tokenizer=full), Meteor(**EXACT, tokenizer=name, synonyms=table)):
        assert Scorer.from_signature(scorer.signature) == scorer


@pytest.mark.parametrize("wrong", ["1|scale=5", "a b", "a@b", "a=b", 'a"b', "", "a\nb", "\ud800", 5])
def test_a_digest_that_cannot_stand_in_a_signature(wrong: Any) -> None:
    with pytest.raises(InputError, match="`digest`"):
        register_tokenizer("digested", str.split, digest=wrong)


def test_a_tokenizer_that_is_no_function() -> None:
    with pytest.raises(InputError, match="`function` is 'split'; a callable"):
        register_tokenizer("uncalled", "split")  # type: ignore[arg-type]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "sets.txt"
    path.write_text("kot kotek\n", "utf-8")
    return path


def test_a_signature_opens_no_file(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from metrologue.text.lexicon import names as registry

    monkeypatch.setattr(registry, "_registered", {})  # whatever other tests have registered
    monkeypatch.setattr(registry, "_full_names", {})
    for source in (str(table), f"{table}@0123456789ab", "/etc/passwd", "sets", "sets@0123456789ab", "wordnet@x", ""):
        with pytest.raises(
            InputError, match=r"^synonyms: the signature names .*, synonyms=PATH, or .*register_synonyms"
        ):
            Scorer.from_signature(f"meteor|synonyms={source}")
    for field in ("stemmer", "paraphrases", "function_words"):
        with pytest.raises(InputError, match=rf"^{field}: the signature names .*, {field}=PATH, or "):
            Scorer.from_signature(f"meteor|{field}={table}")
    with pytest.raises(InputError, match="is unknown"):
        Scorer.from_signature(f"bleu|tokenizer={table}")


def test_a_table_beside_its_signature(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from metrologue.text.lexicon import names as registry

    meteor = Meteor(**EXACT, synonyms=str(table))
    assert str(table) not in meteor.signature
    assert Scorer.from_signature(meteor.signature) == meteor
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_full_names", {})
    with pytest.raises(InputError, match="synonyms: the signature names 'sets@"):
        Scorer.from_signature(meteor.signature)
    with pytest.raises(InputError, match=r"'sets@.* is not registered here"):
        Meteor(**EXACT, synonyms=meteor.synonyms)
    other = tmp_path / "sets2.txt"
    other.write_text("kot pies\n", "utf-8")
    with pytest.raises(InputError, match=r"sets2.txt has the digest .*, but 'sets@"):
        Scorer.from_signature(meteor.signature, synonyms=str(other))
    with pytest.raises(InputError, match="cannot be read"):
        Scorer.from_signature(meteor.signature, synonyms=str(tmp_path / "none"))
    assert registry._registered == {}
    moved = table.rename(tmp_path / "moved.txt")
    assert Scorer.from_signature(meteor.signature, synonyms=str(moved)) == meteor
    assert Scorer.from_signature(meteor.signature) == meteor
    for wrong in ({"scale": "2"}, {"function_words": str(moved)}, {"nothing": "x"}):
        with pytest.raises(InputError, match=f"`{next(iter(wrong))}` is not a table that the signature names"):
            Scorer.from_signature(meteor.signature, **wrong)
