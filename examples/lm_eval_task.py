"""A task of lm-evaluation-harness whose scores are metrologue's.

python examples/lm_eval_task.py --tiny
python examples/lm_eval_task.py --model NAME --data pairs.jsonl

Each line of the file is {"source": ..., "target": [...]}: a text, and one or more references. `--tiny` makes a model
of random weights and invented pairs, so that nothing is downloaded. pip install 'metrologue[examples]'

In a task of your own that is a YAML file, this file beside it gives the same two functions:

    process_results: !function lm_eval_task.answered
    metric_list:
      - {metric: chrf, aggregation: !function lm_eval_task.chrf, higher_is_better: true}
"""

import argparse
import json
import tempfile
from pathlib import Path

import lm_eval
from lm_eval.models.huggingface import HFLM

from metrologue.scorers import Bleu, Chrf

CHRF, BLEU = Chrf.variant("sacrebleu"), Bleu.variant("sacrebleu")


def answered(document, outputs):
    """What the harness keeps of a document for each metric: the output and its references, not yet a score."""
    pair = (outputs[0].strip(), document["target"])
    return {"chrf": pair, "bleu": pair}


def chrf(pairs):
    """The score of all documents at once: a mean of sentence scores would be another number."""
    return CHRF.corpus(*map(list, zip(*pairs, strict=True))).value


def bleu(pairs):
    return BLEU.corpus(*map(list, zip(*pairs, strict=True))).value


def task(data):
    return {
        "task": "translate",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(data)}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "English: {{source}}\nGerman:",
        "doc_to_target": "{{target[0]}}",
        "process_results": answered,
        "metric_list": [
            {"metric": "chrf", "aggregation": chrf, "higher_is_better": True},
            {"metric": "bleu", "aggregation": bleu, "higher_is_better": True},
        ],
        "generation_kwargs": {"until": ["\n"], "max_gen_toks": 16},
    }


def run(model, data):
    """Evaluate the model, and compute both numbers again from the outputs that the harness has kept."""
    found = lm_eval.simple_evaluate(model, tasks=[task(data)], bootstrap_iters=0)
    numbers = found["results"]["translate"]
    outputs, references = zip(*(sample["chrf"] for sample in found["samples"]["translate"]), strict=True)
    for scorer in (CHRF, BLEU):
        own = scorer.corpus(list(outputs), list(references))
        print(f"{scorer.title} {numbers[f'{scorer.name},none']:.4f}, direct {own.value:.4f}  {own.signature}")


def tiny(folder):
    """A model of random weights with its tokenizer of characters, and a file of pairs."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    pairs = {"the cat sees a dog": ["die Katze sieht eine Hündin"], "a bird": ["eine Taube", "eine kleine Taube"]}
    lines = [json.dumps({"source": source, "target": targets}, ensure_ascii=False) for source, targets in pairs.items()]
    data = Path(folder, "pairs.jsonl")
    data.write_text("\n".join(lines), "utf-8")

    letters = sorted({*"English: German\n", *"".join(lines)})
    words = {letter: number for number, letter in enumerate(["<end>", *letters])}
    spelled = Tokenizer(models.WordLevel(words, unk_token="<end>"))
    spelled.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    spelled.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=spelled, eos_token="<end>", pad_token="<end>", unk_token="<end>"
    )

    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(words), n_positions=128, n_embd=16, n_layer=1, n_head=2, initializer_range=0.5,
        bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    return HFLM(pretrained=GPT2LMHeadModel(config).eval(), tokenizer=tokenizer, device="cpu"), data


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="a small model and pairs that are made here")
    parser.add_argument("--model", help="a causal language model: a folder, or its name on the Hub")
    parser.add_argument("--data", help="pairs, in JSON Lines")
    given = parser.parse_args()
    if not given.tiny and not (given.model and given.data):
        parser.error("--tiny, or --model and --data")
    with tempfile.TemporaryDirectory() as folder:
        run(*(tiny(folder) if given.tiny else (HFLM(pretrained=given.model), given.data)))
