"""METEOR and its aligners against the definition, and against METEOR 1.5's search as it can be read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cmp_to_key
from operator import eq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.meteor.plain import Match, align, chunks, merit, possible_matches
from metrics.meteor.plain import meteor as plain_meteor
from metrologue.scorers import Meteor
from metrologue.scorers.meteor import Alignment
from metrologue.text.lexicon import register_function_words, register_paraphrases, register_stems, register_synonyms

SYNONYMS = [{"a", "b"}, {"b", "c"}, {"d", "e", "f"}]
PARAPHRASES = [("a b", "c"), ("c", "d e"), ("a", "f"), ("b a", "a b"), ("a b c", "e f")]
TABLES = {
    "synonyms": register_synonyms("letters", [sorted(words) for words in SYNONYMS]),
    "paraphrases": register_paraphrases("letters", PARAPHRASES),
}
STAGES = ("exact", "synonym", "paraphrase")
texts = st.lists(st.sampled_from("abcdef"), max_size=6)


def synonymous(one: str, other: str) -> bool:
    return any({one, other} <= words for words in SYNONYMS)


def candidates(hypothesis: list[str], reference: list[str]) -> list[Match]:
    """All matches, in the order in which METEOR 1.5 finds them; of equal texts only the exact ones."""
    if hypothesis == reference:
        return possible_matches(hypothesis, reference, {"exact": eq}, [])
    return possible_matches(hypothesis, reference, {"exact": eq, "synonym": synonymous}, PARAPHRASES)


def aligned(aligner: str, hypothesis: list[str], reference: list[str], beam: int = 40) -> Alignment:
    scorer = Meteor(
        tokenizer="whitespace",
        stages=STAGES,
        weights=(1, 1, 1),
        aligner=aligner,
        beam=beam,
        function_words=None,
        **TABLES,
    )
    return scorer.alignments(" ".join(hypothesis), [" ".join(reference)])[0]


def matches_of(alignment: Alignment) -> list[Match]:
    return sorted(
        Match(m.reference, m.reference_length, m.hypothesis, m.hypothesis_length, m.stage) for m in alignment.matches
    )


short = texts.filter(lambda text: len(text) < 5)


@given(hypothesis=short, reference=short)
def test_nothing_is_better_than_the_papers_alignment(hypothesis: list[str], reference: list[str]) -> None:
    """With a beam that nothing falls out of, the search finds the best of all alignments."""
    found = matches_of(aligned("paper", hypothesis, reference, beam=5_000))
    best = align(hypothesis, reference, {"exact": eq, "synonym": synonymous}, PARAPHRASES)
    assert merit(found) == merit(best)


FUNCTION_WORDS = {"a", "d"}
STEMS = [["b", "e"]]
STEMMER, LIST = register_stems("letters", STEMS), register_function_words("letters", sorted(FUNCTION_WORDS))
parameters = st.fixed_dictionaries(
    {
        "alpha": st.sampled_from([0.1, 0.5, 0.9]),
        "beta": st.sampled_from([0.2, 1.0, 3.0]),
        "gamma": st.sampled_from([0.0, 0.5, 1.0]),
        "delta": st.sampled_from([0.25, 0.75, 1.0]),
    }
)


@given(hypothesis=short, reference=short, parameters=parameters)
def test_definition(hypothesis: list[str], reference: list[str], parameters: dict[str, float]) -> None:
    """An alignment that is as good as the best of all, and the numbers that the paper makes of it."""
    weights = {"exact": 1.0, "stem": 0.6, "synonym": 0.8, "paraphrase": 0.4}
    scorer = Meteor(
        tokenizer="whitespace",
        stages=(*weights,),
        weights=(*weights.values(),),
        aligner="paper",
        beam=5_000,
        function_words=LIST,
        stemmer=STEMMER,
        penalize_whole=True,
        **TABLES,
        **parameters,
    )
    texts = " ".join(hypothesis), [" ".join(reference)]
    found = matches_of(scorer.alignments(*texts)[0])
    same = {"exact": eq, "stem": lambda one, other: {one, other} == {*STEMS[0]}, "synonym": synonymous}
    assert merit(found) == merit(align(hypothesis, reference, same, PARAPHRASES))
    expected = plain_meteor(hypothesis, reference, found, weights, FUNCTION_WORDS, **parameters)
    scores = scorer.corpus([texts[0]], [texts[1]]).scores
    assert {name: scores[name] for name in expected} == pytest.approx(expected, rel=1e-12)


@dataclass
class Path:
    """A partial alignment of METEOR 1.5."""

    matches: tuple[Match, ...] = ()
    words: int = 0
    chunks: int = 0
    distance: int = 0
    following: int = 0
    end: int | None = None


def compared(a: Path, b: Path) -> int:
    return (b.words - a.words) or (a.chunks - b.chunks) or (a.distance - b.distance)


def taken(path: Path, match: Match) -> Path:
    """The path with one match more; its distance is left to the caller."""
    weight = 1.0 if match.stage == "exact" else 0.5
    return replace(
        path,
        matches=(*path.matches, match),
        words=path.words + int(match.length * weight) + int(match.other_length * weight),
        chunks=path.chunks + (path.end is not None and path.end != match.other),
        following=match.start + match.length,
        end=match.other + match.other_length,
    )


def searched(hypothesis: list[str], reference: list[str], beam: int) -> list[Match]:
    """METEOR 1.5's search with lists and a stable sort."""
    found = candidates(hypothesis, reference)
    cover = [
        (m, {("r", m.start + k) for k in range(m.length)} | {("h", m.other + k) for k in range(m.other_length)})
        for m in found
    ]
    alone = {m for m, words in cover if sum(bool(words & others) for _, others in cover) == 1}
    paths = [Path()]
    for j in range(len(reference)):
        following: list[Path] = []
        for path in sorted(paths, key=cmp_to_key(compared))[:beam]:
            if j < path.following:
                following.append(path)
                continue
            here = [m for m in found if m.start == j]
            if here and here[0] in alone:
                path = taken(path, here[0])
                path.distance += here[0].distance
                following.append(path)
                continue
            used = {m.other + k for m in path.matches for k in range(m.other_length)}
            for match in here:
                if not used & {match.other + k for k in range(match.other_length)}:
                    following.append(taken(path, match))
                    path.distance += match.distance
            path.chunks += path.end is not None
            path.end = None
            path.following = j + 1
            following.append(path)
        paths = following
    paths = sorted(paths, key=cmp_to_key(compared))[:beam]
    for path in paths:
        path.chunks += path.end is not None
    return sorted(min(paths, key=cmp_to_key(compared)).matches)


@given(hypothesis=texts, reference=texts, beam=st.sampled_from([1, 2, 3, 40]))
def test_the_beam_search_is_that_of_the_program(hypothesis: list[str], reference: list[str], beam: int) -> None:
    assert matches_of(aligned("beam", hypothesis, reference, beam)) == searched(hypothesis, reference, beam)


def test_a_pair_that_stands_in_a_table_both_ways_is_one() -> None:
    found = [
        Meteor(stages=("exact", "paraphrase"), weights=(1, 1), paraphrases=register_paraphrases(name, table))
        .alignments("a", ["f"])[0]
        .matches
        for name, table in (("one-way", [("a", "f")]), ("both-ways", [("a", "f"), ("f", "a"), ("a", "f")]))
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 1


@pytest.mark.parametrize("aligner", ["beam", "paper"])
@given(hypothesis=st.lists(st.sampled_from("abcdef"), max_size=150), reference=texts)
def test_alignments_are_sound(aligner: str, hypothesis: list[str], reference: list[str]) -> None:
    """Each word is in one match at most, matches are candidates, chunks are numbered as they come in the reference."""
    for a, b in ((hypothesis, reference), (reference, hypothesis)):
        alignment = aligned(aligner, a, b)
        assert (alignment.hypothesis, alignment.reference) == (tuple(a), tuple(b))
        matches = matches_of(alignment)
        assert set(matches) <= set(candidates(a, b))
        for side in (
            [m.start + k for m in matches for k in range(m.length)],
            [m.other + k for m in matches for k in range(m.other_length)],
        ):
            assert len(set(side)) == len(side)
        numbers = [m.chunk for m in sorted(alignment.matches, key=lambda match: match.reference)]
        assert sorted(set(numbers)) == [*range(chunks(matches))]
        assert numbers == sorted(numbers)
        assert [m.hypothesis for m in alignment.matches] == sorted(m.hypothesis for m in alignment.matches)


@given(hypothesis=texts, reference=texts)
def test_counts_are_those_of_the_alignment(hypothesis: list[str], reference: list[str]) -> None:
    scorer = Meteor(tokenizer="whitespace", stages=STAGES, weights=(1, 1, 1), function_words=None, **TABLES)
    scores = scorer.corpus([" ".join(hypothesis)], [" ".join(reference)]).scores
    matches = matches_of(aligned("beam", hypothesis, reference))
    for stage in STAGES:
        own = [m for m in matches if m.stage == stage]
        assert scores[f"{stage}_hypothesis_content_count"] == sum(m.other_length for m in own)
        assert scores[f"{stage}_reference_content_count"] == sum(m.length for m in own)
        assert scores[f"{stage}_hypothesis_function_count"] == 0
    assert scores["chunk_count"] == chunks(matches)
    assert scores["hypothesis_match_count"] + scores["reference_match_count"] == sum(m.words for m in matches)
    assert (scores["hypothesis_length"], scores["reference_length"]) == (len(hypothesis), len(reference))
    assert scores["whole_count"] == (
        chunks(matches) == 1 and sum(m.words for m in matches) == len(hypothesis) + len(reference)
    )


def test_a_word_beside_the_exact_stage_counts_half_in_the_program() -> None:
    """Its alignment covers four words of the Polish example, where that of its papers covers six."""
    table = register_paraphrases("polish", [("na złość", "na przekór")])
    texts = "kot siedzi na ganku na złość", ["kotek na przekór siedział na płocie"]
    covered = {}
    for aligner in ("beam", "paper"):
        scorer = Meteor(
            tokenizer="whitespace",
            stages=("exact", "paraphrase"),
            weights=(1, 1),
            aligner=aligner,
            function_words=None,
            paraphrases=table,
        )
        covered[aligner] = sum(m.words for m in matches_of(scorer.alignments(*texts)[0]))
    assert covered == {"beam": 4, "paper": 6}
