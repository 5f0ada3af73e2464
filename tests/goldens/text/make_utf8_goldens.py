#!/usr/bin/env python3
"""Writes utf8_goldens.json: byte strings (in hexadecimal) and what Python's decode("utf-8", "replace") makes of them.

Python follows the Unicode Standard: one U+FFFD for each maximal part that begins no well-formed character.
"""
import itertools
import json
import pathlib
import random

# One byte of each class that the well-formedness table tells apart.
CLASSES = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF]
CHARACTERS = ["a", "é", "中", "😀", "\u0000", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufffd", "\U00010000", "\U0010ffff"]


def inputs():
    for length in (1, 2):
        yield from (bytes(chosen) for chosen in itertools.product(CLASSES, repeat=length))
    source = random.Random(1)
    for _ in range(500):
        yield bytes(source.choice(CLASSES) for _ in range(source.randrange(3, 9)))
    for _ in range(200):
        text = bytearray("".join(source.choice(CHARACTERS) for _ in range(6)).encode())
        for _ in range(source.randrange(1, 4)):
            at = source.randrange(len(text))
            if source.random() < 0.5:
                del text[at]
            else:
                text[at] = source.randrange(256)
        yield bytes(text)


path = pathlib.Path(__file__).resolve().parent / "utf8_goldens.json"
pairs = [[data.hex(), data.decode("utf-8", "replace")] for data in inputs()]
path.write_text("[" + ",\n".join(json.dumps(pair) for pair in pairs) + "]\n")
print(f"{path}: {len(pairs)} texts, {path.stat().st_size} bytes")
