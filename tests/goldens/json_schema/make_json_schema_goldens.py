#!/usr/bin/env python3
"""Random schemas and values with the verdict of PyPI's `jsonschema`, and what it complains about where.

    pip install jsonschema==4.26.0
    python3 make_json_schema_goldens.py >json_schema_goldens.json

A line for each schema: its draft, itself, and cases [value, valid, complaints]. Complaints are [JSON pointer, keyword]
of COMPARED keywords, or null where the validator stops at a keyword that hides them (anyOf and its kin).
"""
import json
import random

import jsonschema

SEED = 4
SCHEMAS_PER_DRAFT = 120
COMPARED = {"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
            "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "minProperties",
            "maxProperties"}
HIDING = {"anyOf", "oneOf", "unevaluatedItems", "unevaluatedProperties"}
NAMES = ["a", "b", "c", "foo", "é/~"]
PATTERNS = ["^a", "b$", "^[a-c]+$", "\\d{2}", "a|foo", "^.{2,3}$", "\\w\\s\\w"]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


def scalar(rng):
    return rng.choice([None, True, False, 0, 1, 2, 3, -1, 1.0, 2.5, 1e20, 12, "", "a", "ab", "abc", "foo", "12", "é",
                       "a b", "𝒳y"])


def value(rng, depth=2):
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        return scalar(rng)
    if kind < 0.65:
        return [value(rng, depth - 1) for _ in range(rng.randint(0, 4))]
    return {name: value(rng, depth - 1) for name in rng.sample(NAMES, rng.randint(0, 4))}


class Generator:
    def __init__(self, rng, draft):
        self.rng, self.new = rng, draft == "2020-12"

    def schemas(self, depth):
        return [self.schema(depth - 1) for _ in range(self.rng.randint(1, 3))]

    def keyword(self, depth):
        rng, schema = self.rng, lambda: self.schema(depth - 1)
        names = lambda: rng.sample(NAMES, rng.randint(0, 2))
        flat = [
            lambda: ("type", rng.choice([rng.choice(TYPES), rng.sample(TYPES, 3)])),
            lambda: ("enum", [value(rng, 1) for _ in range(rng.randint(1, 5))]),
            lambda: ("const", value(rng, 1)),
            lambda: (rng.choice(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]), rng.choice([0, 1, 2.5, -3])),
            lambda: ("multipleOf", rng.choice([1, 2, 0.5])),
            lambda: (rng.choice(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]),
                     rng.randint(0, 3)),
            lambda: ("pattern", rng.choice(PATTERNS)),
            lambda: ("uniqueItems", rng.random() < 0.8),
            lambda: ("required", names()),
        ]
        nested = [
            lambda: ("properties", {name: schema() for name in rng.sample(NAMES, rng.randint(1, 4))}),
            lambda: ("patternProperties", {pattern: schema() for pattern in rng.sample(PATTERNS, 1)}),
            lambda: ("additionalProperties", schema()),
            lambda: ("propertyNames", schema()),
            lambda: ("items", schema()),
            lambda: ("contains", schema()),
            lambda: ("allOf", self.schemas(depth)),
            lambda: ("anyOf", self.schemas(depth)),
            lambda: ("oneOf", self.schemas(depth)),
            lambda: ("not", schema()),
            lambda: ("$ref", "#/$defs/shared" if self.new else "#/definitions/shared"),
        ]
        for name in ("if", "then", "else"):
            nested.append(lambda name=name: (name, schema()))
        if self.new:
            flat.append(lambda: (rng.choice(["minContains", "maxContains"]), rng.randint(0, 2)))
            nested += [
                lambda: ("prefixItems", self.schemas(depth)),
                lambda: ("dependentRequired", {rng.choice(NAMES): names()}),
                lambda: ("dependentSchemas", {rng.choice(NAMES): schema()}),
                lambda: ("unevaluatedProperties", schema()),
                lambda: ("unevaluatedItems", schema()),
            ]
        else:
            nested += [
                lambda: ("items", self.schemas(depth)),
                lambda: ("additionalItems", schema()),
                lambda: ("dependencies", {rng.choice(NAMES): rng.choice([names(), schema()])}),
            ]
        return rng.choice(flat if depth == 0 or rng.random() < 0.4 else nested)()

    def schema(self, depth):
        if self.rng.random() < 0.08:
            return self.rng.random() < 0.6
        made = dict(self.keyword(depth) for _ in range(self.rng.randint(1, 4)))
        if "additionalItems" in made and not isinstance(made.get("items"), list):
            made["items"] = [True]  # the reference fails on `additionalItems` beside `items: true`
        return made

    def document(self):
        root = self.schema(3)
        while not isinstance(root, dict) or "$ref" in root:
            root = self.schema(3)
        root["$schema"] = ("https://json-schema.org/draft/2020-12/schema" if self.new
                           else "http://json-schema.org/draft-07/schema#")
        root["$defs" if self.new else "definitions"] = {"shared": dict([self.keyword(0), self.keyword(0)])}
        return root


def pointer(path):
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def complaints(errors):
    # What is wrong with a name is said at another place there.
    if any(error.validator in HIDING or "propertyNames" in error.absolute_schema_path for error in errors):
        return None
    return sorted({(pointer(error.absolute_path), error.validator) for error in errors if error.validator in COMPARED})


def cases_of(validator, rng):
    found = {True: [], False: []}
    for _ in range(80):
        instance = value(rng, 3)
        errors = list(validator.iter_errors(instance))
        some = found[not errors]
        if len(some) < 3:
            some.append([instance, not errors, complaints(errors)])
    return found[True] + found[False]


def main():
    lines = []
    for draft, kind in (("07", jsonschema.Draft7Validator), ("2020-12", jsonschema.Draft202012Validator)):
        rng = random.Random(f"{SEED} {draft}")
        made = 0
        while made < SCHEMAS_PER_DRAFT:
            schema = Generator(rng, draft).document()
            kind.check_schema(schema)
            cases = cases_of(kind(schema), rng)
            if len(cases) < 5:
                continue  # nearly everything, or nearly nothing, is valid
            lines.append(json.dumps([draft, schema, cases], ensure_ascii=False, separators=(",", ":")))
            made += 1
    print("[\n" + ",\n".join(lines) + "\n]")


if __name__ == "__main__":
    main()
