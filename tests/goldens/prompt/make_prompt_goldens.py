#!/usr/bin/env python3
"""Writes prompt_goldens.json: the prompt ids that transformers' apply_chat_template makes of a few conversations.

    make_prompt_goldens.py FOLDER-WITH-MODELS     (needs the Python packages transformers, tokenizers and gguf)

Vocabularies come from the GGUF files, templates from ../jinja/templates, the reference tokenizer from ../tokenizer.
No conversation holds the name of a special token: transformers would read it as one.
"""
import json
import pathlib
import sys

from transformers import PreTrainedTokenizerFast

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tokenizer"))

from make_tokenizer_goldens import make_reference  # noqa: E402

MODELS = {
    "SmolLM2-135M-Instruct.Q4_1.gguf": ("smollm", "smollm2-135m.jinja"),
    "qwen2.5-coder-0.5b.gguf": ("qwen2", "qwen2.5-coder-0.5b.jinja"),
}

CONVERSATIONS = [
    [("user", "Hi")],
    [("system", "You are a helpful assistant."), ("user", "What is 12345 + 678?"), ("assistant", "13023."), ("user", "Sure?")],
    [("user", "  leading and trailing \n"), ("assistant", "\n\nok\n"), ("user", "\tgo\n\n")],
    [("system", "日本語で答えて"), ("user", "👩‍👩‍👧 naïve e\u0301 über Größe"), ("assistant", "はい。🎉"), ("user", "Привет, мир! ﷺ")],
    [("system", ""), ("user", ""), ("assistant", ""), ("user", " ")],
    [("user" if i % 2 == 0 else "assistant", f"```cpp\nint x{i} = {i ** 7};\n```\n\n- it's I'LL\n" + "    " * i) for i in range(13)],
    [("user", "a < b | c > d <|im_ <tool_response> {{ x }}"), ("assistant", "|>"), ("user", "<|")],
]


def main():
    folder = pathlib.Path(sys.argv[1])
    golden = {"conversations": [[{"role": role, "content": text} for role, text in turns] for turns in CONVERSATIONS], "ids": {}}
    for file, (pre, template) in MODELS.items():
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=make_reference(pre, folder / file, added_tokens=True))
        tokenizer.chat_template = (HERE.parent / "jinja" / "templates" / template).read_bytes().decode()
        golden["ids"][file] = [
            tokenizer.apply_chat_template(conversation, add_generation_prompt=True, tokenize=True, return_dict=False)
            for conversation in golden["conversations"]
        ]
    path = HERE / "prompt_goldens.json"
    path.write_text(json.dumps(golden, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{path}: {len(CONVERSATIONS)} conversations, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
