#!/usr/bin/env python3
"""Whether our constraint and xgrammar's take the same documents, over 500 schemas with fixed ids.

    tests/bench/xgrammar_agreement.py [--json FILE] [--program build/release/tests/bench/grammar_acceptance]

Schemas of the official JSON Schema test suite (2020-12, those whose keywords both sides enforce; scripts/test fetches
it) come first, then generated ones (schema_samples.py). The suite says which of its documents are valid, the package
jsonschema says it of the others. Every difference is printed with the side that is right and the reason, and so is
every document about which both are wrong; one without a reason is an error, and so is a document that we take though
it is invalid.

The first run makes a virtual environment with both packages in build/tools/xgrammar. Exit status 77: skipped, for it
cannot be made, or the suite is missing.
"""
import argparse
import collections
import json
import pathlib
import re
import select
import subprocess
import sys
import types

import schema_samples

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build/release/tests/bench/grammar_acceptance"
SUITE = ROOT / "build/tools/json-schema-test-suite/pypi/tests/draft2020-12"
VENV = ROOT / "build/tools/xgrammar"
# xgrammar asks for PyTorch and transformers, gigabytes that its grammars do not need: it is installed without them.
PACKAGES = ["xgrammar==0.2.8", "apache-tvm-ffi==0.1.15.post2"]
WITH_DEPENDENCIES = ["pydantic==2.13.4", "numpy==2.4.6", "jsonschema==4.26.0", "typing_extensions==4.16.0"]
NUM_SCHEMAS, SECONDS = 500, 20
ENFORCED = {
    "type", "properties", "required", "additionalProperties", "items", "prefixItems", "minItems", "maxItems",
    "minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const",
    "anyOf", "$ref", "$defs", "$schema", "$comment", "title", "description", "default", "examples",
}


class Skipped(Exception):
    """Why nothing can be compared."""


Case = collections.namedtuple("Case", "id schema documents")  # documents: (text, whether it is valid, or None)


# The schemas.

def references(schema):
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for member in schema:
            yield from references(member)


def suite_cases():
    if not SUITE.is_dir():
        raise Skipped(f"{SUITE} is missing; scripts/test fetches it")
    for file in sorted(SUITE.glob("*.json")):
        for number, group in enumerate(json.loads(file.read_text())):
            schema = group["schema"]
            usable = (isinstance(schema, dict) and all(set(part) <= ENFORCED for part in subschemas(schema))
                      and all(reference.startswith("#") for reference in references(schema)))
            if usable:
                documents = [(schema_samples.written(test["data"]), test["valid"]) for test in group["tests"]]
                yield Case(f"{file.stem}/{number}", schema, documents)


def generated_cases(count):
    for number in range(count):
        schema, good, bad = schema_samples.sample(number)
        yield Case(f"generated/{number}", schema, [(text, True) for text in good] + [(text, None) for text in bad])


# The two sides, each a program that answers a line with a line.

class Side:
    def __init__(self, command):
        self.command, self.process = command, None

    def ask(self, case):
        """The answer; a side that dies or takes too long has none for this schema."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        question = {"schema": case.schema, "documents": [text for text, _ in case.documents]}
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            answered, _, _ = select.select([self.process.stdout], [], [], SECONDS)
            line = self.process.stdout.readline() if answered else ""
        except BrokenPipeError:
            line = ""
        if line:
            return json.loads(line)
        self.close()
        return {"error": "it crashed" if answered else f"no answer within {SECONDS} s"}

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()  # closes the pipes
            self.process = None


def peer():
    """Runs inside the virtual environment."""
    import tvm_ffi  # before the stand-ins: it makes use of PyTorch where there is one  # noqa: F401
    for absent in ("torch", "transformers"):  # named in annotations; used by kernels and real tokenizers only
        stand_in = types.ModuleType(absent)
        stand_in.__getattr__ = lambda name: type(name, (), {"__init__": lambda self, *_, **__: None})
        sys.modules[absent] = stand_in
    import jsonschema
    import xgrammar

    compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo([]), cache_enabled=False)
    for line in sys.stdin:
        question = json.loads(line)
        validator = jsonschema.Draft202012Validator(question["schema"])
        answer = {"valid": [validator.is_valid(json.loads(text)) for text in question["documents"]]}
        try:
            grammar = xgrammar.Grammar.from_json_schema(json.dumps(question["schema"]), any_whitespace=True,
                                                        strict_mode=False)
            compiled = compiler.compile_grammar(grammar)
            answer["accepts"] = []
            for text in question["documents"]:
                matcher = xgrammar.GrammarMatcher(compiled, terminate_without_stop_token=True)
                answer["accepts"].append(bool(matcher.accept_string(text) and matcher.is_terminated()))
        except Exception as error:  # whatever it says of a schema that it does not take
            answer["error"] = f"{type(error).__name__}: {error}".splitlines()[0]
        print(json.dumps(answer), flush=True)


def ensure_peer():
    stamp, wanted = VENV / ".parley-stamp", " ".join(PACKAGES + WITH_DEPENDENCIES)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print(f"installing {PACKAGES[0]} into {VENV}", file=sys.stderr)
    pip = [VENV / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run(pip + WITH_DEPENDENCIES, check=True)
        subprocess.run(pip + ["--no-deps"] + PACKAGES, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Skipped(f"xgrammar cannot be installed: {error}") from error
    stamp.write_text(wanted)


# The comparison.

class Comparison:
    def __init__(self):
        self.schemas, self.rows, self.refused = [], [], []

    def add(self, case, ours, theirs):
        """False: one of them does not take this schema, or does not enforce all of it."""
        for who, answer in (("parley", ours), ("xgrammar", theirs)):
            reason = answer.get("error") or "; ".join(answer.get("unchecked", []))
            if reason:
                self.refused.append({"id": case.id, "who": who, "reason": reason})
                return False
        self.schemas.append(case.id)
        for index, (text, is_valid) in enumerate(case.documents):
            valid = theirs["valid"][index]
            if is_valid not in (None, valid):
                raise ValueError(f"{case.id}: the suite and the validator differ about {text}")
            self.rows.append({"id": case.id, "schema": case.schema, "text": text, "valid": valid,
                              "ours": ours["accepts"][index], "theirs": theirs["accepts"][index]})
        return True

    def differences(self):
        return [row for row in self.rows if row["ours"] != row["theirs"]]

    def summary(self):
        count = lambda keep: sum(1 for row in self.rows if keep(row))
        different = {row["id"] for row in self.differences()}
        return {
            "schemas": len(self.schemas), "schemas_agreed": len(self.schemas) - len(different),
            "documents": len(self.rows), "documents_agreed": len(self.rows) - len(self.differences()),
            "parley_takes_invalid": count(lambda row: row["ours"] and not row["valid"]),
            "parley_refuses_valid": count(lambda row: not row["ours"] and row["valid"]),
            "xgrammar_takes_invalid": count(lambda row: row["theirs"] and not row["valid"]),
            "xgrammar_refuses_valid": count(lambda row: not row["theirs"] and row["valid"]),
        }


# Why the two differ, or are both wrong, as far as it is known. What is not among these has to be looked at.

LENGTHS = {"minLength", "maxLength"}
SAYS_TYPE = {"type", "enum", "const", "anyOf", "$ref"}
NO_LIMITS = {"$ref", "$defs", "$schema", "$comment", "title", "description", "default", "examples"}


def subschemas(schema):
    if not isinstance(schema, dict):
        return
    yield schema
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            members = value.values()
        elif key in ("prefixItems", "anyOf"):
            members = value
        else:
            members = [value] if key in ("items", "additionalProperties") else []
        for member in members:
            yield from subschemas(member)


def has_untyped(schema):
    return any(not SAYS_TYPE & set(part) and set(part) - NO_LIMITS for part in subschemas(schema))


def constants(schema):
    for part in subschemas(schema):
        yield from part.get("enum", [])
        yield from [part["const"]] if "const" in part else []


def holds_object(value):
    return isinstance(value, dict) or (isinstance(value, list) and any(map(holds_object, value)))


def needs_escape(name):
    return json.dumps(name, ensure_ascii=False) != f'"{name}"'


def reason_it_is_refused(schema, text):
    """Of a valid document that xgrammar does not take."""
    if any(map(holds_object, constants(schema))):
        return "an object in enum or const is taken letter by letter: without spaces, in one order"
    if "\\" in text and any(LENGTHS & set(part) for part in subschemas(schema)):
        return "a string with a length may not hold characters that have to be escaped"
    if has_untyped(schema):
        return "keywords about objects or arrays are read as if they demanded one"
    return None


def reason_it_is_taken(schema):
    """Of an invalid document that xgrammar takes."""
    parts = list(subschemas(schema))
    if any(needs_escape(name) for part in parts for name in part.get("properties", {})):
        return "names that have to be escaped are not recognised"
    if any("$ref" in part and set(part) - NO_LIMITS for part in parts):
        return "keywords beside $ref are ignored"
    if has_untyped(schema):
        return "keywords without a type are ignored"
    if any(set(part.get("required", [])) - set(part.get("properties", {})) for part in parts):
        return "required members that are not in properties are not demanded"
    return None


def reason_for(row):
    """Why xgrammar is wrong where we are right; why both refuse what is valid. None: not known."""
    if row["ours"] == row["theirs"]:
        has_fraction = re.search(r"\d\.0\b", row["text"]) is not None
        return "whole numbers are written without a fraction" if row["valid"] and has_fraction else None
    if row["ours"] != row["valid"]:
        return None
    return reason_it_is_refused(row["schema"], row["text"]) if row["valid"] else reason_it_is_taken(row["schema"])


def report(comparison):
    """The lines to print, and whether all is explained."""
    lines, explained = [], True
    for row in comparison.rows:
        if row["ours"] == row["theirs"] == row["valid"]:
            continue
        reason = reason_for(row)
        explained = explained and reason is not None
        right = "parley is right" if row["ours"] == row["valid"] else "xgrammar is right"
        right = "neither is right" if row["ours"] == row["theirs"] else right
        lines.append(f"{row['id']}: {row['text'][:100]} is {'valid' if row['valid'] else 'invalid'}, {right}: "
                     f"{reason or 'WITHOUT A REASON'}")
    for refusal in comparison.refused:
        lines.append(f"{refusal['id']} left out: {refusal['who']}: {refusal['reason'][:160]}")
    lines.append(json.dumps(comparison.summary(), indent=1))
    return lines, explained


def compare(program):
    if not program.is_file():
        raise Skipped(f"{program} is missing; build the target grammar_acceptance")
    ensure_peer()
    ours, theirs = Side([program]), Side([VENV / "bin/python", __file__, "--peer"])
    comparison = Comparison()
    for case in [*suite_cases(), *generated_cases(2 * NUM_SCHEMAS)]:
        if len(comparison.schemas) < NUM_SCHEMAS:
            comparison.add(case, ours.ask(case), theirs.ask(case))
    ours.close()
    theirs.close()
    return comparison


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=pathlib.Path, help="write all that was compared")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        return peer()
    try:
        comparison = compare(options.program)
    except Skipped as skipped:
        print(f"SKIPPED: {skipped}", file=sys.stderr)
        return 77
    lines, explained = report(comparison)
    print("\n".join(lines))
    if options.json:
        options.json.write_text(json.dumps({"summary": comparison.summary(), "rows": comparison.rows,
                                            "refused": comparison.refused}, ensure_ascii=False, indent=1))
    summary = comparison.summary()
    return 0 if explained and summary["schemas"] == NUM_SCHEMAS and summary["parley_takes_invalid"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
