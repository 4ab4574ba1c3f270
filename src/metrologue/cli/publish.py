"""``metrologue publish``: a metric's page on the Hugging Face Hub."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from metrologue.cli.completion import complete_space


@click.command()
@click.argument("name", shell_complete=complete_space)
@click.option("--to", "space", metavar="USER/SPACE", help="The Space; it is made if there is none.")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), help="Write the Space here instead, offline."
)
@click.option("--dry-run", is_flag=True, help="Say what would be pushed, and push nothing.")
def publish(name: str, space: str | None, folder: Path | None, dry_run: bool) -> None:
    """Push the page of the metric NAME, or of all metrics ("comparison"), to a public Space of the Hugging Face Hub.

    With --folder, the Space is written to a folder of this machine, without network: `pip install -r requirements.txt`
    and `python app.py` in it start the page.

    The Space gets a wheel of this package and needs no release of metrologue. `hf auth login`, or a token in HF_TOKEN,
    gives the right to write there.

    \b
    Examples:
      metrologue publish bleu --to USER/bleu --dry-run
      metrologue publish comparison --to USER/metrologue
      metrologue publish bleu --folder my-bleu
    """
    if (space is None) == (folder is None):
        raise click.UsageError("give --to USER/SPACE or --folder DIR")
    if folder is not None:
        _write(name, folder, dry_run)
    elif space is not None:
        _push(name, space, dry_run)


def _write(name: str, folder: Path, dry_run: bool) -> None:
    from metrologue.pages.spaces import write_folder

    if dry_run:
        raise click.UsageError("--dry-run is for --to; --folder pushes nothing")
    for path in write_folder(name, folder):
        click.echo(f"{path.stat().st_size:>10,}  {path}")


def _push(name: str, space: str, dry_run: bool) -> None:
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    from metrologue.pages import spaces

    api = HfApi()
    # Refused, or not reached: what both have in common depends on the HTTP library that huggingface_hub uses.
    http_error: type[BaseException] = HfHubHTTPError.__mro__[1]
    try:
        if dry_run:
            _describe(name, space, api.endpoint)
        else:
            click.echo(spaces.publish(name, space, api))
    except http_error as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0]
        hint = "is the network there, and `hf auth login` done?"
        raise click.ClickException(f"{api.endpoint}: {said}; {hint}") from error


def _describe(name: str, space: str, endpoint: str) -> None:
    """Print the files of a Space with their sizes, and what it requires."""
    from metrologue.pages.spaces import write_space

    with TemporaryDirectory() as made:
        folder = Path(made)
        write_space(name, space, folder, endpoint)
        click.echo(f"{endpoint}/spaces/{space} would get")
        for path in sorted(folder.iterdir()):
            click.echo(f"{path.stat().st_size:>10,}  {path.name}")
        click.echo(f"\n{(folder / 'requirements.txt').read_text('utf-8')}", nl=False)
