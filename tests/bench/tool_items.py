"""The items of the measured set (tool_items.json): what is asked, the tools offered, and what counts as right.

Items of BFCL are taken by id from the package that tool_items.json names, fetched once into build/bfcl; nothing of it
is kept in the repository. Its schemas have types of their own and names with dots: both are mapped for the request, and
a call is scored against the description behind the name that was sent.
"""
import dataclasses
import functools
import json
import pathlib
import re
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / "build" / "bfcl"
KINDS = ("one", "none", "two", "result")
TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": "string", "bool": "boolean", "list": "array"}
CALL_ID = "call000001"


@dataclasses.dataclass
class Item:
    id: str
    kind: str
    messages: list
    tools: list      # as requests have them
    functions: dict  # name in the request -> BFCL's own description, with its types; empty for our own items
    expected: list   # [{name in the request: {argument: [accepted value, ...]}}, ...]
    value: list      # spellings of what the answer has to contain (kind "result")

    def names(self):
        return [tool["function"]["name"] for tool in self.tools]


def sent_name(name):
    """Names of functions in requests are letters, digits, _ and - only."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def json_schema(schema):
    """BFCL's description of a value as JSON Schema. Properties may be named like keywords, so it goes by structure."""
    out = {key: value for key, value in schema.items() if key != "optional"}  # `required` says it already
    if "type" in out:
        out["type"] = TYPES.get(out["type"], out["type"])
    if "properties" in out:
        out["properties"] = {name: json_schema(value) for name, value in out["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(out.get(key), dict):
            out[key] = json_schema(out[key])
    return out


def request_tool(function):
    return {"type": "function", "function": {"name": sent_name(function["name"]),
                                             "description": function["description"],
                                             "parameters": json_schema(function["parameters"])}}


def package(requirement):
    """The wheel, fetched when it is not there yet."""
    name, version = requirement.split("==")
    pattern = f"{name.replace('-', '_')}-{version}-*.whl"
    if not list(FOLDER.glob(pattern)):
        FOLDER.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check",
                        "--only-binary=:all:", "--dest", str(FOLDER), requirement], check=True)
    return next(FOLDER.glob(pattern))


@functools.cache
def entries(wheel, file):
    """One data file of the package: id -> entry. Its names end in .json, its lines are one object each."""
    with zipfile.ZipFile(wheel) as archive:
        lines = archive.read(f"bfcl_eval/data/{file}").decode().splitlines()
    return {entry["id"]: entry for entry in map(json.loads, filter(str.strip, lines))}


def bfcl_item(spec, wheel):
    category = spec["bfcl"].rpartition("_")[0]
    entry = entries(wheel, f"BFCL_v4_{category}.json")[spec["bfcl"]]
    expected = []
    if category != "irrelevance":
        truth = entries(wheel, f"possible_answer/BFCL_v4_{category}.json")[spec["bfcl"]]["ground_truth"]
        expected = [{sent_name(name): accepted for name, accepted in call.items()} for call in truth]
    functions = {sent_name(function["name"]): function for function in entry["function"]}
    return Item(spec["id"], spec["kind"], entry["question"][0], [request_tool(f) for f in entry["function"]], functions,
                expected, [])


def own_item(spec, tools):
    messages = [{"role": "user", "content": spec["question"]}]
    if "call" in spec:
        call = {"name": spec["call"]["name"], "arguments": json.dumps(spec["call"]["arguments"])}
        messages += [{"role": "assistant", "content": None,
                      "tool_calls": [{"id": CALL_ID, "type": "function", "function": call}]},
                     {"role": "tool", "tool_call_id": CALL_ID, "content": spec["result"]}]
    return Item(spec["id"], spec["kind"], messages, tools, {}, [], spec.get("value", []))


def load(kinds=KINDS, limit=None):
    """The items of these kinds in the order of the file, the first `limit` of each kind."""
    file = json.loads((HERE / "tool_items.json").read_text())
    tools = [{"type": "function", "function": tool} for tool in file["tools"]]
    wanted = [spec for kind in KINDS if kind in kinds for spec in
              [entry for entry in file["items"] if entry["kind"] == kind][:limit]]
    wheel = package(file["package"]) if any("bfcl" in spec for spec in wanted) else None
    return [bfcl_item(spec, wheel) if "bfcl" in spec else own_item(spec, tools) for spec in wanted]
