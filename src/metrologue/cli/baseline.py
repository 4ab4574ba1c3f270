"""``metrologue baseline``: the values by which BERTScore is rescaled, for any model."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--model", required=True, metavar="PATH", help="The encoder: a folder with a model of transformers, its "
              "name on the Hub, or a file of word vectors.")  # fmt: skip
@click.option("-p", "--predictions", "files", multiple=True, required=True, metavar="FILE",
              help="Texts like those that are scored, one a line. Give it again for several files.")  # fmt: skip
@click.option("--pairs", type=click.IntRange(2), metavar="N", help="At most N pairs. Default: as many as there are.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=12345, show_default=True, help="The seed.")
@click.option("-o", "--out", type=click.Path(dir_okay=False), help="Write the file here, not to standard output.")
def baseline(model: str, files: tuple[str, ...], pairs: int | None, seed: int, out: str | None) -> None:
    """Compute the BERTScore of unrelated texts on each layer of a model, to rescale scores by it.

    Random pairs of the texts are scored. No text is in two pairs, so N pairs need 2 N texts. The file has the layout of
    bert-score's own. The 95 % interval of each number is written to standard error.

    \b
    Examples:
      metrologue baseline --model models/minilm -p news.txt --out minilm.tsv
    """
    from metrologue.files.parts import read_segments
    from metrologue.representations import open_encoder
    from metrologue.scorers.bertscore.baseline import estimated_baselines
    from metrologue.writing import write_whole

    texts: list[str] = []
    for path in files:
        [lines], _ = read_segments([Path(path)], ())
        texts.extend(lines.to_pylist())
    estimated = estimated_baselines(open_encoder(model), texts, pairs, seed)
    content = "\n".join(["LAYER,P,R,F", *(each.line for each in estimated)]) + "\n"
    for each in estimated:
        shown = (
            f"{name} {value:.4f} ± {margin:.4f}"
            for name, value, margin in zip("PRF", each.values, each.margins, strict=True)
        )
        click.echo(f"layer {each.layer}: {', '.join(shown)}; {each.pairs} pairs", err=True)
    if out:
        write_whole(out, content.encode())
    else:
        click.echo(content, nl=False)
