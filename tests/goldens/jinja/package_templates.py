#!/usr/bin/env python3
"""Renders the chat templates that scripts/test fetched from packages (build/tools/templates) with the conversations
of conversations.py, and has our engine's test compare them: package_templates.py FOLDER TEST-PROGRAM

Needs jinja2 >= 3.1.6. Exits with 77 (skipped) where the templates or jinja2 are not there.
"""
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MISSING = "NOT COMPARED: {} is not there; scripts/test fetches it where there is network"


def contexts(conversations):
    for conversation in conversations:
        for generation in (False, True):
            yield conversation, {
                "messages": conversation["messages"], "tools": conversation.get("tools"), "documents": None,
                "add_generation_prompt": generation, "bos_token": "<s>", "eos_token": "</s>"}


def renders(environment, conversations, name, source):
    template = environment.from_string(source)
    for conversation, context in contexts(conversations):
        render = {"template": name, "conversation": conversation["name"],
                  "generation": context["add_generation_prompt"]}
        try:
            render["text"] = template.render(**context)
        except Exception as error:  # a refusal is what is expected then
            render["error"] = f"{type(error).__name__}: {error}"
        yield render


def make(folder):
    from conversations import CONVERSATIONS
    from make_jinja_goldens import make_environment

    environment = make_environment()
    environment.globals["strftime_now"] = lambda form: datetime.datetime.now().strftime(form)
    sources = {path.name: path.read_bytes().decode() for path in sorted(folder.glob("*.jinja"))}
    result = {"conversations": CONVERSATIONS, "sources": sources, "renders": []}
    for name, source in sources.items():
        result["renders"] += renders(environment, CONVERSATIONS, name, source)
    return result


def main():
    folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    if not any(folder.glob("*.jinja")):
        print(MISSING.format(folder))
        return 77
    try:
        goldens = make(folder)
    except ModuleNotFoundError as error:
        print(MISSING.format(error.name))
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "goldens.json"
        file.write_text(json.dumps(goldens, ensure_ascii=False))
        environment = dict(os.environ, PARLEY_TEMPLATE_GOLDENS=str(file))
        return subprocess.run([program, "--gtest_filter=PackageTemplates.*"], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
