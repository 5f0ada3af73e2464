#!/usr/bin/env python3
"""Parley beside llama.cpp on the same files, alternating in one run, so that a machine that drifts drifts for both.

    python3 -m venv V && CMAKE_ARGS=-DGGML_NATIVE=ON V/bin/pip install llama-cpp-python==0.3.36
    V/bin/python tests/bench/compare_llama_cpp.py [--threads 2] [--rounds 3] [--json] [MODEL...]

For each model: 512-token prefill and 128-token decode of one sequence, in tokens per second, best of the rounds, and
the ratio; also 8 sequences of Parley together against llama.cpp's one. MODEL is a catalogue name.
"""
import argparse
import ctypes
import json
import pathlib
import subprocess
import time

import llama_cpp

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROMPT, GEN = 512, 128


class LlamaCpp:
    """One context of llama.cpp through its C interface, so that no Python work is in the measured time but a call."""

    def __init__(self, path, threads):
        llama_cpp.llama_backend_init()
        silent = llama_cpp.llama_log_callback(lambda *_: None)
        self.keep = silent
        llama_cpp.llama_log_set(silent, ctypes.c_void_p(0))
        self.model = llama_cpp.llama_model_load_from_file(str(path).encode(), llama_cpp.llama_model_default_params())
        params = llama_cpp.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch = PROMPT + GEN + 64, PROMPT, PROMPT
        params.n_threads = params.n_threads_batch = threads
        self.context = llama_cpp.llama_init_from_model(self.model, params)

    def close(self):
        llama_cpp.llama_free(self.context)
        llama_cpp.llama_model_free(self.model)

    def decode(self, ids):
        tokens = (llama_cpp.llama_token * len(ids))(*ids)
        if llama_cpp.llama_decode(self.context, llama_cpp.llama_batch_get_one(tokens, len(ids))) != 0:
            raise SystemExit("llama.cpp could not decode")
        llama_cpp.llama_get_logits(self.context)  # waits for the result

    def rates(self):
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)
        begin = time.perf_counter()
        self.decode([1000 + i * 7 % 5000 for i in range(PROMPT)])
        prefill = PROMPT / (time.perf_counter() - begin)
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)
        self.decode([1000 + i for i in range(16)])
        begin = time.perf_counter()
        for i in range(GEN):
            self.decode([2000 + i])
        return prefill, GEN / (time.perf_counter() - begin)


def parley(model, threads, batches):
    out = subprocess.run([ROOT / "build/release/parley", "bench", "--model", model, "--prompt", str(PROMPT), "--gen",
                          str(GEN), "--depth", "0", "--batch", batches, "--threads", str(threads), "--json"],
                         capture_output=True, text=True, check=True)
    return json.loads(out.stdout)


def compare(name, path, threads, rounds):
    theirs_prefill = theirs_decode = ours_prefill = ours_decode = ours_batch = 0.0
    rival = LlamaCpp(path, threads)
    rival.rates()  # warm-up
    for _ in range(rounds):
        prefill, decode = rival.rates()
        theirs_prefill, theirs_decode = max(theirs_prefill, prefill), max(theirs_decode, decode)
        report = parley(name, threads, "8")
        ours_prefill = max(ours_prefill, report["prefill"]["prefill_tokens_per_second"])
        ours_decode = max(ours_decode, report["decode"][0]["decode_tokens_per_second"])
        ours_batch = max(ours_batch, report["batch"][0]["decode_tokens_per_second"])
    rival.close()
    return {"model": name, "backend": report["backend"], "bandwidth_share": round(report["bandwidth_share"], 2),
            "resident_mb": round(report["resident_loaded_mb"]),
            "prefill": [round(ours_prefill, 1), round(theirs_prefill, 1), round(ours_prefill / theirs_prefill, 2)],
            "decode": [round(ours_decode, 1), round(theirs_decode, 1), round(ours_decode / theirs_decode, 2)],
            "batch8_vs_one": [round(ours_batch, 1), round(theirs_decode, 1), round(ours_batch / theirs_decode, 2)]}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("models", nargs="*", default=["smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"])
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--json", action="store_true")
    options = arguments.parse_args()
    if not options.json:
        print(f"{'model':22} {'what':12} {'Parley':>9} {'llama.cpp':>9} {'ratio':>6}")
    for name in options.models or []:
        path = subprocess.run([ROOT / "scripts/model", name], capture_output=True, text=True, check=True).stdout.strip()
        row = compare(name, path, options.threads, options.rounds)
        if options.json:
            print(json.dumps(row), flush=True)
            continue
        for what in ("prefill", "decode", "batch8_vs_one"):
            ours, theirs, ratio = row[what]
            print(f"{name:22} {what:12} {ours:9.1f} {theirs:9.1f} {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()
