"""Other engines: data sets, torch, Spark. They bring the rows and the processes; the counts and the merging are ours.

Each module imports its engine when it is imported itself: ``metrologue.integrations.datasets``, ``.torch``, ``.spark``.
An engine that has no module here needs ``scorer.accumulate``, ``Totals.merge`` and ``Totals.to_bytes`` only.

It may import meta and what stands below it.
"""

from __future__ import annotations

from metrologue.integrations.columns import fit_counts

__all__ = ["fit_counts"]
