"""The metrics as modules of Hugging Face `evaluate`; nothing else in the package knows it.

A module in ``metrics/`` imports one of these classes, and has all it needs as its methods. Each is a mix-in that comes
before ``evaluate.Metric``, ``evaluate.Measurement`` or ``evaluate.Comparison``.

It may import meta and what stands below it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrologue.deferred import deferred

if TYPE_CHECKING:
    from metrologue.bridge.checkpoint_module import CheckpointModule
    from metrologue.bridge.comparison_module import ComparisonModule
    from metrologue.bridge.label_module import AveragedModule, LabelModule
    from metrologue.bridge.language_module import LanguageModule
    from metrologue.bridge.metric_module import MetricModule
    from metrologue.bridge.number_module import NumberModule
    from metrologue.bridge.question_module import QuestionModule
    from metrologue.bridge.vector_module import VectorModule

__all__ = [
    "AveragedModule",
    "CheckpointModule",
    "ComparisonModule",
    "LabelModule",
    "LanguageModule",
    "MetricModule",
    "NumberModule",
    "QuestionModule",
    "VectorModule",
]

__getattr__ = deferred(
    __name__,
    {
        "AveragedModule": "metrologue.bridge.label_module",
        "CheckpointModule": "metrologue.bridge.checkpoint_module",
        "ComparisonModule": "metrologue.bridge.comparison_module",
        "LabelModule": "metrologue.bridge.label_module",
        "LanguageModule": "metrologue.bridge.language_module",
        "MetricModule": "metrologue.bridge.metric_module",
        "NumberModule": "metrologue.bridge.number_module",
        "QuestionModule": "metrologue.bridge.question_module",
        "VectorModule": "metrologue.bridge.vector_module",
    },
)
