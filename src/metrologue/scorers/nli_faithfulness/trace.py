"""The trace of NLI faithfulness: the probabilities of each sentence with its best premise, or of facts."""

from __future__ import annotations

from metrologue.representations.pairs import LABELS
from metrologue.scorers.core.trace import trace_of
from metrologue.scorers.nli_faithfulness import VERDICTS, NliFaithfulness
from metrologue.segments import Segments
from metrologue.tracing import Row, Span, Table, Trace, short

_STATES = {"entailment": "matched", "contradiction": "missing"}


def build(scorer: NliFaithfulness, segment: Segments) -> Trace:
    """The trace of one segment."""
    result = scorer.corpus(segment)
    [answers], _ = scorer._answers(segment)
    rows, best = [], []
    contradicted = LABELS.index("contradiction")
    for place, hypothesis in enumerate(answers.hypotheses):
        if not answers.judged.size:
            break
        chosen = int(answers.judged[place, :, LABELS.index("entailment")].argmax())
        judged = answers.judged[place, chosen]
        label = LABELS[int(judged.argmax())]
        premise = answers.premises[place if scorer.check == "facts" else chosen]
        said = Span(tokens=tuple(hypothesis.split()), state=_STATES.get(label, ""))
        rows.append(Row(cells=(said, *map(float, judged[::-1]), label, premise), state=_STATES.get(label, "")))
        margin = float(answers.judged[place, :, contradicted].max()) if scorer.measure == "margin" else 0.0
        best.append(float(judged[LABELS.index("entailment")]) - margin)
    listed = " + ".join(map(short, best))
    scale = "" if scorer.scale == 1 else f"{scorer.scale:g}\u00b7"
    if scorer.check == "facts":
        name = next((each for each in VERDICTS if result.scores[each]), VERDICTS[0])
        formula = f"nli_faithfulness = {scale}min({', '.join(map(short, best))}) = {result.value}"
        remark = f"verdict: {name.replace('_', ' ')}"
    else:
        formula = (
            f"nli_faithfulness = {scale}({listed})/{len(best)} = {result.value}" if best else "nli_faithfulness = 0"
        )
        remark = "each hypothesis with the premise that entails it most probably"
    header = ("hypothesis", "entailment", "neutral", "contradiction", "label", "premise")
    table = Table(name="hypotheses", header=header, rows=tuple(rows), summary=f"{len(rows)} hypotheses")
    return trace_of(scorer, result, formula, [table], (remark, *scorer._hints(segment)))
