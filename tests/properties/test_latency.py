"""What depends on a scorer alone is computed once, and a copy of the scorer does not carry it along."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from metrologue.errors import InputError
from metrologue.scorers import Bleu, make_scorer
from metrologue.scorers.core import options
from metrologue.scorers.families.kernels import edit
from metrologue.scorers.ribes import kernels as word_order
from metrologue.scorers.ter import kernels as shifts
from metrologue.segments import Segments
from metrologue.text.tokenizers import get_tokenizer, register_tokenizer
from metrologue.text.tokenizers.kernels import characters, tokens


def test_a_signature_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    line = options.signature_line
    monkeypatch.setattr(options, "signature_line", lambda *given: made.append(given) or line(*given))
    scorer = Bleu(max_order=3)
    first, second = (scorer.corpus(["a b c"], ["a b d"]) for _ in range(2))
    assert first == second
    assert len(made) == 1


def test_a_copy_is_the_fields_alone() -> None:
    scorer = Bleu(max_order=3)
    assert scorer.corpus(["a b c"], ["a b c"]).signature == scorer.signature
    assert "signature" in vars(scorer)
    for other in (copy.copy(scorer), pickle.loads(pickle.dumps(scorer))):
        assert other == scorer
        assert "signature" not in vars(other)


def test_the_scorer_of_a_name_is_made_once() -> None:
    assert make_scorer("bleu:nltk", max_order=2) is make_scorer("bleu", "nltk", max_order=2)
    with pytest.raises(InputError, match="max_order"):
        make_scorer("bleu", "nltk", max_order=2.0)
    with pytest.raises(InputError, match="lowercase"):
        make_scorer("bleu", lowercase=1)


def test_a_tokenizer_that_is_registered_anew_is_not_kept() -> None:
    register_tokenizer("halves", str.split, digest="one")
    first = make_scorer("bleu", tokenizer="halves")
    register_tokenizer("halves", str.split, digest="two")
    assert [each.tokenizer for each in (first, make_scorer("bleu", tokenizer="halves"))] == ["halves@one", "halves@two"]  # type: ignore[attr-defined]


def test_texts_of_one_pair_are_arrow_only_if_asked_for() -> None:
    segments = Segments(["a é"], [["a b", ""]])
    assert "arrow" not in vars(segments.strings())
    assert segments.texts("references").to_pylist() == ["a b", ""]
    assert segments.slice(0, 1).pair(0) == ("a é", ["a b", ""])


def test_characters_of_one_text_are_unknown_to_the_next_one() -> None:
    cut = get_tokenizer("characters")
    for text in ("abé", "éb", "🙂a"):
        tokens = cut(Segments([text]).strings())
        assert tokens.of_text(0) == list(text)


@pytest.mark.parametrize("name", ["ter", "wer", "cer", "edit_distance", "ribes:nltk"])
def test_arrays_that_calls_share_change_no_number(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = make_scorer(name)
    lines = ["a b c d", "", "d c b a e", "b " * 40, "a", "x y a b c d z", "é ü"]
    pairs = [(one, other) for one in lines for other in lines]

    def scores() -> list[dict[str, list[float]]]:
        found = [scorer.segment_scores([one], [other]) for one, other in pairs]
        return [{number: values.tolist() for number, values in each.items()} for each in found]

    shared = scores()
    for kernels in (characters, edit, shifts, tokens, word_order):
        monkeypatch.setattr(kernels, "_FEW", -1)
    assert scores() == shared
