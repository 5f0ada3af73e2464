#!/usr/bin/env python3
"""Writes literals.json beside itself: Python literals, and the JSON of the values that Python's own reader finds."""
import ast
import json
import pathlib

LITERALS = [
    "[]", "{}", "[1]", "[1, -2, 3.5, 1e3]", "[True, False, None]", "['a', \"b\"]", "{'a': 1}", "{'a': {'b': [1, (2, 3)]}}",
    "[ 1 ,2,\n3 , ]", "{'a' : 1 , 'b':2,}", r"['it\'s']", r"""["say \"hi\""]""", "['say \"hi\"']", "[\"it's\"]",
    r"['a\nb\tc\\d']", r"['\x41\u00e9\u6771']", "['''triple 'quoted' text''']", '["""two\nlines"""]', "['a, b', 'c] d', 'e} f']",
    "['Zürich 東京 👩']", "{'k-1': '', 'k 2': ' '}", "[[[[]]], {}]", "['</tool_call>']", "{'a': None, 'b': [True, {'c': 'd: e'}]}",
    r"['\d+ \w']", "['line \\\ncontinued']", "{'': []}", "['a' , 'b']",
]


def main():
    cases = [{"python": text, "json": json.dumps(ast.literal_eval(text), ensure_ascii=False)} for text in LITERALS]
    target = pathlib.Path(__file__).parent / "literals.json"
    target.write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
