"""Writes what is generated: tables in cards, README and docs, and modules (see ``docs/modules.py``).

The site has pages of tables alone, which are made when it is built: one for each metric, and those of docs/templates.

The version in CITATION.cff is that of ``src/metrologue/version.py``.

``python -m docs`` writes the files. ``python -m docs --check`` only lists those that are out of date.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from docs import alignments, modules
from docs.languages import languages, libraries, normalizers
from metrologue import list_comparisons, list_statistics
from metrologue.comparison.harness import compare
from metrologue.comparison.libraries import history as versions_of
from metrologue.comparison.showing.results import Comparison
from metrologue.comparison.showing.sentences import flip_sentence, leads, sampling_note, winner_sentence
from metrologue.files.parts import read_segments
from metrologue.hub_names import hub_names, instead_of_hub_module
from metrologue.modules import all_names, list_benchmarks
from metrologue.pages.formulas import definition_of
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.citing import bibtex, cited, named_paper
from metrologue.scorers.core.described import described as meaning
from metrologue.scorers.core.described import values_of
from metrologue.scorers.core.needs import needs_of, said_of_needs
from metrologue.scorers.core.numbers import tabled
from metrologue.scorers.core.options import options_of, spelled
from metrologue.scorers.core.variants import recommended as advised
from metrologue.tasks import grouped
from metrologue.version import __version__
from studies.tables import prose, table, written

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "docs" / "templates"
_BLOCK = "<!-- {name}: {how} -->\n"
_END = "<!-- end -->\n"
DEFINED = "The paper's definition over lists of tokens. The tests compare the scorer with it."
# The table of significance: metrics and variants that need no word lists and no other program.
_COMPARED = {
    "bleu": ["sacrebleu", "nltk"],
    "chrf": ["sacrebleu"],
    "ter": ["sacrebleu"],
    "rouge": ["rouge_score", "rouge"],
    "wer": ["jiwer"],
}
# A docstring that names the class which says more.
_SEE = re.compile(r"\s+See `(\w+)`( for .*?)?\.$", re.MULTILINE)
_SYSTEMS = ("amber", "birch", "cedar")
# A family of numbers with more names than this is shortened to its first and its last.
_MOST_NAMES = 4
# The stages, in words.
_STAGES = {
    "read": "how text becomes tokens",
    "pairs": "what is counted",
    "join": "how several references join",
    "score": "how counts become numbers",
}


def described(kind: type) -> str:
    """What a class's docstring says before its sections."""
    text = inspect.cleandoc(kind.__doc__ or "")
    return re.sub(r"\n(\w+)\n-+\n.*", "", text, flags=re.DOTALL).replace("``", "`").strip()


def summary(scorer: type[Scorer]) -> str:
    """The first paragraph of a class's docstring, without the name of the class that says more."""
    return _SEE.sub("", described(scorer).partition("\n\n")[0].replace("\n", " "))


def description(scorer: type[Scorer]) -> str:
    """What a metric's page says first. If the docstring leaves the rest to another class, it is here, or linked."""
    text = described(scorer)
    if found := _SEE.search(text):
        others = {kind.__name__: kind for kind in (*scorer.__mro__, *map(get_scorer, list_scorers()))}
        other = others[found[1]]
        if other in scorer.__mro__:  # a base has no page
            return "\n\n".join([_SEE.sub("", text), described(other).partition("\n\n")[2]])
        return _SEE.sub(f" See [`{other.name}`]({other.name}.md).", text)
    return text


def variants(scorer: type[Scorer], default: str | None = None) -> str:
    """A table of a metric's variants: the name, the mirrored library, and what is special."""
    rows = [
        [f"`{name}`{' (default)' * (name == default)}", one.named(), one.about]
        for name, one in scorer.variants().items()
    ]
    return table(["`config_name`" if default else "variant", "mirrors", "differs by"], rows)


def card_fields(scorer: type[Scorer], module: str) -> str:
    """A card's table of a metric's fields: default, values, choice, meaning."""
    default = scorer()
    hub = ast.literal_eval(modules.attributes(module).get("arguments", "{}"))
    renamed = {option: f"`{option}`, as `{argument}`" for argument, option in hub.items()}
    rows = [
        [
            renamed.get(name, f"`{name}`"),
            f"`{spelled(getattr(default, name))}`",
            values_of(scorer, name),
            declared.choice or "-",
            meaning(scorer, name),
        ]
        for name, declared in options_of(scorer).items()
    ]
    made = table(["field", "default", "values", "choice", "meaning"], rows)
    told = (
        "Each field is an argument of `compute`, and of `load` for every `compute`. With **confidence** (`float`), a\n"
        'level such as 0.95, `compute` also gives the intervals of the numbers, as `"confidence"`.'
    )
    return f"{made}\n\n{told}"


def fields(scorer: type[Scorer]) -> str:
    """A table of a metric's fields: default, values, choice, stage, meaning."""
    default = scorer()
    rows = [
        [
            f"`{name}`",
            f"`{spelled(getattr(default, name))}`",
            values_of(scorer, name),
            declared.choice or "-",
            _STAGES[declared.stage],
            meaning(scorer, name),
        ]
        for name, declared in options_of(scorer).items()
    ]
    return table(["field", "default", "values", "choice", "changes first", "meaning"], rows)


def differences(scorer: type[Scorer]) -> str:
    """A table of the field values that make each variant."""
    rows = [
        [
            f"`{name}`",
            ", ".join(f"`{key}={spelled(value)}`" for key, value in one.fields.items()) or "the defaults",
            f"`{one.live}`" if one.live else "by definition",
        ]
        for name, one in scorer.variants().items()
    ]
    return table(["variant", "differs from the defaults in", "compared with"], rows)


def numbers(scorer: type[Scorer]) -> str:
    """A table of the numbers that the metric declares. Ranges are those of the default fields."""
    default, rows = scorer(), []
    for declared, names, condition in tabled(default):
        cell = ", ".join(f"`{name}`" for name in names)
        if len(names) > _MOST_NAMES:
            cell = f"`{names[0]}`, ..., `{names[-1]}`"
        about = re.sub(r"{(\w+)}", r"*\1*", declared.about)
        needs = f" (with `{condition}`)" if condition else ""
        rows.append([cell + needs, declared.span(default), declared.better or "-", about])
    return table(["number", "range", "better", "what it is"], rows)


def formula(name: str) -> str:
    """A metric's definition in LaTeX and what its quantities are, in Markdown. The site typesets them."""
    lines, quantities = definition_of(name)
    shown = "".join(f"```math\n{line}\n```\n\n" for line in lines)
    return shown + "".join(f"- $`{symbol}`$: {meaning}\n" for symbol, meaning in quantities.items())


def drawn(name: str) -> list[str]:
    """A section with the picture of an alignment, for a metric that has one."""
    if name not in alignments.DRAWN:
        return []
    text = f"![{alignments.description(name)}](../{name}.svg)"
    return [f"## What matches\n\n{text}\n"]


def definition(scorer: type[Scorer]) -> Path:
    """The file that defines a metric in plain Python, in the folder of tests of its home or of its family."""
    names = (name for kind in scorer.__mro__ for name in kind.__module__.split(".")[1:])
    rooms = (ROOT / "tests" / "metrics", ROOT / "research" / "tests" / "papers")
    files = (room / name / "plain.py" for name in names for room in rooms)
    return next(file for file in files if file.is_file())


def page(name: str) -> str:
    """The site's page docs/metrics/NAME.md, which is made when the site is built."""
    scorer = get_scorer(name)
    parts = [
        f"# {scorer.title}: variants and fields\n",
        f"{description(scorer)}\n",
        f"The [card](../../metrics/{name}/README.md) has examples with numbers, the module's arguments, and limits.\n",
        f"## Formula\n\n{formula(name)}",
        *drawn(name),
        f"## Variants\n\n{variants(scorer)}",
        differences(scorer),
        f"## Fields\n\n{fields(scorer)}",
        f"## Numbers\n\n`{scorer().primary}` is the value of a result.\n\n{numbers(scorer)}",
        f"## Signature\n\n```\n{scorer().signature}\n```\n",
        f"## The definition in plain Python\n\n{DEFINED}\n\n```python\n{definition(scorer).read_text('utf-8')}```\n",
    ]
    return "\n".join(parts)


def filled(text: str, name: str, content: str, by: str = "") -> str:
    """The text with new content in the block with this name; `by` is the command that makes it, if not `make docs`."""
    block = _BLOCK.format(name=name, how=f"made by `{by}`" if by else "generated")
    start, end = re.escape(block), re.escape(_END)
    made, count = re.subn(f"({start}).*?({end})", lambda found: found[1] + content + found[2], text, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"there are {count} blocks {block!r}; there must be one")
    return made


def sample() -> Iterator[Comparison]:
    """The sample under some metrics, without the libraries themselves."""
    folder = ROOT / "comparison" / "sample"
    systems, references = read_segments(
        [str(folder / f"{name}.txt") for name in _SYSTEMS], [str(folder / f"reference_{i}.txt") for i in (1, 2)]
    )
    for metric, variants in _COMPARED.items():
        yield compare(dict(zip(_SYSTEMS, systems, strict=True)), references, metric, [], variants)


def significance() -> str:
    """The table of docs/comparing.md: the sample's numbers with their intervals, who wins, and what that says."""
    found = [*sample()]
    rows = []
    for each in found:
        for name, own in leads(each).items():
            numbers = [(each.points(n), each.limits(n)) for n in each.numbers if n.name == name]
            cells = [f"{points:.1f} [{ends[0]:.1f}, {ends[1]:.1f}]" for points, ends in numbers if points and ends]
            rows.append([f"`{each.metric}:{name}`", *cells, winner_sentence(own)])
    bleu = found[0]
    told = [f"Under BLEU, {' '.join(flip_sentence(bleu, flip) for flip in bleu.flips)}", sampling_note(bleu)]
    return "\n".join([table(["number", *_SYSTEMS, "who wins"], rows), *map(prose, told)])


def paper(key: str) -> str:
    """A paper of references.bib by its author and year, with a link if it has an address."""
    name, _, address = named_paper(key).partition(", http")
    return f"[{name}](http{address})" if address else name


def software() -> str:
    """The BibTeX entry of this software."""
    return f"```bibtex\n{bibtex([])[-1]}```\n"


def papers() -> str:
    """The papers of each metric, by task, and the BibTeX entries of all of them, folded."""
    parts = []
    for task, metrics in grouped(list_scorers()).items():
        rows = [[get_scorer(name).title, ", ".join(map(paper, cited(get_scorer(name)())[0]))] for name in metrics]
        parts.append(f"### {task}\n\n{table(['metric', 'papers'], rows)}")
    entries = bibtex([get_scorer(name)() for name in list_scorers()])[:-1]
    folded = "\n".join(sorted(entries))
    parts.append(
        f'<details markdown="1">\n<summary>BibTeX of all of them</summary>\n\n```bibtex\n{folded}```\n\n</details>\n'
    )
    return "\n" + "\n".join(parts) + "\n"


def recommended() -> str:
    """The README's table of what to report."""
    every = (
        (metric, advised(get_scorer(metric).variants()))
        for names in grouped(list_scorers()).values()
        for metric in names
    )
    rows = [[f"`{metric}:{one[0]}`", one[1].reason, paper(one[1].source)] for metric, one in every if one]
    return table(["report", "because", "source"], rows)


def index() -> str:
    """The tables of the page of all metrics: the metrics by what they are for."""
    parts = []
    for task, metrics in grouped(list_scorers()).items():
        rows = [
            [
                f"{get_scorer(name).title}, [`{name}`](../metrics/{name}/README.md)",
                summary(get_scorer(name)),
                needs_of(get_scorer(name)),
                ", ".join(f"`{key}`" for key in get_scorer(name).variants()),
            ]
            for name in metrics
            if not get_scorer(name).about.research
        ]
        if rows:
            parts.append(f"## {task}\n\n{table(['metric', 'what it is', 'needs', 'variants'], rows)}")
    rows = [
        [
            f"{get_scorer(name).title}, [`{name}`](../metrics/{name}/README.md)",
            summary(get_scorer(name)),
            needs_of(get_scorer(name)),
            get_scorer(name).about.research,
        ]
        for name in list_scorers()
        if get_scorer(name).about.research
    ]
    told = prose(
        "These are made anew from papers; no released model is read, and what is trained here is no substitute for the "
        "paper's. The last column has what ours reached, beside its rival."
    )
    parts.append(f"## Research\n\n{told}\n{table(['metric', 'what it is', 'needs', 'reached here'], rows)}")
    return "\n" + "\n".join(parts) + "\n"


def hub_modules() -> str:
    """The table of docs/coming-from.md: each of the Hub's modules, here or why not."""
    rows = []
    for name, missing in hub_names().items():
        if missing is None:
            card = modules.Card((ROOT / "metrics" / name / "README.md").read_text("utf-8"))
            rows.append([f"[`{name}`](../metrics/{name}/README.md)", "yes", card.front("short_description")])
        else:
            about, instead = missing
            told = instead_of_hub_module(instead)
            told = re.sub(r"'(\w+)'", r"`\1`", f"{about[0].upper()}{about[1:]}. {told}")
            rows.append([f"`{name}`", "no", told])
    return table(["module", "here", "what it is"], rows)


def versions() -> str:
    """What each variant mirrors, and what `make drift` found of the newest version."""
    record = json.loads((ROOT / "docs" / "versions.json").read_text("utf-8"))
    rows = []
    for metric in list_scorers():
        for name, one in get_scorer(metric).variants().items():
            if one.library == "metrologue":
                continue
            live = (one.live or "").rpartition(".")[0]
            newest = record.get(live, {"newest": "?", "checked": "not yet", "differs": {}})
            same = "the same version" if newest["newest"] == one.version else "the same numbers"
            said = newest["differs"].get(f"{metric}-{name}", same)
            checked = [newest["newest"], newest["checked"], said] if live else ["-", "-", "-"]
            variant = f"[`{metric}`](../metrics/{metric}/README.md) `{name}`"
            rows.append([variant, one.named(), "yes" if live else "no", *checked])
    return table(["variant", "mirrors", "live", "newest", "checked", "what differs"], rows)


def history() -> str:
    """For each library, which versions give which number of which call, and our variant with it."""
    parts = []
    for library in dict.fromkeys(call.library for call in versions_of.calls()):
        rows = []
        for call in versions_of.calls():
            if call.library == library:
                metric = f"[`{call.metric}`](../metrics/{call.metric}/README.md)"
                first = [metric, f"`{call.name}`", f"`{call.example()}`"]
                for each, number, variant, why in call.rows():
                    rows.append([*first, each, number, f"`{variant}`" if variant != "none" else "-", why])
                    first = ["", "", ""]
        absent = versions_of.missing(library)
        told = [f"- {version}: `{why}`" for version, why in absent.items()]
        said = "\n".join(["No number, from versions that cannot be installed or run here:", "", *told]) if told else ""
        header = ["metric", "call", "text", "versions", "number", "variant", "what changed"]
        parts.append(f"## {library}\n\n{table(header, rows)}\n{said}".rstrip())
    return "\n\n".join(parts) + "\n"


def of_template(name: str) -> str:
    """The site's page docs/NAME.md: a template of docs/templates, and the tables where it names them."""
    made = {"metrics": index, "papers": papers, "software": software, "variants": versions, "history": history}
    text = (TEMPLATES / f"{name}.md").read_text("utf-8").replace("](../", "](")  # the page is one folder higher
    return re.sub(r"^<!-- (\w+) -->\n", lambda found: made[found[1]](), text, flags=re.MULTILINE)


def module_facts(folder: Path) -> tuple[str, str]:
    """The metric and the default variant of a module."""
    if modules.is_made(folder.name):
        return folder.name, next(iter(get_scorer(folder.name).variants()))
    source = (folder / f"{folder.name}.py").read_text("utf-8")
    found = dict(re.findall(r'^    (metric|default_variant) = "(.*)"$', source, re.M))
    return found["metric"], found["default_variant"]


def files_of(name: str) -> Iterator[tuple[Path, str]]:
    """The files that are generated for a module or for a scorer, as a whole or in part, and their content."""
    card = ROOT / "metrics" / name / "README.md"
    if card.exists():
        yield from modules.files_of(name)
    if card.exists() and name not in (*list_comparisons(), *list_statistics(), *list_benchmarks()):
        metric, default = module_facts(card.parent)
        scorer = get_scorer(metric)
        told = f"{said_of_needs(scorer)}\n\n{variants(scorer, default)}"
        text = filled(card.read_text("utf-8"), "variants", told)
        yield card, filled(text, "fields", card_fields(scorer, name))


def names() -> list[str]:
    """Of scorers and all modules, also of a module that is still to be made."""
    return sorted({*list_scorers(), *all_names()})


def files() -> Iterator[tuple[Path, str]]:
    """Every file that is generated, and its content."""
    for name in names():
        yield from files_of(name)
    blocks = {
        "README.md": {"recommended": recommended()},
        "docs/coming-from.md": {"hub": hub_modules()},
        "docs/comparing.md": {"significance": significance()},
        "docs/languages.md": {"languages": languages(), "libraries": libraries(), "normalizers": normalizers()},
    }
    for file, contents in blocks.items():
        text = (ROOT / file).read_text("utf-8")
        for block, content in contents.items():
            text = filled(text, block, content)
        yield ROOT / file, text
    citation = ROOT / "CITATION.cff"
    yield citation, re.sub("^version: .*", f"version: {__version__}", citation.read_text("utf-8"), flags=re.MULTILINE)


if __name__ == "__main__":
    sys.exit(written(files(), "--check" in sys.argv[1:]))
