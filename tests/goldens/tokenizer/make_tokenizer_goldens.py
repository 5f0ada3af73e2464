#!/usr/bin/env python3
"""Writes tokenizer_goldens.json: what the `tokenizers` library makes of a few hundred texts.

    make_tokenizer_goldens.py FOLDER-WITH-MODELS     (needs the Python packages tokenizers and gguf)

The reference is built from vocabulary and merges of the GGUF files and the pre-tokenizers and normalisers of the
official tokenizer.json files. (The conversion in `transformers` loses the digit splitting of smollm and the NFC step
of qwen2.) Characters are of Unicode 11 or older, so that libraries of different age agree.
"""
import json
import pathlib
import random
import sys

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

from tokenizer_texts import REPEATED, special_texts, texts

HERE = pathlib.Path(__file__).resolve().parent
FILES = {"smollm": "SmolLM2-135M-Instruct.Q4_1.gguf", "qwen2": "qwen2.5-coder-0.5b.gguf"}
CONTROL, USER_DEFINED = 3, 4

TIKTOKEN_STYLE = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def split(pattern):
    return pre_tokenizers.Split(Regex(pattern), behavior="isolated")


# What cuts the text; the byte alphabet comes after it and cuts nothing more.
SPLITTERS = {
    "smollm": pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=True),
        ]
    ),
    "gpt-2": pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=True),
    "qwen2": split(TIKTOKEN_STYLE % ""),
    "llama-bpe": split(TIKTOKEN_STYLE % "{1,3}"),
}
BYTES = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)


def read_vocabulary(path):
    import gguf

    fields = gguf.GGUFReader(path).fields
    return [fields["tokenizer.ggml." + key].contents() for key in ("tokens", "merges", "token_type")]


def make_reference(name, path, added_tokens):
    tokens, merges, types = read_vocabulary(path)
    model = models.BPE(
        vocab={token: index for index, token in enumerate(tokens)}, merges=[tuple(line.split(" ")) for line in merges]
    )
    tokenizer = Tokenizer(model)
    if name == "qwen2":
        tokenizer.normalizer = normalizers.NFC()
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([SPLITTERS[name], BYTES])
    else:
        tokenizer.pre_tokenizer = SPLITTERS[name]
    if added_tokens:
        for token, kind in zip(tokens, types):
            if kind == CONTROL:
                tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False)])
            elif kind == USER_DEFINED:
                tokenizer.add_tokens([AddedToken(token, special=False, normalized=False)])
    return tokenizer


def fnv1a(ids):
    value = 0xCBF29CE484222325
    for token in ids:
        value = (value ^ token) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def piece_lengths(splitter, text):
    pieces = [text[begin:end] for _, (begin, end) in splitter.pre_tokenize_str(text)]
    assert "".join(pieces) == text, (pieces, text)
    return [len(piece.encode()) for piece in pieces]


def main():
    folder = pathlib.Path(sys.argv[1])
    plain = texts(random.Random(20240229))
    named = special_texts()
    golden = {
        "texts": plain,
        "special_texts": named,
        "repeated": [{"unit": unit, "count": count} for unit, count in REPEATED],
        "pieces": {name: [piece_lengths(splitter, text) for text in plain] for name, splitter in SPLITTERS.items()},
        "ids": {},
    }
    for name, file in FILES.items():
        data = make_reference(name, folder / file, added_tokens=False)
        template = make_reference(name, folder / file, added_tokens=True)
        repeated = [data.encode(unit * count).ids for unit, count in REPEATED]
        golden["ids"][name] = {
            "texts": [data.encode(text).ids for text in plain],
            "special_as_data": [data.encode(text).ids for text in named],
            "special_as_template": [template.encode(text).ids for text in named],
            "repeated": [{"num_ids": len(ids), "fnv1a": fnv1a(ids)} for ids in repeated],
        }
    path = HERE / "tokenizer_goldens.json"
    path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(f"{path}: {len(plain)} texts, {len(named)} with special names, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
