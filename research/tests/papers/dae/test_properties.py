"""DAE against its definition; its examples, its training, its trace, and what is refused."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.dae import Dae, pooled
from metrologue_research.dae.arcs import arcs_of
from metrologue_research.dae.examples import (
    Arc,
    ArcExamples,
    arc_examples,
    read_arc_examples,
    write_arc_examples,
)
from metrologue_research.dae.network import arc_features, encoded
from papers.dae.plain import LEFT_OUT, arcs, dae, features, overlap
from small_encoder import Letters, make_encoder
from small_trained import BETTER, line, trained
from strategies import TokenCorpus, corpora_of, spelled

import metrologue
from metrologue import InputError
from metrologue.learned import Features, Mlp, TrainedModel, open_model, sample_model, save_model, train
from metrologue.learned.features import Tokens
from metrologue.representations import FunctionEncoder
from metrologue.representations.parses import ConlluParses, FunctionParser, Token, WordParser
from metrologue.representations.store import VectorStore

RELATIONS = ["nsubj", "obj", "det", "aux:pass", "punct", "amod"]


def words_of(text: str) -> list[Token]:
    """A parse that depends on the spelling alone: some words depend on others, under relations of both kinds."""
    forms = text.split()
    found = []
    for place, form in enumerate(forms):
        code = zlib.crc32(form.encode()) // 7 + place
        head = code % len(forms)
        found.append(
            Token(form, form.lower(), head=head if head != place else -1, relation=RELATIONS[code % len(RELATIONS)])
        )
    return found


PARSER = FunctionParser("spelling", lambda texts: [words_of(text) for text in texts], "1")
token_corpora = corpora_of(st.lists(st.sampled_from(["a", "B", "ab", "abc", "bcd", "e"]), max_size=7))


def plain_words(text: str) -> list[tuple[str, str, int]]:
    return [(each.lemma, "det" if each.relation == "aux:pass" else each.relation, each.head) for each in words_of(text)]


def drawn_model(seed: int = 0) -> TrainedModel:
    draws = np.random.default_rng(seed)
    network = line(draws.normal(size=(2, 134)), 0.0, "classes")
    return TrainedModel("dae", Features((Tokens.of(Letters()),)), network, BETTER)


def plain_probabilities(text: str, source: str, model: TrainedModel) -> list[float]:
    def vectors(own: str) -> list[list[float]]:
        found = Letters().encode_tokens([own], (1,)).vectors[0].astype(float)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        unit: list[list[float]] = (found / np.where(lengths > 0, lengths, 1)).tolist()
        return unit

    ours, theirs, words = vectors(text), vectors(source), words_of(text)
    [(weights, _)] = model.layers.layers
    found = []
    same = overlap(plain_words(text), plain_words(source))
    for (child, head), is_found in zip(arcs(plain_words(text)), same, strict=True):
        place = zlib.crc32(words[child].relation.encode()) % 32
        logits = weights @ np.array(features(ours[child], ours[head], theirs, is_found, place))
        found.append(float(1 / (1 + np.exp(logits[0] - logits[1]))))
    return found


@given(corpus=token_corpora)
def test_definition(corpus: TokenCorpus) -> None:
    """Of the best of several sources, by the classifier and by overlap; texts without arcs have no part in the mean."""
    texts, sources = spelled(corpus)
    model = drawn_model()
    for pooling in ("mean", "min"):
        for scorer, rule in (
            (Dae(parser=PARSER, model=model, pooling=pooling), lambda a, b: plain_probabilities(a, b, model)),
            (
                Dae.variant("overlap", parser=PARSER, pooling=pooling),
                lambda a, b: overlap(plain_words(a), plain_words(b)),
            ),
        ):
            rows = [[rule(text, each) for each in own] for text, own in zip(texts, sources, strict=True)]
            expected = [max((dae(each, pooling) for each in row if each), default=None) for row in rows]
            found = scorer._of_each(Dae._to_segments(texts, sources), None)
            assert found["dae"] == pytest.approx([each or 0.0 for each in expected], rel=1e-9, abs=1e-12)
            known = [each for each in expected if each is not None]
            if known:
                rows_of = scorer.statistics(Dae._to_segments(texts, sources))
                whole = scorer.score(scorer.aggregate(rows_of))
                assert float(whole["dae"]) == pytest.approx(np.mean(known), rel=1e-9, abs=1e-12)
                assert whole["with_arcs"] == len(known)


def test_the_hand_case() -> None:
    values, offsets = np.array([0.9, 0.8, 0.1, 0.5]), np.array([0, 3, 3, 4])
    assert pooled(values, offsets) == pytest.approx([0.6, 0.0, 0.5])
    assert pooled(values, offsets, "min", 1.0) == pytest.approx([0.1, 1.0, 0.5])
    assert pooled(np.zeros(0), np.zeros(3, int)).tolist() == [0.0, 0.0]


def test_arcs() -> None:
    """The first ones, without the relations that are left out and their kinds."""
    parses = PARSER.parse(["a b c d e f g h i j"] * 2 + [""])
    every, some = arcs_of(parses), arcs_of(parses, [*LEFT_OUT], 2)
    assert every.counts[0] == sum(each.head >= 0 for each in words_of("a b c d e f g h i j"))
    assert some.counts.tolist() == [2, 2, 0]
    kept = arcs(plain_words("a b c d e f g h i j"))[:2]
    assert [*zip(some.children[:2].tolist(), some.heads[:2].tolist(), strict=True)] == kept
    assert (some.children[2:] - 10).tolist() == some.children[:2].tolist()


@pytest.mark.filterwarnings("ignore:Dae. ")
def test_texts_without_arcs() -> None:
    texts, sources = ["one", "a b c"], ["a b c"] * 2
    assert Dae.variant("overlap").corpus(texts, sources).scores == {
        "dae": 1.0, "arc_overlap": 1.0, "arc_count": 2, "with_arcs": 1,
    }  # fmt: skip
    assert Dae.variant("overlap").segments(texts, sources).tolist() == [0.0, 1.0]
    assert Dae.variant("overlap", empty="one").segments(texts, ["x y"] * 2).tolist() == [1.0, 0.0]
    assert Dae.variant("overlap").corpus(["", "one"], sources).value == 0.0
    with pytest.raises(InputError, match=r"`predictions\[1\]` has no arc that counts"):
        Dae.variant("overlap", empty="error").corpus(["a b", "one"], sources)
    assert Dae(model=trained("dae")).segments(["a b"], [""])[0] < 0.01


def test_warnings() -> None:
    with pytest.warns(UserWarning, match="1 of 2 texts have no arc that counts, and no part in the mean"):
        Dae.variant("overlap").corpus(["one", "a b"], ["a b"] * 2)
    with pytest.warns(UserWarning, match="the text has no arc"):
        Dae.variant("overlap").corpus(["one"], ["a b"])
    report = {**BETTER, "data": {"parser": "words@1"}}
    model = TrainedModel("dae", trained("dae").features, trained("dae").network, report)
    with pytest.warns(UserWarning, match=r"learned the arcs of words@1, and reads those of spelling@1"):
        Dae(model=model, parser=PARSER).corpus(["a b c e"], ["a b c e"])


def test_parses_of_a_file(tmp_path: Path) -> None:
    rows = {
        "cats chase mice": ["1 cats cat NOUN _ _ 2 nsubj _ _", "2 chase chase VERB _ _ 0 root _ _",
                            "3 mice mouse NOUN _ _ 2 obj _ _"],
        "a cat chased it": ["1 a a DET _ _ 2 det _ _", "2 cat cat NOUN _ _ 3 nsubj _ _",
                            "3 chased chase VERB _ _ 0 root _ _", "4 it it PRON _ _ 3 obj _ _"],
    }  # fmt: skip
    path = tmp_path / "texts.conllu"
    path.write_text("\n".join("".join(row.replace(" ", "\t") + "\n" for row in own) for own in rows.values()), "utf-8")
    scorer = Dae.variant("overlap", parser=ConlluParses(path))
    one, other = rows
    assert scorer.corpus([one], [other]).value == 0.5
    with pytest.raises(InputError, match=r"`references\[0\]` has no parse in texts.conllu@"):
        scorer.corpus([one], ["nobody parsed this"])
    forms = FunctionParser("forms", lambda texts: [[Token(word) for word in text.split()] for text in texts], "1")
    with pytest.raises(InputError, match="the parser forms@1 gives no relations"):
        Dae.variant("overlap", parser=forms).corpus([one], [other])


def test_what_is_refused() -> None:
    narrow = TrainedModel("dae", trained("dae").features, line(np.zeros((2, 7)), 0.0, "classes"), BETTER)
    with pytest.raises(InputError, match=r"dae@\w+: its network reads 7 numbers, not 134"):
        Dae(model=narrow).corpus(["a b"], ["a b"])
    with pytest.raises(InputError, match="Dae: `references` are missing"):
        Dae(model=trained("dae")).corpus(["a b"])
    with pytest.raises(InputError, match=r"`model` is ruse@\w+, which was trained for ruse"):
        Dae(model=trained("ruse"))
    with pytest.raises(InputError, match="dae reads the tokens of one encoder; 2 are given"):
        train("dae", some_examples(), encoders=["ngrams-8@1", "ngrams-8@2"])
    with pytest.raises(InputError, match="dae reads the vectors of the tokens of one encoder; give encoders"):
        train("dae", some_examples())
    with pytest.raises(InputError, match="dae learns from arcs"):
        train("dae", metrologue.learned.Examples(("a",), (("b",),), np.array([1.0]), labels=True), encoders=[Letters()])
    with pytest.raises(InputError, match="dae has a classifier of arcs; leave the trainer out"):
        train("dae", some_examples(), encoders=[Letters()], trainer=metrologue.learned.Ridge())
    same = some_examples().take([row for row, label in enumerate(some_examples().targets) if label])
    with pytest.raises(InputError, match=r"all .* labels are 1; there is nothing to tell apart"):
        train("dae", same, encoders=[Letters()])
    nowhere = FunctionEncoder("numbers", lambda texts: [[[1.0]] * 2 for _ in texts], "1")
    with pytest.raises(InputError, match="numbers@1 does not say where the tokens of 'a b c' stand"):
        encoded(nowhere, ["a b c"])


# ----- The examples -----


def some_examples(seed: int = 0, count: int = 40) -> ArcExamples:
    """Sentences of which a word may be another one, which is wrong."""
    draws = np.random.default_rng(seed)
    words = ["cat", "dog", "sun", "sea", "tree", "road", "bird", "house", "rain", "wind"]
    sources = [" ".join(draws.permutation(words)[:6]) for _ in range(count)]
    texts, errors = [], []
    for number, source in enumerate(sources):
        own, at = source.split(), int(draws.integers(1, 6))
        if number % 2:
            own[at] = next(word for word in words if word not in own)
        start = len(" ".join(own[:at])) + 1
        texts.append(" ".join(own))
        errors.append([(start, start + len(own[at]))] if number % 2 else [])
    return arc_examples(sources, texts, errors=errors)


def test_examples_are_labelled() -> None:
    sources, texts = ["small cats chase dogs"] * 2, ["cats chase dogs", "dogs chase cats"]
    by_source = arc_examples([*sources, "x"], [*texts, "one"])
    assert [arc.entailed for own in by_source.arcs for arc in own] == [True] * 4
    assert by_source.targets.tolist() == [1.0, 1.0]
    assert len(by_source) == 2  # a text without arcs is left out
    by_errors = arc_examples(sources, texts, errors=[[(0, 4)], None])
    assert [[arc.entailed for arc in own] for own in by_errors.arcs] == [[False, True], [True, True]]
    assert by_errors.parser == "words@1"
    assert by_errors.arcs[0][0] == Arc((5, 10), (0, 4), "next", False, True)
    with pytest.raises(InputError, match="no text has an arc"):
        arc_examples(["a b"], ["a"])
    with pytest.raises(InputError, match="`sources` has 1 entries for 2 texts"):
        arc_examples(["a b"], ["a", "b"])
    unknown = FunctionParser("none", lambda texts: [None] * len(texts), "1")
    with pytest.raises(InputError, match=r"`texts\[0\]` has no parse"):
        arc_examples(["a b"], ["a b"], unknown)


def test_examples_are_written_and_read(tmp_path: Path) -> None:
    made = some_examples()
    grouped = ArcExamples.of_arcs(
        [own for (own,) in made.references], made.predictions, made.arcs, [str(row % 4) for row in range(len(made))],
        made.parser,
    )  # fmt: skip
    for each in (made, grouped):
        write_arc_examples(each, tmp_path / "arcs.jsonl")
        found = read_arc_examples(tmp_path / "arcs.jsonl")
        assert (found.predictions, found.references, found.arcs, found.groups, found.parser) == (
            each.predictions, each.references, each.arcs, each.groups, each.parser,
        )  # fmt: skip
        assert found.targets.tolist() == each.targets.tolist()


@pytest.mark.parametrize(
    ("arcs", "message"),
    [
        ([], "'arcs' is \\[\\]; a list of one arc or more"),
        ("nsubj", "'arcs' is 'nsubj'"),
        ([{"child": [0, 1], "head": [2, 9], "entailed": True}], "the spans 'child' and 'head'"),
        ([{"child": [1, 1], "head": [2, 3], "entailed": True}], "the spans 'child' and 'head'"),
        ([{"child": [0, 1], "head": [2, 3], "entailed": 1}], "'entailed'"),
        ([{"child": [0, 1], "head": [2, 3], "entailed": True, "relation": 3}], "'relation'"),
        ([7], "the spans 'child'"),
    ],
)
def test_a_line_without_arcs_is_refused(arcs: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "arcs.jsonl"
    path.write_text(json.dumps({"source": "a b", "prediction": "a b", "arcs": arcs}), "utf-8")
    with pytest.raises(InputError, match=message):
        read_arc_examples(path)
    path.write_text("", "utf-8")
    with pytest.raises(InputError, match="the file is empty"):
        read_arc_examples(path)
    arc = {"child": [0, 1], "head": [2, 3], "entailed": True}
    lines = [{"source": "a b", "prediction": "a b", "arcs": [arc], "group": group} for group in ("x", None)]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with pytest.raises(InputError, match="no 'group', but other lines have one"):
        read_arc_examples(path)


# ----- The training -----


def quick(**settings: Any) -> Mlp:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    return Mlp(**{"hidden": (16,), "head": "classes", "epochs": 60, "batch": 32, "share": 0.0, **settings})


def test_it_learns_32_texts_by_heart_and_beats_chance() -> None:
    examples = some_examples(count=82)
    few = examples.take(range(32))
    model = train("dae", few, encoders=["ngrams-24@2"], trainer=quick(epochs=60, rate=0.01), measure=False)
    assert accuracy(model, few) == 1.0
    assert accuracy(model, examples.take(range(32, 82))) > 0.9
    with pytest.warns(UserWarning, match="nothing was held out when it was trained"):
        scores = Dae(model=model).segments([*few.predictions], [each for (each,) in few.references])
    assert scores[few.targets == 1].min() > scores[few.targets == 0].max()


def accuracy(model: TrainedModel, examples: ArcExamples) -> float:
    """The share of arcs that are told right, by the features as plain Python has them."""
    right = []
    for text, (source,), own in zip(examples.predictions, examples.references, examples.arcs, strict=True):
        known = encoded(model.features.encoders[0].encoder, [text, source])
        spans = (np.array([getattr(arc, name) for arc in own]) for name in ("child", "head"))
        rows = arc_features(*known, *spans, [arc.relation for arc in own], np.array([float(arc.found) for arc in own]))
        right += ((model.layers(rows)[:, -1] > 0.5) == np.array([arc.entailed for arc in own])).tolist()
    return float(np.mean(right))


@pytest.mark.filterwarnings("ignore:Dae. ")
def test_a_model_that_was_saved_gives_equal_numbers(tmp_path: Path) -> None:
    examples = some_examples()
    model = train("dae", examples, encoders=["ngrams-16@2"], trainer=quick(epochs=3))
    data = model.report["data"]
    assert (data["rows"], data["arcs"], data["parser"]) == (40, sum(map(len, examples.arcs)), "words@1")
    assert {*model.report["held_out"]["rivals"].values()} <= {
        "arc overlap", "length", "word overlap", "recall of names and numbers",
    }  # fmt: skip
    opened = open_model(save_model(model, tmp_path / "model"))
    own, its = (Dae(model=each) for each in (model, opened))
    texts, sources = [*examples.predictions], [each for (each,) in examples.references]
    assert own == its
    assert own.segments(texts, sources).tobytes() == its.segments(texts, sources).tobytes()
    module = metrologue.load("dae")
    found = module.compute(predictions=texts, references=sources, model=str(tmp_path / "model"))
    assert found["dae"] == pytest.approx(own.corpus(texts, sources).value)
    assert Dae.from_signature(own.signature, model=str(tmp_path / "model")) == own


def test_a_test_that_overlaps_is_refused() -> None:
    examples = some_examples()
    with pytest.raises(InputError, match="2 of 5 rows for the test are in the training data"):
        train(
            "dae", examples.take(range(20)), encoders=["ngrams-8@1"], trainer=quick(epochs=1),
            test=examples.take(range(18, 23)),
        )  # fmt: skip
    model = train(
        "dae", examples.take(range(20)), encoders=["ngrams-8@1"], trainer=quick(epochs=1),
        test=examples.take(range(20, 40)),
    )  # fmt: skip
    assert model.report["held_out"]["leaks"]["test"]["test"] == 20


def test_a_training_that_was_ended_goes_on(tmp_path: Path, ended_when: Any) -> None:
    def made(epochs: int, checkpoint: Path | None) -> TrainedModel:
        trainer = quick(epochs=epochs)
        return train(
            "dae", some_examples(), encoders=["ngrams-8@1"], trainer=trainer, measure=False, checkpoint=checkpoint
        )

    file = tmp_path / "training.safetensors"
    with ended_when(lambda run, path: run.epoch == 2), pytest.raises(KeyboardInterrupt):
        made(5, file)
    whole, resumed = made(5, None), made(5, file)
    for name, array in whole.network.tensors().items():
        assert array.tobytes() == resumed.network.tensors()[name].tobytes()


def test_an_encoder_of_transformers(tmp_path: Path) -> None:
    """Words are found at their first pieces; what stands elsewhere is no word of the text."""
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
    from metrologue.representations import open_encoder

    encoder = open_encoder(make_encoder(tmp_path / "encoder"))
    [own] = encoded(encoder, ["the cat sat"])
    found = own.at(np.array([[4, 7], [3, 4], [8, 11], [20, 25]]))
    starts = own.spans[:, 0].tolist()
    assert found[0].tolist() == own.vectors[starts.index(4)].tolist()
    assert found[2].tolist() == own.vectors[starts.index(8)].tolist()
    assert not found[[1, 3]].any()
    model = train("dae", some_examples(), encoders=[encoder], trainer=quick(epochs=2), measure=False)
    folder = save_model(model, tmp_path / "model")
    assert open_model(folder, encoder=encoder).name == model.name
    other = open_encoder(make_encoder(tmp_path / "other", seed=1))
    with pytest.raises(InputError, match=r"was trained with the encoder encoder@\w+, not with other@"):
        open_model(folder, encoder=other)


def test_the_sample_is_what_its_card_says() -> None:
    model = sample_model("dae")
    assert model.report["data"]["parser"] == WordParser().name
    assert model.report["held_out"]["beats_rival"] is False


# ----- The trace -----


def test_trace() -> None:
    found = metrologue.trace(Dae(model=trained("dae")), "cats chase the dogs", ["the cats chase mice"])
    table = found.table("probabilities")
    assert table.column("word") == ("chase", "the", "dogs")
    assert table.column("head") == ("cats", "chase", "the")
    assert table.column("the source has it") == ("yes", "no", "no")
    assert np.mean(table.numbers("probability")) == pytest.approx(found.value)
    assert found.formula.startswith("DAE = (")
    several = metrologue.trace(Dae.variant("overlap", pooling="min"), "a b c", ["a b", "a b c"])
    assert several.value == 1.0
    assert several.table("probabilities, source 1").column("probability") == (1.0, 0.0)
    least = metrologue.trace(Dae.variant("overlap", pooling="min", scale=100.0), "a b c", ["a b"])
    assert least.formula == "DAE = 100·min(1.000, 0.000) = 0.0"
    long = metrologue.trace("dae:overlap", "a b c d e f g h i", ["a b"])
    assert "…" in long.formula
    assert "○" in long.text()
    assert long.html()


def test_vectors_are_kept() -> None:
    """A text that many texts are compared with is encoded once."""
    asked: list[str] = []

    def vectors(texts: list[str]) -> list[list[list[float]]]:
        asked.extend(texts)
        return [[[float(len(word)), 1.0] for word in text.split()] for text in texts]

    encoder = FunctionEncoder("lengths", vectors, "1")
    encoder.tokens = str.split  # type: ignore[assignment, method-assign]  # the words to which the vectors belong
    with pytest.MonkeyPatch.context() as patch:
        store = VectorStore()
        patch.setattr("metrologue_research.dae.network.vector_store", lambda: store)
        model = TrainedModel("dae", Features((Tokens.of(encoder),)), line(np.zeros((2, 46)), 0.0, "classes"), BETTER)
        scorer = Dae(model=model)
        assert scorer.pairwise(["a b", "c dd", "a b"], ["a b c", "x"]).tolist() == [[0.5, 0.5]] * 3
    assert sorted(asked) == ["a b", "a b c", "c dd", "x"]
