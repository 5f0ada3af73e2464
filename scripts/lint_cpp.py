#!/usr/bin/env python3
"""clang-tidy and the coroutine rules over the C++ sources of a build folder, as many at a time as there are cores.

    scripts/lint_cpp.py BUILD_DIR [FILE...]

What is compiled together is checked together (the build's batches): parsing the same headers again is what costs time.
Without FILE: all but the tests and Boost's own sources. A batch is checked again only when the text of a source or
project header in it, the rules or the tools changed; clean results are kept by content hash in
$XDG_CACHE_HOME/parley/lint (default ~/.cache).
"""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "parley" / "lint"

CLANG_ARGUMENTS = ["--extra-arg=-Wno-unknown-warning-option"]  # the build's own warnings are g++'s

# g++ 12 corrupts memory without a word when one of these is inside an expression with co_await.
COROUTINE_ADVICE = "g++ 12 miscompiles this expression with co_await: name the lambda, list or result first"
OURS = 'isExpansionInFileMatching("/(inference|storage|orchestration|retrieval|app|tests)/")'
COROUTINE_RULES = [
    f"match coawaitExpr({OURS}, hasDescendant(expr(anyOf("
    "lambdaExpr(hasAnyCapture(lambdaCapture())), initListExpr()))))",
    f"match initListExpr({OURS}, hasDescendant(coawaitExpr()))",
    f"match conditionalOperator({OURS}, hasDescendant(coawaitExpr()))",
]


def project_files(build):
    """Object file -> project files it was made from, as the last build saw them."""
    deps, current = {}, None
    out = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        if line and not line.startswith(" "):
            current = line.split(":")[0]
            deps[current] = []
        elif line.strip().startswith(str(ROOT)) or (line.strip() and not line.strip().startswith("/")):
            path = (build / line.strip()).resolve()
            if path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build"):
                deps[current].append(path)
    return deps


def object_file(entry):
    return entry["command"].split(" -o ")[1].split()[0]


def sources(files):
    return [path for path in files if path.suffix == ".cpp"]


@functools.cache
def tidy_version():
    return subprocess.run(["clang-tidy", "--version"], capture_output=True).stdout


def content_hash(entry, files):
    digest = hashlib.sha256()
    digest.update(tidy_version())
    for path in [ROOT / ".clang-tidy", *sorted(set(files))]:
        digest.update(path.read_bytes() if path.exists() else b"gone")
    digest.update(repr((CLANG_ARGUMENTS, COROUTINE_RULES)).encode())
    digest.update(entry["command"].replace(str(ROOT), "").encode())
    return digest.hexdigest()


def check(entry, files, build):
    """Complaints about what is compiled together, empty when it is clean."""
    file = entry["file"]
    tidy = subprocess.run(["clang-tidy", "--quiet", *CLANG_ARGUMENTS, "-p", str(build), file],
                          capture_output=True, text=True)
    complaints = tidy.stdout if tidy.returncode != 0 else ""
    if any("co_await" in path.read_text() for path in files):
        # One run for all rules.
        matches = [word for rule in COROUTINE_RULES for word in ("-c", rule)]
        query = subprocess.run(["clang-query", *CLANG_ARGUMENTS, "-p", str(build), *matches, file],
                               capture_output=True, text=True)
        if query.stdout.splitlines().count("0 matches.") != len(COROUTINE_RULES):
            complaints += f"{COROUTINE_ADVICE}\n{query.stdout}{query.stderr}"
    return complaints


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    only = {pathlib.Path(f).resolve() for f in sys.argv[2:]}
    CACHE.mkdir(parents=True, exist_ok=True)
    made_from = project_files(build)
    work = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        files = made_from.get(object_file(entry), [])
        ours = sources(files)
        if not ours or (only and only.isdisjoint(ours)):
            continue
        if not only and ours[0].relative_to(ROOT).parts[0] in ("tests", "cmake"):
            continue
        stamp = CACHE / content_hash(entry, files)
        if not stamp.exists():
            work.append((entry, files, stamp))
    print(f"{sum(len(sources(files)) for _, files, _ in work)} sources to check", file=sys.stderr)
    clean = True
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (*_, stamp), complaints in zip(work, pool.map(lambda w: check(w[0], w[1], build), work)):
            if complaints:
                clean = False
                print(complaints)
            else:
                stamp.touch()
    sys.exit(0 if clean else "there are complaints")


if __name__ == "__main__":
    main()
