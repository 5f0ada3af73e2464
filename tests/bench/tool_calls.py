#!/usr/bin/env python3
"""The measured set of tool calls: 60 items with fixed ids, asked over an OpenAI-compatible endpoint, scored by rule.

    tests/bench/tool_calls.py --url http://127.0.0.1:8080/v1 --model NAME --mode raw lenient routed constrained --json F
    tests/bench/tool_calls.py --llama-server --model NAME --json F2      the peer, started by the script
    tests/bench/tool_calls.py --rescore F F2                             the table again, from the raw answers

20 items need one call, 20 none, 10 two, and 10 come with a result to answer from (tool_items.json). Modes of Parley are
chosen by a field of its own in the request, "parley": {"tool_mode": …}: only the family's markers are calls (raw), the
default parser (lenient), the router of weak models first (routed), a call enforced where one is needed (constrained).
A mode with any other name gets the plain request. Everything else is the same for all: messages, tools, order,
temperature 0, 256 tokens at most.

The file of --json has every item with its raw answers and is written after each, so that a run can be made in pieces:
what was answered in it for the same mode and model is not asked again.
"""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

import llama_server
import tool_items
import tool_table

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARLEY_MODES = ("raw", "lenient", "routed", "constrained")
MAX_TOKENS, ROUNDS = 256, 2
CANNED_RESULT = '{"status": "done"}'  # what the first call of an item with two gave, where it came alone


class Endpoint:
    """Asks one mode of one server. Stateless: every question brings its whole conversation."""

    def __init__(self, url, mode, model, timeout):
        self.url, self.mode, self.model, self.timeout = url.rstrip("/") + "/chat/completions", mode, model, timeout

    def body(self, item, messages):
        body = {"messages": messages, "tools": item.tools, "temperature": 0, "max_tokens": MAX_TOKENS, "stream": False}
        if self.model:
            body["model"] = self.model
        if self.mode in PARLEY_MODES:
            body["parley"] = {"tool_mode": self.mode}
        if self.mode == "constrained" and item.kind in ("one", "two"):
            body["tool_choice"] = "required"
        return body

    def ask(self, item, messages):
        """One round: what came back, or why nothing did, and how long it took."""
        data = json.dumps(self.body(item, messages)).encode()
        request = urllib.request.Request(self.url, data, {"Content-Type": "application/json"})
        begin = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                body = json.load(answer)
            choice = body["choices"][0]
            out = {"message": choice["message"], "finish_reason": choice.get("finish_reason"),
                   "usage": body.get("usage") or {}, "parley": body.get("parley") or {}}
        except urllib.error.HTTPError as error:
            out = {"error": f"{error.code}: {error.read(2000).decode(errors='replace')}"}
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            out = {"error": repr(error)}
        return out | {"seconds": round(time.monotonic() - begin, 2)}

    def run(self, item):
        """All rounds of an item. A second one where two calls are needed and fewer came: their results, and go on."""
        messages, rounds, calls = list(item.messages), [], 0
        while len(rounds) < ROUNDS:
            rounds.append(self.ask(item, messages))
            made = (rounds[-1].get("message") or {}).get("tool_calls") or []
            calls += len(made)
            if item.kind != "two" or not made or calls >= len(item.expected):
                break
            messages += [{"role": "assistant", "content": rounds[-1]["message"].get("content"), "tool_calls": made}]
            messages += [{"role": "tool", "tool_call_id": call.get("id", ""), "content": CANNED_RESULT}
                         for call in made]
        return {"mode": self.mode, "model": self.model, "id": item.id, "kind": item.kind, "rounds": rounds}


def key_of(entry):
    return entry["mode"], entry["model"], entry["id"]


class Record:
    """The answers so far, in a file where one is named."""

    def __init__(self, path):
        self.path = pathlib.Path(path) if path else None
        self.entries = json.loads(self.path.read_text()) if self.path and self.path.exists() else []

    def has(self, mode, model, item):
        """True if the item was answered. A request that failed is made again."""
        found = [entry for entry in self.entries if key_of(entry) == (mode, model, item.id)]
        return any("error" not in answer for entry in found for answer in entry["rounds"][-1:])

    def add(self, entry):
        self.entries = [other for other in self.entries if key_of(other) != key_of(entry)] + [entry]
        if self.path:
            partial = self.path.with_name(self.path.name + ".partial")
            partial.write_text(json.dumps(self.entries, indent=1, ensure_ascii=False) + "\n")
            partial.replace(self.path)


def run(endpoint, items, record):
    for number, item in enumerate(items, 1):
        if record.has(endpoint.mode, endpoint.model, item):
            continue
        entry = endpoint.run(item)
        record.add(entry)
        marks = [f"{name} {'yes' if right else 'NO'}" for name, right in tool_table.scores_of(item, entry).items()]
        print(f"{endpoint.mode} {number}/{len(items)} {item.id}:", *marks, file=sys.stderr, flush=True)


def run_peer(options, items, record):
    model = subprocess.run([sys.executable, ROOT / "scripts/model", options.model], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.strip()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is ended then, too
    server = llama_server.LlamaServer(options.llama_server or llama_server.build(), model, options.threads)
    try:
        for mode in options.mode or ["llama-server"]:
            run(Endpoint(server.url, mode, options.model, options.timeout), items, record)
    finally:
        server.close()


def parse_arguments():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    source = arguments.add_mutually_exclusive_group(required=True)
    source.add_argument("--url", help="an endpoint, up to and with /v1")
    source.add_argument("--llama-server", nargs="?", const="", metavar="BINARY",
                        help="start llama.cpp's server (built from its source package when no binary is named)")
    source.add_argument("--rescore", nargs="+", metavar="FILE")
    arguments.add_argument("--mode", nargs="+", help="names of runs; raw, lenient, routed, constrained are Parley's")
    arguments.add_argument("--model", default="", help="in requests; with --llama-server a name of the catalogue")
    arguments.add_argument("--kinds", default=",".join(tool_items.KINDS), help="some of %(default)s")
    arguments.add_argument("--limit", type=int, help="the first so many items of each kind")
    arguments.add_argument("--json", metavar="FILE", help="raw answers, written after each item; goes on where it ends")
    arguments.add_argument("--threads", type=int, default=2, help="of llama-server")
    arguments.add_argument("--timeout", type=float, default=300, help="seconds for one answer")
    options = arguments.parse_args()
    options.kinds = options.kinds.split(",")
    if unknown := set(options.kinds) - set(tool_items.KINDS):
        arguments.error(f"no kind is called {', '.join(unknown)}")
    if options.llama_server is not None and not options.model:
        arguments.error("--llama-server needs --model NAME")
    if options.url and not options.mode:
        arguments.error("--url needs --mode")
    return options


def main():
    options = parse_arguments()
    items = tool_items.load(options.kinds, options.limit)
    if options.rescore:
        entries = [entry for file in options.rescore for entry in json.loads(pathlib.Path(file).read_text())]
    else:
        record = Record(options.json)
        if options.url:
            for mode in options.mode:
                run(Endpoint(options.url, mode, options.model, options.timeout), items, record)
        else:
            run_peer(options, items, record)
        entries = record.entries
    rows = tool_table.rows(items, entries)
    print(tool_table.table(rows))
    if any(row.constraint_slept() for row in rows):
        sys.exit("the constraint never woke where calls were needed: the figures of that row are not its own")


if __name__ == "__main__":
    main()
