"""The trace of the compact reward: the parts of the reward of each word."""

from __future__ import annotations

from metrologue.learned.trace import trace_of
from metrologue.segments import Segments
from metrologue.tracing import Row, Table, Trace
from metrologue_research.compact_reward import CompactReward
from metrologue_research.compact_reward.network import UNKNOWN, Reward, contexts_of, words_of


def build(scorer: CompactReward, segment: Segments) -> Trace:
    """The trace of one segment."""
    model = scorer._trained
    network = model.network_as(Reward)
    [text] = segment.texts().to_pylist()
    [context] = contexts_of(model.features, [segment.texts("references").to_pylist()])
    found, words = network.rewards(text, context), words_of(text)
    parts = zip(found.gain, found.shaping, found.expected, found.total, strict=True)
    rows = [Row(cells=(word, *map(float, own))) for word, own in zip([*words, "(end)"], parts, strict=True)]
    unknown = int((network.ids(text) == UNKNOWN).sum())
    table = Table(
        name="words",
        header=("word", "gain", "change of the value", "log probability", "reward"),
        rows=tuple(rows),
        caption=(
            "the reward is the gain and the change of the value, less the log probability; the score is the "
            f"{scorer.over_words} of the rewards; {unknown} of {len(words)} words are unknown"
        ),
        summary=f"{len(words)} words",
    )
    return trace_of(scorer, segment, [table])
