"""APES against its definition; its questions, its reader and training, its trace, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.apes import Apes
from metrologue_research.apes import cloze as asked
from metrologue_research.apes.cloze import answer_lexically, candidates_of, cloze
from metrologue_research.apes.examples import ClozeExamples, Question, cloze_examples, read_cloze_examples
from metrologue_research.apes.network import AttentiveReader
from metrologue_research.apes.training import ReaderTrainer
from papers.apes.plain import apes, counts, entitized, gru, lexical_reader
from small_encoder import Letters
from small_trained import trained

import metrologue
from metrologue import InputError
from metrologue.learned import Features, TrainedModel, open_model, sample_model, save_model, train
from metrologue.representations.parses import ConlluParses, FunctionParser, Token

WORDS = ["a", "then", "new", "New", "York", "Times", "Anna", "saw"]
texts = st.lists(st.sampled_from(WORDS), max_size=9)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=2)), min_size=1, max_size=4)


def tokens_of(text: str) -> list[Token]:
    """ "New York Times", "New York" and "Anna" are entities, as the spelling says."""
    words, found = text.split(), []
    for place, word in enumerate(words):
        inside = place and words[place - 1] == "New" and word == "York"
        begins = (word == "New" and words[place + 1 : place + 2] == ["York"]) or word == "Anna"
        longer = word == "Times" and words[max(0, place - 2) : place] == ["New", "York"]
        found.append(Token(word, word.lower(), entity="I-X" if inside or longer else "B-X" if begins else ""))
    return found


PARSER = FunctionParser("places", lambda texts: [tokens_of(text) for text in texts], "1")


def names_in(words: list[str]) -> list[list[str]]:
    found: list[list[str]] = []
    for token in tokens_of(" ".join(words)):
        if token.entity.startswith("B"):
            found.append([token.form])
        elif token.entity:
            found[-1].append(token.form)
    return found


@pytest.mark.filterwarnings("ignore:Apes. ")
@given(corpus=corpora, window=st.integers(1, 4))
def test_definition(corpus: list[tuple[list[str], list[list[str]]]], window: int) -> None:
    rows = [
        counts(
            text, sentences, [name for each in (text, *sentences) for name in names_in(each)],
            lambda passage, question: lexical_reader(passage, question, window),
        )
        for text, sentences in corpus
    ]  # fmt: skip
    predictions, references = [" ".join(text) for text, _ in corpus], [[*map(" ".join, own)] for _, own in corpus]
    found = Apes.variant("lexical", parser=PARSER, window=window).corpus(predictions, references)
    assert found.value == pytest.approx(apes(rows))
    assert (found.scores["correct"], found.scores["questions"]) == tuple(np.sum(rows, axis=0))


def test_the_hand_case() -> None:
    """Two of three questions; then two of a text without entities: 2/5, not the mean of 2/3 and 0."""
    scorer = Apes.variant("lexical")
    predictions = ["Later Anna met Bo.", "Nothing is said here."]
    references = ["Yesterday Anna met Bo in Rome.", "They saw Clara and Dan there."]
    found = scorer.corpus(predictions, references).scores
    assert (found["apes"], found["correct"], found["questions"], found["present_count"]) == (0.4, 2, 5, 2)
    assert scorer.segments(predictions, references) == pytest.approx([2 / 3, 0.0])
    mean = Apes.variant("lexical", aggregation="mean").corpus(predictions, references)
    assert mean.value == pytest.approx(1 / 3)
    totals = scorer.accumulate(predictions[:1], references[:1])
    assert scorer.score_totals(scorer.accumulate(predictions[1:], references[1:], totals)).value == 0.4


def test_longer_names_come_first() -> None:
    names = ["New York", "Times", "new york times", "1,000"]
    found = asked.entitized("The New  York Times sold 1,000 in NEW YORK, not @entity1 or Timesheets.", names)
    assert found == (
        "the", "@entity2", "sold", "@entity3", "in", "@entity0", ",", "not", "@", "entity1", "or", "timesheets", ".",
    )  # fmt: skip
    assert asked.entitized("@placeholder", []) == ("@", "placeholder")
    plain = entitized(["a", "New", "York", "Times"], [["New", "York"], ["new", "york", "times"]])
    assert plain == ["a", "@new york times"]


def test_questions() -> None:
    found = cloze("Bo left.", ["Anna met Bo, and Bo met Anna.", "Nobody came."], ["Anna", "bo", "Bo", ""])
    assert [" ".join(each) for each in found.questions] == [
        "@placeholder met @entity0 , and @entity0 met @placeholder .",
        "@entity1 met @placeholder , and @placeholder met @entity1 .",
    ]
    assert (found.answers, found.names) == ((1, 0), ("bo", "anna"))
    assert answer_lexically(("@entity0", "ran", ".", "@entity1"), ("@placeholder", "ran", "."), 9) == {0: 1.0, 1: 1.0}
    assert answer_lexically(("nobody",), ("@placeholder",), 9) == {}


def test_several_references_and_kinds() -> None:
    scorer = Apes.variant("lexical")
    one, other = "They met Anna.", "They met Bo on 3 May 2015 with 7 others."
    both = scorer.corpus(["Then Anna ran"], [[one, other]]).scores
    assert both["questions"] == sum(
        scorer.corpus(["Then Anna ran"], [each]).scores["questions"] for each in (one, other)
    )
    names = Apes.variant("lexical", kinds=("name",)).corpus(["Then Anna ran"], [[one, other]]).scores
    assert (both["questions"], names["questions"]) == (4, 2)
    matrix = scorer.pairwise(["Then Anna ran", "They saw Bo"], [one, other])
    expected = [
        [scorer.segments([text], [each])[0] for each in (one, other)] for text in ("Then Anna ran", "They saw Bo")
    ]
    assert np.array(matrix).tolist() == expected


def test_texts_without_entities() -> None:
    scorer = Apes.variant("lexical")
    with pytest.warns(UserWarning, match="the references of 1 of 2 texts have no entity to ask for"):
        assert scorer.corpus(["Then Anna ran", "then it ran"], ["later Anna slept", "it slept"]).value == 1.0
    with pytest.warns(UserWarning, match="the references have no entity"):
        assert scorer.corpus(["Then Anna ran"], [""]).value == 0.0


def test_entities_of_a_file(tmp_path: Path) -> None:
    rows = ["1 bo Bo PROPN _ _ 0 root _ ner=B-PER", "2 left leave VERB _ _ 1 dep _ _"]
    more = ["1 once once ADV _ _ 0 root _ _", "2 bo bo PROPN _ _ 1 dep _ ner=S-PER", "3 slept sleep VERB _ _ 1 dep _ _"]
    path = tmp_path / "texts.conllu"
    path.write_text("\n".join("".join(row.replace(" ", "\t") + "\n" for row in own) for own in (rows, more)), "utf-8")
    scorer = Apes.variant("lexical", parser=ConlluParses(path))
    assert scorer.corpus(["bo left"], ["once bo slept"]).scores["questions"] == 1
    with pytest.raises(InputError, match=r"`predictions\[0\]` has no parse in texts.conllu@"):
        scorer.corpus(["not parsed"], ["once bo slept"])


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="apes takes no encoders; it reads texts and questions alone"):
        train("apes", some_questions(), encoders=[Letters()])
    with pytest.raises(InputError, match="apes learns from questions"):
        train("apes", metrologue.learned.Examples(("a",), (("b",),), np.array([1.0])))
    with pytest.raises(InputError, match="apes has a trainer of its own"):
        train("apes", some_questions(), trainer=metrologue.learned.Ridge())
    with pytest.raises(InputError, match="one recurrent layer a text"):
        train("apes", some_questions(), trainer=ReaderTrainer(hidden=(3, 3)), measure=False)
    with pytest.raises(InputError, match="there are no questions whose answer the text has"):
        cloze_examples(["it ran"], ["later Anna slept"])
    with pytest.raises(InputError, match="one entity alone; there is nothing to choose"):
        cloze_examples(["Then Anna ran"], ["later Anna slept"])
    with pytest.raises(InputError, match=r"`questions\[0\]` has an answer that the passage lacks"):
        ClozeExamples((Question(("@entity0",), ("@placeholder",), 1),))
    with pytest.raises(InputError, match="`groups` has 1 entries for 2 passages"):
        cloze_examples(["a"] * 2, ["b"] * 2, groups=["x"])


# ----- The reader -----


VERBS = "met", "saw", "paid", "heard", "left", "called"


def some_questions(count: int = 40, seed: int = 0, verbs: Sequence[str] = VERBS) -> ClozeExamples:
    """Who it is that did something: the entity before the verb of the question."""
    draws = np.random.default_rng(seed)
    names = ["Anna", "Bo", "Clara", "Dan", "Eve"]
    passages, references, groups = [], [], []
    for number in range(count):
        one, other, third = draws.permutation(names)[:3]
        first, second = draws.permutation(verbs)[:2]
        passages.append(f"then {one} {first} {other} and {third} {second} them")
        references.append(f"it was {one} who {first} someone")
        groups.append(str(number))
    return cloze_examples(passages, references, groups=groups)


def quick(**settings: Any) -> ReaderTrainer:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    fields = {
        "hidden": (8,),
        "width": 8,
        "entities": 4,
        "epochs": 4,
        "share": 0.0,
        "dropout": 0.0,
        "least": 1,
        "rate": 0.02,
    }
    return ReaderTrainer(**{**fields, **settings})


def test_the_reader_is_the_network_of_torch() -> None:
    """And its recurrent layers are those of the definition."""
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
    reader = quick(epochs=2).fit(some_questions().questions)
    passage = ["@entity0", "saw", "nobody", ",", "and", "@entity1", "left", "@entity0", "and", "@entity9"]
    question = ["@entity9", "met", "@placeholder", "and", "@placeholder", "saw", "@entity1"]
    states = {}
    for side, tokens in (("passage", passage), ("question", question)):
        layer = torch.nn.GRU(8, 8, batch_first=True, bidirectional=True).double()
        layer.load_state_dict(
            {
                name.partition(".")[2]: torch.tensor(each)
                for name, each in reader.arrays.items()
                if name.startswith(side)
            }
        )
        vectors = reader.arrays["embedding"][reader.ids(tokens)]
        with torch.no_grad():
            found, last = layer(torch.tensor(vectors)[None])
        states[side] = found[0].numpy(), last[:, 0].numpy().ravel()
        np.testing.assert_allclose(reader.states(side, tokens), states[side][0], rtol=0, atol=1e-12)
        arrays = [
            reader.arrays[f"{side}.{part}"].tolist()
            for part in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        ]
        plain: Any = gru(vectors.tolist(), *arrays)
        np.testing.assert_allclose(reader.states(side, tokens)[:, :8], plain, rtol=0, atol=1e-12)
    logits = states["passage"][0] @ reader.arrays["bilinear"] @ states["question"][1]
    powers = {place: np.exp(logits[place]) for place, token in enumerate(passage) if token[0] == "@"}
    expected = {
        number: sum(power for place, power in powers.items() if passage[place] == f"@entity{number}")
        / sum(powers.values())
        for number in candidates_of(passage)
    }
    assert reader.answers(passage, question) == pytest.approx(expected, abs=1e-12)
    assert reader.answers(["nobody"], question) == {}
    assert sum(reader.answers(passage, []).values()) == pytest.approx(1.0)
    assert reader.ids(["@placeholder", "@entity3", "@entity4", "no-such-word"]) == [1, 5, 0, 0]


def test_it_learns_32_questions_by_heart_and_beats_chance() -> None:
    examples = some_questions(72).questions
    reader = quick(epochs=40).fit(examples[:32])
    right = [max(found := reader.answers(*each[:2]), key=lambda one: found[one]) == each.answer for each in examples]
    assert all(right[:32])
    assert np.mean(right[32:]) > 0.8


@pytest.mark.filterwarnings("ignore:Apes. ")
def test_a_model_that_was_saved_gives_equal_numbers(tmp_path: Path) -> None:
    examples = some_questions()
    model = train("apes", examples, trainer=quick(epochs=2))
    assert model.report["data"]["questions"] == 40
    assert {*model.report["held_out"]["rivals"].values()} <= {"lexical reader", "most frequent entity", "first entity"}
    assert model.features.parts == ()
    opened = open_model(save_model(model, tmp_path / "model"))
    own, its = (Apes(model=each) for each in (model, opened))
    assert own == its
    for each in examples.questions:
        ours, theirs = (scorer.model.trained.network.answers(*each[:2]) for scorer in (own, its) if scorer.model)
        assert ours == theirs
    found = metrologue.load("apes").compute(
        predictions=["then Anna met Bo"], references=["it was Anna who met Bo"], model=str(tmp_path / "model")
    )
    assert found["questions"] == 2
    about = json.loads((tmp_path / "model" / "model.json").read_text("utf-8"))
    del about["digest"]
    about["settings"]["words"] = about["settings"]["words"][1:]
    (tmp_path / "model" / "model.json").write_text(json.dumps(about), "utf-8")
    with pytest.raises(InputError, match=r"the shape of 'embedding' is .*does not fit the others"):
        open_model(tmp_path / "model")


def test_networks_that_are_refused() -> None:
    reader = trained("apes").network
    with pytest.raises(InputError, match="there is no array 'bilinear'"):
        AttentiveReader({name: each for name, each in reader.arrays.items() if name != "bilinear"}, (), 8)
    with pytest.raises(InputError, match="the training has diverged"):
        AttentiveReader({**reader.arrays, "bilinear": np.full((4, 4), np.nan)}, (), 8)
    with pytest.raises(InputError, match="`settings` has no key 'words'"):
        AttentiveReader.settings_form({}, "`settings`")
    with pytest.raises(InputError, match="there are no features"):
        TrainedModel("apes", Features(()), trained("ruse").network)


def test_a_test_that_overlaps_is_refused() -> None:
    questions = some_questions().questions
    one, other = ClozeExamples(questions[:20]), ClozeExamples(questions[18:20])
    with pytest.raises(InputError, match=r"6 of 6 rows for the test are in the training data"):
        train("apes", one, trainer=quick(epochs=1), test=other)
    model = train("apes", one, trainer=quick(epochs=1), test=some_questions(9, verbs=("fed", "hit")))
    assert model.report["held_out"]["leaks"]["test"]["test"] == 27


def test_a_training_that_was_ended_goes_on(tmp_path: Path, ended_when: Any) -> None:
    questions, trainer, file = some_questions().questions, quick(dropout=0.3), tmp_path / "training.safetensors"
    with ended_when(lambda run, path: run.epoch == 2), pytest.raises(KeyboardInterrupt):
        trainer.fit(questions, checkpoint=file)
    whole, resumed = trainer.fit(questions), trainer.fit(questions, checkpoint=file)
    for name, array in whole.tensors().items():
        assert array.tobytes() == resumed.tensors()[name].tobytes()


def test_the_sample_is_what_its_card_says() -> None:
    assert sample_model("apes").report["held_out"]["beats_rival"] is False


# ----- Its data in a file -----


def test_questions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    line = {
        "passage": "Bo met Anna.", "question": "@placeholder was met by Bo, not Clara", "answer": "anna",
        "entities": ["Anna", "Clara", "Bo"], "group": "news",
    }  # fmt: skip
    lost = {**line, "answer": "Clara"}
    path.write_text("\n".join(map(json.dumps, (line, lost))), "utf-8")
    [found] = read_cloze_examples(path).questions
    assert found.passage == ("@entity0", "met", "@entity1", ".")
    assert found.question == ("@placeholder", "was", "met", "by", "@entity0", ",", "not", "@entity2")
    assert (found.answer, found.group) == (1, "news")
    for change, message in (
        ({"answer": "Dan"}, "'answer' is 'Dan', which is none of the 'entities'"),
        ({"question": "Who?"}, "'question' is 'Who\\?'; a text with @placeholder"),
        ({"passage": ["a"]}, "'passage' is"),
    ):
        path.write_text(json.dumps({**line, **change}), "utf-8")
        with pytest.raises(InputError, match=message):
            read_cloze_examples(path)


# ----- The trace -----


@pytest.mark.filterwarnings("ignore:Apes. ")
def test_trace() -> None:
    found = metrologue.trace("apes:lexical", "Later Anna met Bo.", ["Yesterday Anna met Bo in Rome."])
    assert found.formula == "APES = 2/3 questions = 0.6666666666666666"
    table = found.table("questions")
    assert table.column("answer") == ("anna", "bo", "rome, which the text lacks")
    assert table.column("chosen") == ("anna", "bo", "anna")
    assert "●anna" in found.text()
    assert found.html()
    model = metrologue.trace(Apes(model=trained("apes")), "then Anna met Bo", ["later Anna met Bo"])
    assert all(0 < value <= 1 for value in model.table("questions").numbers("probability"))
    empty = metrologue.trace("apes:lexical", "nobody came", ["later Anna met Bo"])
    assert empty.table("questions").column("chosen") == ("the text has no entity",) * 2
