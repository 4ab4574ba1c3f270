"""A `Seq2SeqTrainer` that generates after each epoch and is evaluated by metrologue.

python examples/seq2seq_trainer.py --tiny
python examples/seq2seq_trainer.py --model NAME --data pairs.jsonl

Each line of the file is {"source": ..., "target": ...}. `--tiny` makes a model of random weights and invented pairs, so
that nothing is downloaded. pip install 'metrologue[examples]'
"""

import argparse
import tempfile

import evaluate
import numpy as np
from datasets import Dataset
from transformers import (
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    DataCollatorForSeq2Seq,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    set_seed,
)

import metrologue
from metrologue.scorers import Chrf


def train(model, tokenizer, data, **options):
    """Train on nine tenths of the pairs; each line of the log has the scores of the others."""
    # The module of evaluate, with the arguments and results of the Hub's; its folder is part of the package.
    sacrebleu = evaluate.load(metrologue.module_path("sacrebleu"))
    # The scorer itself. Its signature says how the number was made.
    chrf = Chrf.variant("sacrebleu")

    def compute_metrics(evaluation):
        texts, references = (
            tokenizer.batch_decode(np.where(ids == -100, tokenizer.pad_token_id, ids), skip_special_tokens=True)
            for ids in evaluation
        )
        bleu = sacrebleu.compute(predictions=texts, references=references)
        return {"bleu": bleu["score"], "chrf": chrf.corpus(texts, references).value}

    def encoded(rows):
        return tokenizer(rows["source"], text_target=rows["target"])

    parts = data.map(encoded, batched=True, remove_columns=data.column_names).train_test_split(0.1, seed=0)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Seq2SeqTrainer(
            model=model,
            args=Seq2SeqTrainingArguments(
                output_dir=folder,
                predict_with_generate=True,
                eval_strategy="epoch",
                save_strategy="no",
                report_to=[],
                **options,
            ),
            train_dataset=parts["train"],
            eval_dataset=parts["test"],
            data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
            processing_class=tokenizer,
            compute_metrics=compute_metrics,
        )
        trainer.train()
    for line in trainer.state.log_history:
        if "eval_chrf" in line:
            print(f"epoch {line['epoch']:.0f}: BLEU {line['eval_bleu']:.2f}, chrF {line['eval_chrf']:.2f}")
    print(chrf.signature)


def tiny():
    """A model of random weights, its tokenizer of words, and sentences that are translated word by word."""
    from itertools import product

    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    english = ["the", "a", "small", "old", "cat", "dog", "bird", "sees", "hears", "loves"]
    german = ["die", "eine", "kleine", "alte", "Katze", "Hündin", "Taube", "sieht", "hört", "liebt"]
    sentences = product((0, 1), (2, 3), (4, 5, 6), (7, 8, 9), (0, 1), (2, 3), (4, 5, 6))
    rows = [{"source": " ".join(english[w] for w in s), "target": " ".join(german[w] for w in s)} for s in sentences]

    words = {word: number for number, word in enumerate(["<pad>", "</s>", "<unk>", *english, *german])}
    spelled = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    spelled.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    spelled.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    special = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=spelled, **special)

    config = T5Config(
        vocab_size=len(words), d_model=32, d_ff=64, d_kv=8, num_heads=4, num_layers=2, dropout_rate=0.0,
        decoder_start_token_id=0,
    )  # fmt: skip
    return T5ForConditionalGeneration(config), tokenizer, Dataset.from_list(rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="a small model and pairs that are made here")
    parser.add_argument("--model", help="a sequence-to-sequence model: a folder, or its name on the Hub")
    parser.add_argument("--data", help="pairs, in JSON Lines")
    parser.add_argument("--epochs", type=int, default=4)
    given = parser.parse_args()
    if not given.tiny and not (given.model and given.data):
        parser.error("--tiny, or --model and --data")
    set_seed(0)
    if given.tiny:
        train(*tiny(), num_train_epochs=given.epochs, learning_rate=1e-2, generation_max_length=10)
    else:
        model, tokenizer = (
            AutoModelForSeq2SeqLM.from_pretrained(given.model),
            AutoTokenizer.from_pretrained(given.model),
        )
        train(model, tokenizer, Dataset.from_json(given.data), num_train_epochs=given.epochs)
