"""Numbers of the variants that no program gives, from their definitions, in plain Python over lists of tokens.

    python tests/parity/goldens.py [FOLDER [METRIC]]

writes ``METRIC-VARIANT.json`` for each into FOLDER, by default ``goldens`` beside this file. It uses nothing of
metrologue.
"""

from __future__ import annotations

import inspect
import json
import re
import runpy
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

Tokens = list[str]
Triple = tuple[float, float, float]  # precision, recall, F
MEASURES = ("precision", "recall", "fmeasure")


# ROUGE: Lin 2004, "ROUGE: A package for automatic evaluation of summaries".


def triple(hits: float, hypothesis: float, reference: float, power: float = 1.0) -> Triple:
    precision = (hits / hypothesis) ** power if hypothesis else 0.0
    recall = (hits / reference) ** power if reference else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def overlap(hypothesis: Iterable[Any], reference: Iterable[Any]) -> Triple:
    """Units in common, each as often as in the text that has fewer."""
    ours, theirs = Counter(hypothesis), Counter(reference)
    return triple((ours & theirs).total(), ours.total(), theirs.total())


def ngrams(tokens: Tokens, order: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def skip_bigrams(tokens: Tokens, gap: int) -> list[tuple[str, str]]:
    """Ordered pairs with at most `gap` words between them."""
    return [(tokens[i], tokens[j]) for i, j in combinations(range(len(tokens)), 2) if j - i <= gap + 1]


def lcs_table(reference: Tokens, hypothesis: Tokens) -> list[list[int]]:
    table = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, one in enumerate(reference):
        for j, other in enumerate(hypothesis):
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
    return table


def lcs_positions(reference: Tokens, hypothesis: Tokens) -> set[int]:
    """Where in the reference a longest common subsequence is; of two, the one that leaves the reference's word out."""
    table = lcs_table(reference, hypothesis)
    i, j = len(reference), len(hypothesis)
    found = set()
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def union_lcs(hypothesis: list[Tokens], reference: list[Tokens]) -> Triple:
    """Words of the reference in a common subsequence with any sentence; none more often than either text has it."""
    left = Counter(word for sentence in hypothesis for word in sentence)
    total = left.total()
    hits = 0
    for sentence in reference:
        marked = set().union(*(lcs_positions(sentence, own) for own in hypothesis))
        for position in sorted(marked):
            if left[sentence[position]]:
                left[sentence[position]] -= 1
                hits += 1
    return triple(hits, total, sum(map(len, reference)))


def weighted_lcs(hypothesis: Tokens, reference: Tokens, weight: float) -> Triple:
    """Section 4: f(k) = k^weight of a run of k, and the inverse of f."""
    values = [[0.0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    runs = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, one in enumerate(reference):
        for j, other in enumerate(hypothesis):
            if one == other:
                runs[i + 1][j + 1] = runs[i][j] + 1
                values[i + 1][j + 1] = values[i][j] + (runs[i][j] + 1) ** weight - runs[i][j] ** weight
            else:
                values[i + 1][j + 1] = max(values[i][j + 1], values[i + 1][j])
    return triple(values[-1][-1], len(hypothesis) ** weight, len(reference) ** weight, 1 / weight)


def mean(triples: Sequence[Triple]) -> Triple:
    precision, recall, fmeasure = map(fmean, zip(*triples, strict=True))
    return precision, recall, fmeasure


def best(triples: Sequence[Triple]) -> Triple:
    """The first of those with the best F."""
    return max(triples, key=lambda found: found[2])


def jackknife(triples: Sequence[Triple]) -> Triple:
    """Section 2.1: the mean of the best over all sets that leave one reference out."""
    if len(triples) == 1:
        return triples[0]
    return mean([best([*triples[:i], *triples[i + 1 :]]) for i in range(len(triples))])


def words_of_1_5_5(line: str) -> Tokens:
    """ASCII words in lower case, hyphens apart."""
    lowered = "".join(c.lower() if c.isascii() else c for c in line)
    spaced = re.sub(r"[^a-z0-9\-]", " ", lowered.replace("-", " - "))
    return [word for word in spaced.split() if re.match(r"[a-z0-9$]", word)]


def words_of_any_script(line: str) -> Tokens:
    """Runs of letters, digits and marks in NFKC, case-folded; a Han, kana or Thai letter and its marks are a word."""
    words: Tokens = []
    for run in "".join(c if unicodedata.category(c)[0] in "LNM" else " " for c in line).split():
        joined = False
        for c in unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", run).casefold()):
            alone = unicodedata.name(c, "").startswith(("CJK UNIFIED", "HIRAGANA", "KATAKANA", "THAI CHARACTER"))
            mark = unicodedata.category(c)[0] == "M"
            if words and (mark or (joined and not alone)):
                words[-1] += c
            else:
                words.append(c)
            joined = joined or not alone if mark else not alone
    return words


def rouge(
    kinds: dict[str, Callable[[list[Tokens], list[Tokens]], Triple]],
    join: Callable[[Sequence[Triple]], Triple],
    cut: Callable[[str], Tokens],
    predictions: list[str],
    references: list[list[str]],
) -> Iterator[dict[str, float]]:
    """The numbers of each segment."""

    def sentences(text: str) -> list[Tokens]:
        return [cut(line) for line in text.split("\n")]

    for prediction, own in zip(predictions, references, strict=True):
        row: dict[str, float] = {}
        for kind, measure in kinds.items():
            joined = join([measure(sentences(prediction), sentences(text)) for text in own])
            row |= {f"{kind}_{name}": value for name, value in zip(MEASURES, joined, strict=True)}
        yield row


def on_words(measure: Callable[[Tokens, Tokens], Triple]) -> Callable[[list[Tokens], list[Tokens]], Triple]:
    """A measure of texts whose sentences do not matter."""
    return lambda ours, theirs: measure([*chain(*ours)], [*chain(*theirs)])


N_GRAMS = {
    f"rouge{n}": on_words(lambda ours, theirs, n=n: overlap(ngrams(ours, n), ngrams(theirs, n)))  # type: ignore[misc]
    for n in (1, 2)
}
PAPER = {
    **N_GRAMS,
    "rougeL": union_lcs,
    "rougeW": on_words(lambda ours, theirs: weighted_lcs(ours, theirs, 1.2)),
    "rougeS4": on_words(lambda ours, theirs: overlap(skip_bigrams(ours, 4), skip_bigrams(theirs, 4))),
    # Section 5.2: a marker at the beginning makes unigrams of the pairs that begin with it.
    "rougeSU4": on_words(
        lambda ours, theirs: overlap(skip_bigrams(["<s>", *ours], 4), skip_bigrams(["<s>", *theirs], 4))
    ),
}
UNICODE = {
    **N_GRAMS,
    "rougeL": on_words(
        lambda ours, theirs: triple(lcs_table(theirs, ours)[-1][-1], len(ours), len(theirs)),
    ),
    "rougeLsum": union_lcs,
}


# METEOR 1.0: Banerjee and Lavie 2005; Lavie and Agarwal 2007 for the parameters.

SYNONYMS = [["guide", "direction"], ["error", "mistake", "fault"], ["text", "passage"]]
COUNTS = ("hypothesis_length", "reference_length", "hypothesis_match_count", "chunk_count")


def alignments(pairs: list[tuple[int, int]], taken: tuple[tuple[int, int], ...] = ()) -> Iterator[Any]:
    """Every set of these pairs in which no word is twice."""
    yield taken
    for k, (i, j) in enumerate(pairs):
        yield from alignments([(a, b) for a, b in pairs[k + 1 :] if a != i and b != j], (*taken, (i, j)))


def chunks(matches: tuple[tuple[int, int], ...]) -> int:
    """Runs of matches that go on in both texts."""
    ordered = sorted(matches)
    return sum((i - 1, j - 1) not in matches for i, j in ordered)


def meteor_counts(prediction: Tokens, reference: Tokens) -> dict[str, int]:
    """Of the alignment that covers most words, has fewest chunks and then the least distances."""
    from nltk.stem.snowball import EnglishStemmer

    stem = EnglishStemmer().stem

    def match(one: str, other: str) -> bool:
        return one == other or stem(one) == stem(other) or any({one, other} <= {*words} for words in SYNONYMS)

    pairs = [(i, j) for i, one in enumerate(prediction) for j, other in enumerate(reference) if match(one, other)]
    matches = min(alignments(pairs), key=lambda found: (-len(found), chunks(found), sum(abs(i - j) for i, j in found)))
    return dict(zip(COUNTS, (len(prediction), len(reference), len(matches), chunks(matches)), strict=True))


def meteor_score(counts: dict[str, int]) -> dict[str, float]:
    length, reference_length, matches, chunk_count = (counts[name] for name in COUNTS)
    if not matches:
        return {"meteor": 0.0, **counts}
    precision, recall = matches / length, matches / reference_length
    fmean = precision * recall / (0.9 * precision + 0.1 * recall)
    penalty = 0.5 * (chunk_count / matches) ** 3
    ratios = {"precision": precision, "recall": recall, "fmean": fmean, "penalty": penalty}
    return {"meteor": fmean * (1 - penalty), **ratios, **counts}


def best_counts(prediction: str, references: list[str]) -> dict[str, int]:
    """Those with the reference of the best score, the first of several."""
    found = [meteor_counts(prediction.split(), text.split()) for text in references]
    return max(found, key=lambda counts: meteor_score(counts)["meteor"])


# Distinct-n: Li et al. 2016; entropy-n of Zhang et al. 2018.


def diversity(texts: list[str], by_tokens: bool) -> dict[str, float]:
    """Of n-grams that do not cross from one text into the next."""
    tokens = [text.split() for text in texts]
    numbers: dict[str, float] = {"token_count": sum(map(len, tokens))}
    for n in (1, 2):
        each = [Counter(ngrams(words, n)) for words in tokens]
        whole = sum(each, Counter())
        count = whole.total()
        shares = [
            len(own) / (len(words) if by_tokens else own.total())
            for own, words in zip(each, tokens, strict=True)
            if own
        ]
        total = numbers["token_count"] if by_tokens else count
        numbers |= {
            f"distinct_{n}": len(whole) / total if total else 0.0,
            f"mean_distinct_{n}": fmean(shares) if shares else 0.0,
            f"entropy_{n}": -sum(k / count * log(k / count) for k in whole.values()) + 0.0,
            f"distinct_count_{n}": len(whole),
            f"count_{n}": count,
        }
    return numbers


# Probabilities of tokens: 32 choices that are equally probable; 1, 2 and 3 bits; a certain token; others.
_PROBABILITIES = ["0.03125 " * 7, "0.5 0.25 0.125", "1", "0.9 0.004 0.3333333333333333", "0.2", "0.7 1e-9"]
_LINES = [
    ("A:0.6 B:0.4", "A"),
    ("tak:10 nie:8.9", "nie"),
    ("źdźbło:-0.69 foo:-1.6 az:-1.2", "dolar"),
    ("1:0.2 :0.6", "1"),
    ("a:b:0.5 the:0.7", "a:b"),
]
_CODE = [
    ("return a + b", ["return a + b"]),
    ("return  a +\tb", ["return a + b"]),
    ("x = 1  # one", ["x = 1", "y = 1"]),
    ("\n  if (a) {\n\n\tb(); // two\r\n}\n", ["if (a) {\nb();\n}"]),
    ("a\nb", ["a b", "ab"]),
    ("# only", ["", "pass"]),
    ("", ["// nothing\n \u2003\n"]),
    ('s = "http://a"', ['s = "http://b"']),
    ("a \x1c\n\u2028 b", ["a\nb"]),
]
TEXTS: dict[str, list[Any]] = {
    **dict.fromkeys(("exact_match-repobench", "exact_match-cceval"), _CODE),
    **dict.fromkeys(("log_loss_hashed", "likelihood_hashed", "perplexity_hashed"), _LINES),
    **dict.fromkeys(("cross_entropy", "likelihood", "perplexity"), _PROBABILITIES),
    "rouge": [
        ("police killed the gunman", ["police ended the gunman", "the gunman was shot down by police"]),
        ("the cat sat on the mat\nit was happy", ["the cat was on the mat\nit looked happy", "a cat", "mat\nthe cat"]),
        ("", ["nothing", ""]),
        ("a well-known café, at 5-3 p.m.", [""]),
        ("Straße ΟΔΟΣ 猫が好き\nไทยแลนด์ ﬁn", ["STRASSE οδος 猫好き", "ไทย fin\nкот", "strasse e\u0301te\u0301"]),
        ("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", ["w1 w2 w3 w4 w5"]),
        ("a b c a b d a", ["a b a c b d", "b a b a d c", "a a a b b b c", "d"]),
    ],
    "pyramid": [  # a summary has no score if its models have no unit
        ("crash fire crash rain", ["crash fire may", "crash may june", "crash may"]),
        ("a b c d e f", ["c b a", "a b c d e", "x"]),
        ("a a b", ["a b b b"]),
        ("", ["nothing", ""]),
        ("ein кот 猫", ["ein кот", "猫"]),
    ],
    "peak": [
        (
            ['["a train", "hit", "a red truck"]', '["nobody", "was", "hurt"]', '["it", "rained", ""]'],
            [
                ['["the train", "hit", "a truck"]', '["it", "was", "in May"]'],
                ['["a fast train", "hit", "a truck"]', '["nobody", "was hurt", ""]'],
                ['["A train", "has hit", "a truck"]', '["nobody", "was", "hurt"]', '["a truck", "was", "red"]'],
            ],
        ),
        (['["a", "b", "c"]'], [['["a", "b", "d"]', '["a", "e", "c"]'], ['["x", "y", "z"]']]),
        ([], [['["кот", "ест", "猫"]']]),
    ],
    "meteor": [
        ("the cats ran on the mat", ["the cat was running on the mat", "on the mat ran the cats"]),
        ("this guide has an error in its text", ["the direction had one mistake in each passage", "a text"]),
        ("", ["nothing", ""]),
        ("a b c", [""]),
        ("a b c d", ["a b c d", "d c b a"]),
        ("ünder the straße b a", ["a b straße ünder the", "кот"]),
        ("one two", ["three"]),
    ],
    "entity_recall": [
        ("In 2015 Anna Smith left Rome.", ["They say that Anna left in 2015.", "Smith paid $1,000.50 on Monday"]),
        ("it cost 3 euros (5 %) on Monday", ["Monday it cost 1000.5 euros", "on 3 May 2015, it cost 7"]),
        ("nobody was there", ["Nobody was there. Then rain"]),
        ("", ["said Anna-Maria O'Neil", ""]),
        ("Paris was wet, said Ein КОТ", ["in PARIS", "der Кот 猫"]),
    ],
    "lexical_diversity": [
        "The cat sat on the mat and the dog sat on the log while the cat and the dog ran",
        "",
        "one",
        "a a a a",
        "Ein кот 猫 ein КОТ 猫",
        " ".join(f"w{number * number % 41}" for number in range(120)),
    ],
    "seqeval": [
        ("B-PER L-PER O O U-LOC", ["B-PER L-PER B-PER L-PER U-LOC"]),
        ("O B-LOC M-LOC E-LOC", ["W-LOC B-LOC M-LOC E-LOC"]),
        ("B-PER I-PER I-LOC", ["B-PER I-PER B-LOC"]),
        ("S-PER I-PER", ["U-PER S-PER"]),
        ("I-PER L-PER L-PER O", ["B-PER L-PER U-PER O"]),
    ],
    "token_f1": [
        ("7 yards", ["7.0", "seven"]),
        ("Ann\nBob Smith", ["Bob\nAnn", "the Ann\nthe Bob-Smith"]),
        ("$1,000 in May", ["1000", " "]),
        ("9 yards", ["7 yards"]),
        ("", ["the", "a\nx"]),
        ("кот\n猫\nкот", ["кот\nкот\n猫"]),
    ],
    "exact_match": [
        ("The cat sat.", ["the cat", "dog"]),
        (" the cat", ["the cat "]),
        ("The CAT!", ["a cat"]),
        ("category", ["cat"]),
        ("", ["", "the"]),
        ("the", ["a", "x"]),
        ("ein кот", ["ein к"]),
    ],
    "exact_match-competition_math": [
        (r"\tfrac12", ["0.5", "x"]),
        ("x = 3/4", [r"\frac34"]),
        (r"5\text{ cm}", ["5 cm", "$5$"]),
        (r"\left(1, 2\right)", ["(1,2)"]),
        ("0.50", ["0.5"]),
        ("", ["", r"\frac"]),
        (r"\sqrt", [r"\sqrt"]),
    ],
    "distinct_n": ["the cat sat", "the cat ran the cat sat", "", "ein кот 猫 ein кот 猫", "one", " \u3000", "a a a a"],
}


# Those of a metric that has none of its own above.
PAIRS = [
    ("the cat sat on the mat", ["the cat is on the mat", "a cat sat"]),
    ("a b c", ["c b a", "a b c d e", "x"]),
    ("a a b", ["a b b b"]),
    ("", ["nothing", ""]),
    ("something", [""]),
    ("ein кот 猫", ["ein кот", "猫"]),
]


# Programs that take one reference.
SINGLE = [
    *((text, references[:1]) for text, references in PAIRS),
    ("", [""]),
    ("the cat sat on the mat again and again", ["the cat sat on the mat again"]),
]


def golden(metric: str, variant: str, version: str, source: str, numbers: Callable[..., Any], **more: Any) -> Any:
    """What `numbers` makes of the columns of texts: those of the corpus, and those of each segment.

    A definition in tests/metrics names what it takes. Other texts than these are made of their segment.
    """
    usual = SINGLE if variant.startswith(("travatar", "geval")) else PAIRS
    texts = TEXTS.get(f"{metric}-{variant}") or TEXTS.get(metric, usual)
    sides = [*map(list, zip(*texts, strict=True))] if isinstance(texts[0], tuple) else [texts]
    columns: dict[str, list[Any]] = dict(zip(("predictions", "references"), sides, strict=False))
    if isinstance(numbers, OfPlain):
        columns = {
            name: columns.get(name) or [" ".join([text, *own]) for text, own in texts] for name in numbers.inputs
        }
    whole, rows = numbers(*columns.values())
    return {
        "variant": f"{metric}-{variant}",
        "version": version,
        "source": source,
        "tool": "tests/parity/goldens.py, which uses nothing of metrologue",
        "command": "python tests/parity/goldens.py",
        "fields": {},
        **more,
        **columns,
        "scores": {"corpus": whole, **{f"segment {index}": row for index, row in enumerate(rows)}},
    }


def mean_rouge(kinds: Any, join: Any, cut: Any) -> Callable[..., Any]:
    def numbers(predictions: list[str], references: list[list[str]]) -> Any:
        rows = [*rouge(kinds, join, cut, predictions, references)]
        return {key: fmean(row[key] for row in rows) for key in rows[0]}, rows

    return numbers


def pooled_meteor(predictions: list[str], references: list[list[str]]) -> Any:
    rows = [*map(best_counts, predictions, references)]
    whole = {name: sum(row[name] for row in rows) for name in COUNTS}
    return meteor_score(whole), [*map(meteor_score, rows)]


def travatar(share: float) -> Callable[..., Any]:
    """Travatar's BLEU without a penalty: of each order, matches divided by a mixture of both texts' n-grams."""

    def score(pairs: list[tuple[Tokens, Tokens]]) -> dict[str, float]:
        product = 1.0
        for order in range(1, 5):
            counts = [(Counter(ngrams(ours, order)), Counter(ngrams(right, order))) for ours, right in pairs]
            matches, own, its = (
                sum(each.total() for each in column)
                for column in zip(*((ours & right, ours, right) for ours, right in counts), strict=True)
            )
            product *= matches / (share * own + (1 - share) * its) if matches else 0.0
        return {"bleu": product**0.25}

    def numbers(predictions: list[str], references: list[list[str]]) -> Any:
        pairs = [(ours.split(), right.split()) for ours, [right] in zip(predictions, references, strict=True)]
        return score(pairs), [score([pair]) for pair in pairs]

    return numbers


def error_rate(name: str, cut: Callable[[str], Iterable[str]]) -> Callable[..., Any]:
    """GEval's WER and CER: edits, divided by the units of references; if there are none, 1 for any edit."""

    def edits(ours: Tokens, right: Tokens) -> int:
        row = [*range(len(right) + 1)]
        for i, unit in enumerate(ours, 1):
            before, row[0] = row[0], i
            for j, other in enumerate(right, 1):
                before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (unit != other))
        return row[-1]

    def score(pairs: list[tuple[Tokens, Tokens]]) -> dict[str, float]:
        wrong, units = sum(edits(*pair) for pair in pairs), sum(len(right) for _, right in pairs)
        return {name: wrong / units if units else float(wrong > 0)}

    def numbers(predictions: list[str], references: list[list[str]]) -> Any:
        pairs = [([*cut(ours)], [*cut(right)]) for ours, [right] in zip(predictions, references, strict=True)]
        return score(pairs), [score([pair]) for pair in pairs]

    return numbers


def of_texts(by_tokens: bool) -> Callable[..., Any]:
    return lambda texts: (diversity(texts, by_tokens), [diversity([text], by_tokens) for text in texts])


class OfPlain:
    """The number by the definition in tests/metrics, over words between whitespace or what else `cut` gives."""

    def __init__(self, metric: str, cut: Callable[[str], list[str]] = str.split, **options: Any) -> None:
        self.metric, self.cut, self.options = metric, cut, options
        plain = runpy.run_path(str(Path(__file__).parents[1] / "metrics" / metric / "plain.py"))
        self.score, self.source = plain[metric], plain["__doc__"].partition("\n")[0]

    @property
    def inputs(self) -> list[str]:
        """The predictions, and the other parameters without a default."""
        _, *others = inspect.signature(self.score).parameters.values()
        names = [each.name for each in others if each.default is each.empty]
        return ["predictions", *("references" if name == "models" else name for name in names)]

    def _words(self, row: str | list[str]) -> list[Any]:
        return self.cut(row) if isinstance(row, str) else [*map(self.cut, row)]

    def __call__(self, *texts: list[Any]) -> Any:
        columns = [[*map(self._words, rows)] for rows in texts]
        rows = [
            {self.metric: self.score(*([one] for one in own), **self.options)} for own in zip(*columns, strict=True)
        ]
        return {self.metric: self.score(*columns, **self.options)}, rows


def hashed(name: str) -> Callable[..., Any]:
    """A hashed metric, of all lines and of each. The number of a line counts."""
    plain = runpy.run_path(str(Path(__file__).parents[1] / "metrics" / "hashed_words" / "plain.py"))
    of_log = {"log_loss_hashed": lambda log: -log, "likelihood_hashed": exp, "perplexity_hashed": lambda log: exp(-log)}

    def numbers(lines: list[str], words: list[str]) -> Any:
        logs = [plain["log_probability"](*pair, i + 1) for i, pair in enumerate(zip(lines, words, strict=True))]
        return {name: plain[name](lines, words)}, [{name: of_log[name](log)} for log in logs]

    return numbers


def token_probabilities(name: str) -> Callable[..., Any]:
    """A number of the probabilities of tokens by the definition in tests/metrics."""
    plain = Path(__file__).parents[1] / "metrics" / "token_probabilities" / "plain.py"
    score = runpy.run_path(str(plain))[name]

    def numbers(lines: list[str]) -> Any:
        rows = [[float(item) for item in line.split()] for line in lines]
        return {name: score(rows)}, [{name: score([row])} for row in rows]

    return numbers


def mean_perplexity(lines: list[str]) -> Any:
    """The mean of the texts' own perplexities."""
    _, rows = token_probabilities("perplexity")(lines)
    return {"perplexity": fmean(row["perplexity"] for row in rows)}, rows


def helm(quasi: bool, prefix: bool) -> Callable[..., Any]:
    """HELM's exact match by the definition in tests/metrics, of the texts or of their words as SQuAD has them."""
    match, squad = (
        runpy.run_path(str(Path(__file__).parents[1] / "metrics" / name / "plain.py"))
        for name in ("exact_match", "token_f1")
    )

    def normalized(text: str) -> str:
        return " ".join(squad["normalized"](text)) if quasi else text.strip()

    def numbers(predictions: list[str], references: list[list[str]]) -> Any:
        def of(*texts: Any) -> dict[str, float]:
            return {"exact_match": match["helm"](*texts, normalized, prefix)}

        pairs = zip(predictions, references, strict=True)
        return of(predictions, references), [of([text], [own]) for text, own in pairs]

    return numbers


def same_code(form: Callable[[str], Any]) -> Callable[..., Any]:
    """The share of texts that have the form of a reference."""

    def numbers(predictions: list[str], references: list[list[str]]) -> Any:
        pairs = zip(predictions, references, strict=True)
        rows = [{"exact_match": float(form(text) in map(form, own))} for text, own in pairs]
        return {"exact_match": fmean(row["exact_match"] for row in rows)}, rows

    return numbers


def lines_of_code(text: str) -> list[str]:
    """Lines as CrossCodeEval compares them: without comments, stripped, without empty ones."""
    for comment in (r"#.*", r"//.*"):
        text = re.sub(comment, "", text)
    return [line.strip() for line in text.split("\n") if line.strip()]


def math_answers(predictions: list[str], references: list[list[str]]) -> Any:
    """The share of answers in LaTeX that are right, by the definition in tests/metrics."""
    spelled = runpy.run_path(str(Path(__file__).parents[1] / "metrics" / "exact_match" / "plain.py"))["math_answer"]
    rows = [
        {"exact_match": float(spelled(text) in map(spelled, own))}
        for text, own in zip(predictions, references, strict=True)
    ]
    return {"exact_match": fmean(row["exact_match"] for row in rows)}, rows


def drop(predictions: list[str], references: list[list[str]]) -> Any:
    """DROP's F1 and exact match in per cent, by the definition in tests/metrics."""
    score = runpy.run_path(str(Path(__file__).parents[1] / "metrics" / "token_f1" / "plain.py"))["drop"]
    rows = []
    for text, own in zip(predictions, references, strict=True):
        f1, exact = map(max, zip(*(score(text, reference) for reference in own), strict=True))
        rows.append({"token_f1": 100 * f1, "exact_match": 100 * exact})
    return {key: fmean(row[key] for row in rows) for key in rows[0]}, rows


def tags_of_any_scheme(predictions: list[str], references: list[list[str]]) -> Any:
    """The F1 of entities by the definition in tests/metrics, whose letters are those of IOBES."""
    plain = runpy.run_path(str(Path(__file__).parents[1] / "metrics" / "seqeval" / "plain.py"))
    ours, right = (
        [plain["in_bies"](text.split()) for text in side] for side in (predictions, [own[0] for own in references])
    )
    rows = [{"f1": plain["seqeval"]([one], [other])} for one, other in zip(ours, right, strict=True)]
    return {"f1": plain["seqeval"](ours, right)}, rows


def lower(text: str) -> list[str]:
    return text.lower().split()


def lexical_diversity(predictions: list[str]) -> Any:
    """All measures by the definition in tests/metrics, over words between whitespace in lower case."""
    plain = Path(__file__).parents[1] / "metrics" / "lexical_diversity" / "plain.py"
    score = runpy.run_path(str(plain))["lexical_diversity"]
    texts = [text.lower().split() for text in predictions]
    return score(texts), [score([text]) for text in texts]


def peak(summaries: list[list[str]], models: list[list[list[str]]]) -> Any:
    """PEAK by the definition in tests/metrics, over triples."""
    plain = runpy.run_path(str(Path(__file__).parents[1] / "metrics" / "peak" / "plain.py"))

    def triples(own: list[str]) -> list[tuple[str, ...]]:
        return [tuple(json.loads(one)) for one in own]

    rows = [plain["peak"](triples(one), [*map(triples, own)]) for one, own in zip(summaries, models, strict=True)]
    return {"peak": fmean(rows)}, [{"peak": row} for row in rows]


SUMS: dict[str, Any] = {"means": (False, False), "remainder": False}
DUCVIEW = {"ideal": "both", "capped": True, "repeats": "each", "average": "floor"}


def goldens() -> list[Any]:
    """All that there are."""
    lin = "Lin 2004, https://aclanthology.org/W04-1013; the words and the union of ROUGE-1.5.5"
    lavie = "Banerjee and Lavie 2005, https://aclanthology.org/W05-0909; Snowball's stems by nltk"
    jarvis = "McCarthy and Jarvis 2010, https://doi.org/10.3758/BRM.42.2.381, and what it compares with"
    li = "Li et al. 2016, https://aclanthology.org/N16-1014; Zhang et al. 2018, https://arxiv.org/abs/1809.05972"
    dice = "Dice 1945, https://doi.org/10.2307/1932409; the mean of the texts"
    han = "Han et al. 2012, https://aclanthology.org/C12-2044; Han et al. 2013, https://aclanthology.org/W13-2253"
    liu = "Liu et al. 2010, https://aclanthology.org/W10-1754"
    celab = "Liu and Ng 2012, https://aclanthology.org/P12-1097"
    yang = "Yang et al. 2016, AAAI; words in place of senses, each triple as its JSON, the mean of the summaries"
    nan = "after Nan et al. 2021, https://aclanthology.org/2021.eacl-main.235; names by rule, each of their words"
    nenkova = "Nenkova et al. 2004, https://aclanthology.org/N04-1019, and 2007; words as units, the mean of the texts"
    neubig = "eval-measure-bleu.cc of Travatar, https://github.com/neubig/travatar"
    xu = "Xu et al. 2016, https://aclanthology.org/Q16-1029, as its scripts and EASSE compute it"
    liang = "Liang et al. 2023, evaluate_reference_metrics.py of crfm-helm"
    hendrycks = "Hendrycks et al. 2021, math_equivalence.py, which the Hub's competition_math calls"
    jelinek = "Jelinek et al. 1977, https://doi.org/10.1121/1.2016299: 2 to the power of the entropy"
    return [
        golden("entity_recall", "metrologue", "", nan, OfPlain("entity_recall", str)),
        golden("peak", "triples", "2016", yang, peak),
        golden("pyramid", "modified", "2007", nenkova, OfPlain("pyramid")),
        golden("pyramid", "original", "2004", nenkova, OfPlain("pyramid", ideal="summary")),
        golden("pyramid", "ducview", "1.5", nenkova, OfPlain("pyramid", **DUCVIEW)),
        *(
            golden(name, "textbook", "1977", jelinek, token_probabilities(name))
            for name in ("cross_entropy", "likelihood", "perplexity")
        ),
        golden("perplexity", "evaluate", "0.4.6", f"{jelinek}; the mean of the texts", mean_perplexity),
        *(
            golden(name, "geval", "1.42.2.0", "GEval, https://gitlab.com/filipg/geval", hashed(name))
            for name in ("log_loss_hashed", "likelihood_hashed", "perplexity_hashed")
        ),
        *(
            golden(name, "geval", "1.42.2.0", "GEval's src/GEval/WER.hs, https://gitlab.com/filipg/geval", numbers)
            for name, numbers in (("wer", error_rate("wer", str.split)), ("cer", error_rate("cer", str)))
        ),
        *(
            golden("bleu", f"travatar-{name}", "fa63412", neubig, travatar(share))
            for name, share in (("recall", 0.0), ("f", 0.5))
        ),
        *(
            golden("exact_match", f"helm{quasi * '-quasi'}{prefix * '-prefix'}", "0.5.16", liang, helm(quasi, prefix))
            for quasi in (False, True)
            for prefix in (False, True)
        ),
        golden("exact_match", "repobench", "630c865", "evaluation/metrics.py of RepoBench", same_code(str.split)),
        golden("exact_match", "cceval", "25f9cab", "scripts/eval_metric.py of CrossCodeEval", same_code(lines_of_code)),
        golden("exact_match", "competition_math", "0.4.6", hendrycks, math_answers),
        golden(
            "seqeval",
            "metrologue",
            "",
            "Nakayama 2018, seqeval, with the letters of all schemes",
            tags_of_any_scheme,
        ),
        golden("token_f1", "drop", "2019", "Dua et al. 2019, https://aclanthology.org/N19-1246", drop),
        golden("hlepor", "hlepor", "2013", han, OfPlain("hlepor", lower)),
        golden("hlepor", "lepor", "2012", han, OfPlain("hlepor", lower, combination="product")),
        golden("hlepor", "nlepor", "2013", han, OfPlain("hlepor", lower, combination="product", max_order=4)),
        golden("lexical_diversity", "metrologue", "", jarvis, lexical_diversity),
        golden("dice", "bigrams", "", dice, OfPlain("dice", list, order=2)),
        golden("distinct_n", "metrologue", "", li, of_texts(by_tokens=False)),
        golden("distinct_n", "paper-2016", "2016", li, of_texts(by_tokens=True)),
        golden("rouge", "paper-2004", "2004", lin, mean_rouge(PAPER, jackknife, words_of_1_5_5)),
        golden("rouge", "unicode", "", lin, mean_rouge(UNICODE, best, words_of_any_script)),
        golden(
            "tesla_celab", "characters", "2012", celab, OfPlain("tesla_celab", lambda text: [*text.replace(" ", "")])
        ),
        golden("tesla", "words", "2010", liu, OfPlain("tesla"), fields={"tokenizer": "whitespace"}),
        golden("sari", "easse", "6a4352e", xu, OfPlain("sari", **SUMS, f1=True, zero=0, corpus=True)),
        golden("sari", "tensor2tensor", "0d149ea", xu, OfPlain("sari", **SUMS, once=True, only_long=True)),
        golden(
            "sari", "xu-2016", "0210f15", xu, OfPlain("sari", lambda text: text.split(" "), means=(True, True), zero=0)
        ),
        golden("meteor", "meteor-1.0", "1.0", lavie, pooled_meteor, synonyms=SYNONYMS),
    ]


def plain_goldens(metrics: Iterable[str]) -> list[Any]:
    """Those of metrics that are defined in plain Python, whose first variant mirrors no program."""
    made = []
    for metric in metrics:
        numbers = OfPlain(metric)
        made.append(golden(metric, "metrologue", "", numbers.source, numbers))
    return made


if __name__ == "__main__":
    here = Path(__file__).with_name("goldens")
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else here
    folder.mkdir(exist_ok=True)
    listed = goldens()
    recorded = {path.stem.removesuffix("-metrologue") for path in here.glob("*-metrologue.json")} | {*sys.argv[2:]}
    others = sorted(name for name in recorded if f"{name}-metrologue" not in {each["variant"] for each in listed})
    for made in (*listed, *plain_goldens(others)):
        text = json.dumps(made, ensure_ascii=False, indent=1)
        (folder / f"{made['variant']}.json").write_text(text + "\n", "utf-8")
