#!/usr/bin/env python3
"""Write regex_goldens.json: patterns, texts, and what Python's `re` says of them (standard library only).

Per pattern: {"pattern", "whole": [texts that match as a whole], "found": [texts in which it is found], "texts"}. The
texts are random ones over the pattern's own characters. Python's $ also matches before a final newline, so no text has
one.
"""
import json
import pathlib
import random
import re

PATTERNS = [
    "abc", "a|b|cd", "(ab)*c", "a+b?c*", "[a-c]{2,3}", "[^a-c]+", "a{3}", "a{2,}b", "(a|ab)(c|bcd)", "^a", "c$", "^ab?c$",
    "(^a|b)c", "a(b$|c)", "^$", "", "a.c", r"\d+", r"\w+-\w+", r"\s*a\s*", r"[\d\-a]+", r"\.\*", "é+", "[à-ü]b", "😀{2}",
    "[😀-😂]a", r"(?:a|b)*?c", r"(?P<x>a)b".replace("?P", "?"), "(a*)*b", "((a?){3}b){2}", r"[\w.]+@\w+", r"\x61\u0062",
    r"a[^\n]b", "[]a]" .replace("[]", r"[\]"), "x{0}a", "(a|){3}b", r"[^\W\d]+", r"\D\S\W", "a{0,2}b{1,1}",
]


def texts_for(pattern, rng):
    letters = sorted(set(pattern) & set("abcdxé😀😁.*-@_1 ") | set("abc1 -"))
    texts = {"", "abc", "é", "😀"}
    while len(texts) < 60:
        texts.add("".join(rng.choice(letters) for _ in range(rng.randrange(1, 8))))
    return sorted(texts)


def main():
    rng = random.Random(4)
    entries = []
    for pattern in PATTERNS:
        flags = re.ASCII  # \d and \w as in ECMA-262
        compiled = re.compile(pattern.replace("(?<x>", "(?P<x>"), flags)
        texts = texts_for(pattern, rng)
        entries.append({
            "pattern": pattern,
            "texts": texts,
            "whole": [t for t in texts if compiled.fullmatch(t)],
            "found": [t for t in texts if compiled.search(t)],
        })
    target = pathlib.Path(__file__).with_name("regex_goldens.json")
    target.write_text(json.dumps(entries, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
