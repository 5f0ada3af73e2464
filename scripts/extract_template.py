#!/usr/bin/env python3
"""Writes the chat template of a tokenizer_config.json to a file: extract_template.py CONFIG FILE"""
import json
import pathlib
import sys

template = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")).get("chat_template")
if not isinstance(template, str):
    sys.exit(f"{sys.argv[1]} holds no chat template")
pathlib.Path(sys.argv[2]).write_bytes(template.encode())
