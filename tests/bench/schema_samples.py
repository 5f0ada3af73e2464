"""JSON Schemas with documents, the same for the same number: what constraints are compared on.

Only keywords that a grammar can enforce: types, enum, const, lengths, patterns, bounds of integers, arrays with and
without first elements, objects, anyOf, and references that may recurse.
"""
import copy
import json
import random

NAMES = ["id", "name", "kind", "tags", "size", "note", "path", "unit", "count", "é", "first name", "a/b"]
WORDS = ["", "a", "abc", "two words", "Zürich", "日本", "a\"b", "back\\slash", "line\nbreak", "x" * 40, "0", "true"]
# With strings that match, and some that do not.
PATTERNS = [
    ("^[a-z]+$", ["a", "abc"], ["", "A", "a1"]), ("^[A-Z]{2}-[0-9]{4}$", ["AB-1234"], ["AB-123", "ab-1234", "AB-12345"]),
    ("^[0-9]{3,5}$", ["123", "12345"], ["12", "123456", "12a"]), ("^(cat|dog)s?$", ["cat", "dogs"], ["cats!", "cow"]),
    ("^[a-zA-Z_][a-zA-Z0-9_]*$", ["_x", "Name1"], ["1x", "a-b", ""]), ("^https?://[a-z.]+$", ["http://a.b"], ["ftp://a.b"]),
]


class Generator:
    """One schema with its documents. `rng` decides everything."""

    def __init__(self, number):
        self.rng = random.Random(f"schema {number}")
        self.definitions = {}

    def schema(self, depth):
        kinds = [self.string, self.integer, self.number, self.fixed, self.enumeration]
        if depth > 0:
            kinds += [self.object, self.object, self.array, self.first_elements, self.choice]
        return self.rng.choice(kinds)(depth)

    def string(self, _):
        form = self.rng.randrange(3)
        if form == 0:
            return {"type": "string"}
        if form == 1:
            low = self.rng.randrange(4)
            return {"type": "string", "minLength": low, "maxLength": low + self.rng.randrange(8)}
        return {"type": "string", "pattern": self.rng.choice(PATTERNS)[0]}

    def integer(self, _):
        if self.rng.randrange(2):
            return {"type": "integer"}
        low = self.rng.randrange(-120, 120)
        return {"type": "integer", "minimum": low, "maximum": low + self.rng.randrange(300)}

    def number(self, _):
        return {"type": "number"}

    def fixed(self, _):
        return self.rng.choice([{"type": "boolean"}, {"type": "null"}, {"const": "fixed"}, {"const": 7}, {"const": None}])

    def enumeration(self, _):
        values = ["red", "green", "two words", "Zürich", 1, 2, 30, True, None]
        return {"enum": self.rng.sample(values, self.rng.randrange(1, 5))}

    def object(self, depth):
        names = self.rng.sample(NAMES, self.rng.randrange(0, 5))
        schema = {"type": "object", "properties": {name: self.schema(depth - 1) for name in names}}
        schema["required"] = [name for name in names if self.rng.randrange(2)]
        others = self.rng.randrange(3)
        if others == 1:
            schema["additionalProperties"] = False
        elif others == 2:
            schema["additionalProperties"] = self.schema(0)
        return schema

    def array(self, depth):
        schema = {"type": "array", "items": self.schema(depth - 1)}
        if self.rng.randrange(2):
            schema["minItems"] = self.rng.randrange(3)
            schema["maxItems"] = schema["minItems"] + self.rng.randrange(4)
        return schema

    def first_elements(self, depth):
        count = self.rng.randrange(1, 4)
        return {"type": "array", "prefixItems": [self.schema(depth - 1) for _ in range(count)], "items": False,
                "minItems": count}

    def choice(self, depth):
        return {"anyOf": [self.schema(depth - 1) for _ in range(self.rng.randrange(2, 4))]}

    def tree(self):
        """A schema that contains itself."""
        node = {"type": "object", "properties": {"value": self.schema(0), "next": {"$ref": "#/$defs/node"}},
                "required": ["value"], "additionalProperties": False}
        self.definitions = {"node": node}
        return {"$ref": "#/$defs/node", "$defs": self.definitions}

    # Documents that are valid.

    def document(self, schema, depth=4):
        if "$ref" in schema:
            return self.document(self.definitions["node"], depth)
        if "anyOf" in schema:
            return self.document(self.rng.choice(schema["anyOf"]), depth)
        if "enum" in schema:
            return self.rng.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        return getattr(self, f"{schema['type']}_document")(schema, depth)

    def string_document(self, schema, _):
        if "pattern" in schema:
            return self.rng.choice(next(good for pattern, good, _ in PATTERNS if pattern == schema["pattern"]))
        low, high = schema.get("minLength", 0), schema.get("maxLength", 99)
        text = self.rng.choice(WORDS)[:high]
        return text + "y" * max(0, low - len(text))

    def integer_document(self, schema, _):
        return self.rng.randint(schema.get("minimum", -1000), schema.get("maximum", 1000))

    def number_document(self, _, __):
        return self.rng.choice([0, 1, -3, 0.5, -12.25, 1234.5])

    def boolean_document(self, _, __):
        return self.rng.random() < 0.5

    def null_document(self, _, __):
        return None

    def array_document(self, schema, depth):
        if "prefixItems" in schema:
            return [self.document(first, depth - 1) for first in schema["prefixItems"]]
        low = schema.get("minItems", 0)
        high = schema.get("maxItems", low + (2 if depth > 0 else 0))
        return [self.document(schema["items"], depth - 1) for _ in range(self.rng.randint(low, high))]

    def object_document(self, schema, depth):
        made = {}
        for name, member in schema["properties"].items():
            if name in schema["required"] or (depth > 0 and self.rng.randrange(2)):
                made[name] = self.document(member, depth - 1)
        others = schema.get("additionalProperties", True)
        if others is not False and self.rng.randrange(3) == 0:
            made["other"] = 1 if others is True else self.document(others, 0)
        return made

    # Documents that most likely are not.

    def damaged(self, document):
        made = copy.deepcopy(document)
        places = list(_places(made))
        if not places:
            return self._another(made)
        holder, key = self.rng.choice(places)
        if isinstance(holder, dict) and self.rng.randrange(3) == 0:
            del holder[key]
        elif isinstance(holder, dict) and self.rng.randrange(4) == 0:
            holder["extra"] = {"x": [1]}
        elif isinstance(holder, list) and self.rng.randrange(3) == 0:
            holder.append(holder[key])
        else:
            holder[key] = self._another(holder[key])
        return made

    def _another(self, value):
        others = ["", "x1!", "x" * 60, 5000, -5000, 0.5, True, None, [], {}, ["x"], {"x": 1}]
        others += [bad for _, _, texts in PATTERNS for bad in texts]
        return self.rng.choice([other for other in others if type(other) is not type(value) or other != value])


def _places(value):
    """Every member and element, as where it is."""
    if not isinstance(value, (dict, list)):
        return
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        yield from _places(value[key])


def written(document):
    return json.dumps(document, ensure_ascii=False)


def sample(number, num_documents=8):
    """A schema and documents as text, half of them valid."""
    generator = Generator(number)
    schema = generator.tree() if number % 10 == 9 else generator.schema(3)
    good = [generator.document(schema) for _ in range(num_documents // 2)]
    bad = [generator.damaged(document) for document in good]
    return schema, [written(document) for document in good], [written(document) for document in bad]
