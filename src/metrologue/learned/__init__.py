"""Learned metrics: examples that people rated, features, trainers, and models that are kept as plain numbers.

``train`` makes a model for a metric such as ``composite`` and measures it on texts that it has not seen, beside a
trivial rival and a report of what both parts of the data share. ``save_model`` and ``open_model`` write and read its
folder, which holds JSON and safetensors, and nothing that runs. ``metrologue train`` does the same on the command line.

It may import ``scorers.core`` and what stands below it, and no metric.
"""

from metrologue.deferred import from_stub

__all__, __getattr__, __dir__ = from_stub(__name__, __file__)
