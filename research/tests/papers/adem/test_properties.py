"""ADEM against its definition; the minimum of its loss, its models, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from metrologue_research.adem import Adem
from metrologue_research.adem.network import TERMS, BilinearNetwork
from metrologue_research.adem.training import Bilinear, balance, principal
from papers.adem.plain import adem, components, loss, product
from small_encoder import Letters, make_encoder
from small_trained import BETTER
from strategies import TokenCorpus, corpora_of, spelled

import metrologue
from metrologue import InputError
from metrologue.cli import main
from metrologue.data.judgements import Ratings
from metrologue.learned import (
    Examples,
    Features,
    Ridge,
    TrainedModel,
    open_model,
    read_examples,
    sample_model,
    save_model,
    train,
)
from metrologue.learned.store import SAMPLE
from metrologue.meta import Judgements
from metrologue.meta.scores import score_metrics

token_corpora = corpora_of(st.lists(st.sampled_from(["a", "b", "ab", "abc", "-bcd", "e"]), max_size=6))


def drawn_network(seed: int = 0, terms: tuple[str, ...] = TERMS) -> BilinearNetwork:
    draws = np.random.default_rng(seed)
    matrices = {term: draws.normal(size=(3, 3)) for term in terms}
    return BilinearNetwork(draws.normal(size=24), draws.normal(size=(3, 24)), matrices, 0.25, 2.5)


def drawn_model(**settings: Any) -> TrainedModel:
    return TrainedModel("adem", Features.of([Letters()]), drawn_network(**settings), BETTER)


def rated(count: int = 60, seed: int = 0, contexts: bool = True) -> Examples:
    """Responses with ratings that grow with the words that they share with the reference."""
    draws = np.random.default_rng(seed)
    words = ["cat", "dog", "sun", "sea", "tree", "road"]
    made = [[" ".join(draws.choice(words, 4)) for _ in range(count)] for _ in range(3)]
    shared = [len({*a.split()} & {*b.split()}) for a, b in zip(made[0], made[1], strict=True)]
    targets = np.clip(1 + 1.1 * np.array(shared) + draws.normal(size=count) / 5, 1, 5)
    own = tuple(made[2]) if contexts else None
    return Examples(tuple(made[0]), tuple((each,) for each in made[1]), targets, contexts=own)


def vector(words: list[str] | str) -> list[float]:
    text = words if isinstance(words, str) else " ".join(words)
    found: list[float] = Letters().encode_texts([text or "."])[0].tolist()
    return found


@given(corpus=token_corpora, data=st.data())
def test_definition(corpus: TokenCorpus, data: st.DataObject) -> None:
    network = drawn_network()
    contexts = data.draw(
        st.lists(st.sampled_from(["a b", "", "e -bcd"]), min_size=len(corpus[0]), max_size=len(corpus[0]))
    )
    mean, axes = network.mean.tolist(), network.axes.tolist()

    def known(words: list[str] | str) -> list[float]:
        return components(vector(words), mean, axes)

    expected = []
    for words, own, context in zip(corpus[0], corpus[1], contexts, strict=True):
        left = product(known(context), known(words), network.matrices["context"].tolist())
        rights = [product(known(each), known(words), network.matrices["reference"].tolist()) for each in own]
        expected.append(max(adem([left, right], 0.25, 2.5) for right in rights))
    scorer = Adem(model=TrainedModel("adem", Features.of([Letters()]), network, BETTER))
    found = scorer.segments(*spelled(corpus), contexts=contexts)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert scorer.corpus(*spelled(corpus), contexts=contexts).value == pytest.approx(
        np.mean(expected), rel=1e-9, abs=1e-9
    )
    paper = replace(scorer, rescaling="ratio").segments(*spelled(corpus), contexts=contexts)
    assert 3 + 4 * paper == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_hand_case() -> None:
    assert adem([0.5, 0.5], 0.0, 4.0) == 4.0


@pytest.mark.parametrize("terms", [TERMS, ("context",), ("reference",)])
@pytest.mark.parametrize("balanced", [True, False])
def test_training_finds_the_minimum(terms: tuple[str, ...], balanced: bool) -> None:
    """No step in any direction lowers the loss of the definition."""
    draws = np.random.default_rng(1)
    responses, vectors = draws.normal(size=(25, 6)), {term: draws.normal(size=(25, 6)) for term in TERMS}
    ratings, lengths = draws.uniform(1, 5, 25), draws.integers(1, 200, 25)
    network = Bilinear(components=3, terms=terms, balanced=balanced).fit(responses, vectors, ratings, lengths)
    assert network.terms == terms
    weights = balance(ratings, lengths) if balanced else np.ones(25)
    own = network.components(responses).tolist()
    others = {term: network.components(vectors[term]).tolist() for term in terms}
    sums = [sum(product(others[term][row], own[row], np.eye(3).tolist()) for term in terms) for row in range(25)]
    assert (network.start, network.spread) == pytest.approx((np.mean(sums), max(sums) - min(sums)))

    def at(matrices: dict[str, np.ndarray]) -> float:
        lists = {term: each.tolist() for term, each in matrices.items()}
        return loss(lists, others, own, ratings.tolist(), weights.tolist(), network.start, network.spread, 0.1)

    least = at({**network.matrices})
    for size in (1e-3, 0.1):
        for _ in range(30):
            step = {term: each + size * draws.normal(size=(3, 3)) for term, each in network.matrices.items()}
            assert at(step) > least - 1e-9
    whole = Bilinear(components=3, terms=terms, penalty=1e-9, balanced=False).fit(responses, vectors, ratings)
    factors = 4 / network.spread
    table = np.hstack([np.einsum("ni,nj->nij", own, others[term]).reshape(25, 9) * factors for term in terms])
    goals = ratings - 3 + factors * network.start
    rest = goals - table @ np.linalg.lstsq(table, goals, rcond=None)[0]
    seen = {term: whole.components(vectors[term]) for term in terms}
    ratios = whole.ratios(whole.parts(whole.components(responses), seen))
    assert np.square(3 + 4 * ratios - ratings).mean() == pytest.approx(np.square(rest).mean(), rel=1e-5, abs=1e-6)


def test_a_high_penalty_leaves_nothing() -> None:
    model = train("adem", rated(), encoders=["ngrams-8@2"], trainer=Bilinear(penalty=1e3), measure=False)
    network = model.network_as(BilinearNetwork)
    assert all(np.abs(each).max() == 0 for each in network.matrices.values())


def test_32_rows_can_be_overfitted() -> None:
    examples = replace(rated(32), targets=np.random.default_rng(0).uniform(1, 5, 32))
    trainer = Bilinear(components=16, penalty=1e-7, balanced=False)
    model = train("adem", examples, encoders=["ngrams-32@3"], trainer=trainer, measure=False)
    with pytest.warns(UserWarning, match="nothing was held out"):
        found = Adem(model=model).segments(examples.predictions, examples.references, contexts=examples.contexts)
    assert np.abs(found - examples.targets).max() < 0.05


def test_components_are_those_of_the_covariance() -> None:
    draws = np.random.default_rng(2)
    vectors = draws.normal(size=(30, 5)) * [5, 4, 3, 2, 1]
    mean, axes = principal(vectors, 2)
    np.testing.assert_allclose(axes @ axes.T, np.eye(2), atol=1e-12)
    values, basis = np.linalg.eigh(np.cov(vectors.T))
    np.testing.assert_allclose(np.abs(axes @ basis[:, ::-1][:, :2]), np.eye(2), atol=1e-9)
    np.testing.assert_allclose(((vectors - mean) @ axes.T).var(axis=0, ddof=1), values[::-1][:2])
    assert principal(np.ones((4, 3)) + np.eye(4, 3), 50)[1].shape == (3, 3)


def test_it_learns_a_rule_and_is_measured() -> None:
    examples = rated(300)
    model = train("adem", examples, encoders=["ngrams-64@3"], trainer=Bilinear(components=30))
    assert model.report["held_out"]["compared"]["pearson"]["learned"]["mean"] > 0.5
    assert "context and reference" in model.report["trainer"]
    alone = train("adem", rated(60, contexts=False), encoders=["ngrams-16@3"], measure=False)
    assert alone.network_as(BilinearNetwork).terms == ("reference",)
    assert "reference alone" in alone.report["trainer"]


def test_a_measuring_that_was_ended_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"encoders": ["ngrams-16@3"], "trainer": Bilinear(components=8)}
    whole = train("adem", rated(60), **options)
    fit, calls = Bilinear.fit, []

    def counted(self: Bilinear, *arguments: Any) -> BilinearNetwork:
        calls.append(len(calls))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return fit(self, *arguments)

    monkeypatch.setattr(Bilinear, "fit", counted)
    file = tmp_path / "training.safetensors"
    with pytest.raises(KeyboardInterrupt):
        train("adem", rated(60), **options, checkpoint=file)
    resumed = train("adem", rated(60), **options, checkpoint=file)
    assert resumed.report == whole.report
    assert len(calls) - 3 == len(whole.report["held_out"]["compared"]["pearson"]["learned"]["parts"]) - 2 + 1


def test_contexts_are_a_column() -> None:
    scorer = Adem(model=drawn_model())
    corpus, contexts = (["a b", "c"], [["a", "b c"], ["d"]]), ["e f", "a"]
    whole = scorer.corpus(*corpus, contexts=contexts)
    first = scorer.accumulate(["a b"], [["a", "b c"]], contexts=["e f"])
    assert scorer.score_totals(first.merge(scorer.accumulate(["c"], [["d"]], contexts=["a"]))).value == whole.value
    assert metrologue.score("adem", *corpus, contexts=contexts, model=scorer.model).value == whole.value
    module = metrologue.load("adem")
    found = module.compute(predictions=corpus[0], references=corpus[1], contexts=contexts, model=scorer.model)
    assert found == {"adem": whole.value}
    mean = replace(scorer, multi_reference="mean").segments(*corpus, contexts=contexts)[0]
    alone = [scorer.segments(["a b"], [each], contexts=["e f"])[0] for each in ("a", "b c")]
    assert mean == pytest.approx(np.mean(alone), rel=1e-14)
    with pytest.raises(InputError, match=r"Adem: `contexts` are missing; adem@\w+ reads them"):
        scorer.corpus(*corpus)
    with pytest.raises(InputError, match=r"Adem: 2 predictions but 1 context; each prediction needs its contexts"):
        scorer.corpus(*corpus, contexts=["a"])
    with pytest.raises(InputError, match=r"Adem: `contexts\[1\]` is int 3; a str is expected"):
        scorer.corpus(*corpus, contexts=["a", 3])


def test_judgements_have_contexts() -> None:
    """The rows of data that people rated keep their contexts, also where each reference is met alone."""
    scorer = Adem(model=drawn_model())
    texts, references, contexts = ("a b", "c"), (("a", "b c"), ("d",)), ("e f", "a")
    said = Judgements(("1", "2"), texts, {"good": Ratings(np.array([[1.0], [2.0]]), ("x",))}, references=references,
                      contexts=contexts)  # fmt: skip
    [whole], [mean] = (score_metrics(said, {"adem": scorer}, rule) for rule in ("all", "mean"))
    own = [[*map(list, references)], [*contexts]]
    assert whole.values.tolist() == scorer.segments([*texts], own[0], contexts=own[1]).tolist()
    expected = replace(scorer, multi_reference="mean").segments([*texts], own[0], contexts=own[1])
    assert mean.values == pytest.approx(expected, rel=1e-14)


def test_the_trace_shows_what_each_product_adds() -> None:
    scorer = Adem(model=drawn_model())
    shown = metrologue.trace(scorer, "a b", ["a c", "e"], contexts="b")
    table = shown.table("terms")
    adds = np.array(table.numbers("adds")).reshape(2, 2).sum(axis=1)
    assert shown.value == pytest.approx(3 + 4 * (-0.25 / 2.5) + adds.max())
    assert [str(cell)[:5] for cell in table.column("product")] == ["c M s", "r N s"] * 2
    percent = metrologue.trace(replace(scorer, scale=10.0, rescaling="ratio"), "a b", ["a c"], contexts="b")
    assert percent.formula.startswith("adem = 10.00·((")


def test_what_is_refused() -> None:
    examples = rated()
    with pytest.raises(InputError, match="adem reads the vectors of one encoder; 2 are given"):
        train("adem", examples, encoders=["ngrams-8@1", "ngrams-8@2"])
    with pytest.raises(InputError, match="adem is trained as Bilinear says"):
        train("adem", examples, encoders=["ngrams-8@1"], trainer=Ridge())
    with pytest.raises(InputError, match=r"`targets\[0\]` is \S+, and 59 more; the range is 1 to 5"):
        train("adem", replace(examples, targets=examples.targets + 9), encoders=["ngrams-8@1"])
    with pytest.raises(InputError, match="all 60 ratings are 2"):
        train("adem", replace(examples, targets=np.full(60, 2.0)), encoders=["ngrams-8@1"])
    with pytest.raises(InputError, match="asked to read contexts alone, and the examples have none"):
        train("adem", rated(contexts=False), encoders=["ngrams-8@1"], trainer=Bilinear(terms=("context",)))
    with pytest.raises(InputError, match="3 of 11 rows for the test are in the training data too"):
        train("adem", examples.take(range(40)), encoders=["ngrams-8@1"], test=examples.take(range(37, 48)))
    with pytest.raises(InputError, match="of 3 responses with reference are all equal"):
        Bilinear(terms=("reference",)).fit(np.zeros((3, 2)), {"reference": np.zeros((3, 2))}, np.array([1.0, 2.0, 3.0]))
    for wrong, message in (
        ({"terms": ("source",)}, "of 'context' and 'reference', one or both are expected"),
        ({"penalty": 0.0}, "`penalty` is 0.0"),
        ({"components": 0}, "`components`: 0 is not an int from 1 to 65536"),
    ):
        with pytest.raises(InputError, match=message):
            Bilinear(**wrong)
    arrays = drawn_network().tensors()
    for changed, message in (
        ({**arrays, "context": np.eye(2)}, "the shape of 'context' is .*does not fit the others"),
        ({**arrays, "limits": np.array([0.0, 0.0])}, "the range of the products is not above 0"),
        ({name: each for name, each in arrays.items() if name != "axes"}, "there is no array 'axes'"),
    ):
        with pytest.raises(InputError, match=message):
            BilinearNetwork.of_tensors(changed, {}, {})


def test_another_encoder_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
    encoder, other = make_encoder(tmp_path / "encoder"), make_encoder(tmp_path / "other", seed=1)
    folder = save_model(train("adem", rated(), encoders=[encoder], measure=False), tmp_path / "model")
    assert open_model(folder, encoder=encoder).metric == "adem"
    with pytest.raises(InputError, match=r"was trained with the encoder encoder@\w+, not with other@"):
        open_model(folder, encoder=other)


def test_the_sample_is_what_training_gives() -> None:
    """But for last bits of the linear algebra, and the signs of the components."""
    model, examples = sample_model("adem"), read_examples(SAMPLE)
    examples = replace(examples, targets=1 + 4 * examples.targets)
    made = train("adem", examples, encoders=["ngrams-32@3"], trainer=Bilinear(components=24), measure=False)
    assert model.report["data"] == made.report["data"]
    texts, references = ["a cat slept", "who"], ["the cat slept"] * 2
    with pytest.warns(UserWarning, match=r"nothing was held out|did not beat"):
        own, its = (Adem(model=each).segments(texts, references) for each in (model, made))
    np.testing.assert_allclose(own, its, rtol=1e-4)


def test_the_command(tmp_path: Path) -> None:
    examples, data = rated(), tmp_path / "rated.jsonl"
    lines = [
        f'{{"prediction": "{text}", "references": "{own[0]}", "rating": {rating}, "context": "{context}"}}'
        for text, own, rating, context in zip(
            examples.predictions, examples.references, examples.targets, examples.contexts or (), strict=True
        )
    ]
    data.write_text("\n".join(lines), "utf-8")
    options = ["train", "adem", "--data", str(data), "--encoder", "ngrams-8@2", "--out", str(tmp_path / "model")]
    told = CliRunner().invoke(main, options)
    assert told.exit_code == 0, told.output
    model = open_model(tmp_path / "model")
    assert model.network_as(BilinearNetwork).terms == TERMS
    assert "least squares in closed form" in (tmp_path / "model" / "README.md").read_text("utf-8")
