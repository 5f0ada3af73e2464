#!/usr/bin/env python3
"""clang-tidy and the coroutine rules over the C++ sources of a build folder, as many at a time as there are cores.

    scripts/lint_cpp.py BUILD_DIR [FILE...]

Without FILE: all but the tests, which would double the time. A file is checked again only when its text, that of a
project header it includes, the rules or the tools changed; clean results are kept by content hash in
$XDG_CACHE_HOME/parley/lint (default ~/.cache).
"""
import concurrent.futures
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
COROUTINE_RULES = [
    "match coawaitExpr(isExpansionInMainFile(), hasDescendant(expr(anyOf("
    "lambdaExpr(hasAnyCapture(lambdaCapture())), initListExpr()))))",
    "match initListExpr(isExpansionInMainFile(), hasDescendant(coawaitExpr()))",
    "match conditionalOperator(isExpansionInMainFile(), hasDescendant(coawaitExpr()))",
]


def project_headers(build):
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


def content_hash(entry, headers):
    digest = hashlib.sha256()
    digest.update(subprocess.run(["clang-tidy", "--version"], capture_output=True).stdout)
    for path in [ROOT / ".clang-tidy", *sorted(set(headers))]:
        digest.update(path.read_bytes() if path.exists() else b"gone")
    digest.update(repr((CLANG_ARGUMENTS, COROUTINE_RULES)).encode())
    digest.update(entry["command"].replace(str(ROOT), "").encode())
    return digest.hexdigest()


def check(entry, build):
    """Complaints about one source, empty when it is clean."""
    file = entry["file"]
    tidy = subprocess.run(["clang-tidy", "--quiet", *CLANG_ARGUMENTS, "-p", str(build), file],
                          capture_output=True, text=True)
    complaints = tidy.stdout if tidy.returncode != 0 else ""
    if "co_await" in pathlib.Path(file).read_text():
        # One run for all rules: parsing the headers is what costs time.
        matches = [word for rule in COROUTINE_RULES for word in ("-c", rule)]
        query = subprocess.run(["clang-query", *CLANG_ARGUMENTS, "-p", str(build), *matches, file],
                               capture_output=True, text=True)
        if query.stdout.splitlines().count("0 matches.") != len(COROUTINE_RULES):
            complaints += f"{file}: {COROUTINE_ADVICE}\n{query.stdout}{query.stderr}"
    return complaints


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    only = {str(pathlib.Path(f).resolve()) for f in sys.argv[2:]}
    CACHE.mkdir(parents=True, exist_ok=True)
    headers = project_headers(build)
    work = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if str(build) in entry["file"] or (only and entry["file"] not in only):
            continue
        if not only and pathlib.Path(entry["file"]).is_relative_to(ROOT / "tests"):
            continue
        stamp = CACHE / content_hash(entry, headers.get(object_file(entry), []) + [pathlib.Path(entry["file"])])
        if not stamp.exists():
            work.append((entry, stamp))
    print(f"{len(work)} files to check", file=sys.stderr)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (entry, stamp), complaints in zip(work, pool.map(lambda w: check(w[0], build), work)):
            if complaints:
                failed += 1
                print(complaints)
            else:
                stamp.touch()
    sys.exit(f"{failed} files have complaints" if failed else 0)


if __name__ == "__main__":
    main()
