"""Text-generation metrics: every library's number from one engine, and the reason why they differ.

``score`` scores texts with a metric that is given by name, and ``pairwise`` every text with every other one. ``mbr``
chooses the best of several candidates. ``trace`` shows how a number of one segment comes about. ``explain`` divides
the gap between two scorers among their choices. ``compare`` runs the libraries themselves and our scorers on the same
texts. ``recommended`` gives the scorer that the field uses for a language. ``doctor`` says what is plainly wrong with
them. ``read`` gives the columns of the field's own files. ``resegment`` cuts an output as its
references are cut. ``which`` says which settings print a given number. ``load`` gives a metric as a Hugging Face
``evaluate`` module. The metrics are classes in ``metrologue.scorers``, such as ``Bleu``. A name is
imported when it is first used.
"""

from os.path import dirname, isdir, join

from metrologue.deferred import deferred, names_in

# In a checkout, these folders are links to those beside the package. Git for Windows may write a file instead.
if isdir(dirname(__file__)) and not all(isdir(join(dirname(__file__), name)) for name in ("metrics", "comparison")):
    raise ImportError(
        f"metrologue: {dirname(__file__)} has no folders `metrics` and `comparison`. In a checkout they are links. Git "
        "for Windows makes links if Windows' developer mode is on. Turn it on, run `git config core.symlinks true` and "
        "`git checkout -- src/metrologue/metrics src/metrologue/comparison`, and install metrologue again."
    )
# The functions that people call, each with a call that a message shows if the arguments do not fit.
_CALLS = {
    "compare": 'compare(predictions, references, "bleu")',
    "doctor": "doctor(predictions, references)",
    "explain": 'explain("bleu", "nltk", "sacrebleu", predictions, references)',
    "mbr": 'mbr("chrf", candidates)',
    "pairwise": 'pairwise("chrf", predictions, references)',
    "recommended": 'recommended("bleu", language="ja")',
    "resegment": "resegment(predictions, references)",
    "score": 'score("bleu", predictions, references)',
    "trace": 'trace("bleu", predictions, references, segment=0)',
    "which": 'which("bleu", 27.3, predictions, references)',
}
# The names of the stub, and the classes of the metrics.
_SCORERS = names_in(join(dirname(__file__), "scorers", "__init__.pyi"))
_METRICS = {name: module for name, module in _SCORERS.items() if not module.startswith("metrologue.scorers.core.")}
_MODULES = {**names_in(f"{__file__}i"), **_METRICS}
__all__ = sorted([*_MODULES])
__getattr__ = deferred(__name__, _MODULES, _CALLS)


def __dir__() -> list[str]:
    return __all__
