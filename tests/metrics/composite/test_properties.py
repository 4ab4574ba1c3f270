"""Composites against their definition, and their models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_trained import line, trained

from metrics.composite.plain import composite, mean_of_z_scores
from metrologue import Chrf, Cider, Composite, InputError, Ter
from metrologue.learned import (
    Examples,
    Features,
    Scores,
    TrainedModel,
    open_model,
    read_examples,
    save_model,
    train,
)
from metrologue.learned.store import SAMPLE
from metrologue.learned.training import MeanOfZScores
from metrologue.segments import Segments

TEXTS = (
    ["the cat sat on a mat", "dogs run", "", "the cat"],
    [["the cat sat"], ["a dog runs", "dogs ran"], ["x"], ["a cat"]],
)


def rows_of(*texts: list[str] | list[list[str]]) -> list[list[float]]:
    return np.column_stack([Chrf().segments(*texts), Ter().segments(*texts)]).tolist()


def test_definition() -> None:
    weights = trained("composite").network.layers[0]
    expected = [composite(row, weights[0][0].tolist(), float(weights[1][0])) for row in rows_of(*TEXTS)]
    scorer = Composite(model=trained("composite"))
    assert scorer.segments(*TEXTS) == pytest.approx(expected, rel=1e-12)
    assert scorer.corpus(*TEXTS).value == pytest.approx(np.mean(expected), rel=1e-12)


def test_the_mean_of_z_scores_looks_at_no_rating() -> None:
    every = read_examples(SAMPLE)
    made = [
        train("composite", rated, scores=["chrf", "ter"], trainer=MeanOfZScores(), measure=False)
        for rated in (every, Examples(every.predictions, every.references, every.targets[::-1].copy()))
    ]
    assert made[0].name == made[1].name
    training = rows_of([*every.predictions], [[*each] for each in every.references])
    expected = mean_of_z_scores(rows_of(*TEXTS), training, [1, -1])
    with pytest.warns(UserWarning, match="nothing was held out"):
        assert Composite(model=made[0]).segments(*TEXTS) == pytest.approx(expected, rel=1e-9)


def test_tables_are_kept_with_the_model(tmp_path: Path) -> None:
    """CIDEr's weights are those of the training's references, whatever is scored."""
    model = train("composite", read_examples(SAMPLE), scores=["cider", "chrf"])
    folder = save_model(model, tmp_path / "model")
    assert any(each.suffix == ".arrow" for each in folder.iterdir())
    segments = Segments(["a cat slept on the sofa"], [["the cat slept on a sofa all afternoon"]])
    expected = Composite(model=model).segments(segments)[0]
    del model
    opened = open_model(folder)
    assert Composite(model=opened).segments(segments)[0] == expected
    again = Composite(model=opened).segments(["two", *["a cat slept on the sofa"]], ["one", segments.pair(0)[1][0]])
    assert again[1] == expected
    assert isinstance(opened.features.scores[0].scorer, Cider)


def test_numbers_and_forms() -> None:
    [chosen] = Features.of(scores=["exp(-wer)"]).scores
    assert chosen.name.startswith("exp(-wer")
    assert (chosen.sign, Scores.of("wer").sign) == (1, -1)
    values = chosen.of_segments(Segments(["a b", "c"], ["a c", "c"]))[:, 0]
    np.testing.assert_allclose(values, [np.exp(-0.5), 1.0])
    number = Scores.of("rouge:rouge_score.rouge2_recall")
    assert number.name == "rouge:rouge_score.rouge2_recall"
    with pytest.raises(InputError, match="ter has no number 'edit'; did you mean 'edits'"):
        Scores.of("ter:sacrebleu.edit")


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="vectors have no z-scores that could be added"):
        train("composite", read_examples(SAMPLE), encoders=["ngrams-8@1"], trainer=MeanOfZScores())
    with pytest.raises(InputError, match=r"composite reads the scores of other metrics.*; give encoders or metrics"):
        train("composite", read_examples(SAMPLE))


def test_vectors_may_stand_beside_scores() -> None:
    model = train("composite", read_examples(SAMPLE), encoders=["ngrams-16@2"], scores=["chrf"])
    assert model.network.shape == "65-1"
    texts = ["a cat", "two dogs"], [["the cat", "one cat"], ["two dogs"]]
    rows = model.features.of_segments(Segments(*texts))
    alone = [model.features.of_segments(Segments(["a cat"], [each]))[0, :64] for each in texts[1][0]]
    np.testing.assert_allclose(rows[0, :64], np.mean(alone, axis=0))


def test_a_part_without_a_score_counts_as_its_mean() -> None:
    model = TrainedModel("composite", trained("composite").features, line([1.0, 1.0], 0.0))
    assert model.network(np.array([[np.nan, 2.0]]))[0, 0] == 2.0
