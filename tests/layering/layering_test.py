#!/usr/bin/env python3
"""Reads include lines and file sizes and fails on what the architecture forbids. Run by ctest.

The folders are the architecture: a folder may include only what ALLOWED says (see docs/architecture.md), and
its CMakeLists.txt must name each folder that it includes.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOP = ["kernels", "inference", "storage", "retrieval", "orchestration", "app"]
ALLOWED = {
    "kernels": {"kernels"},
    "inference": {"inference", "kernels"},
    "storage": {"storage"},
    "retrieval": {"retrieval", "storage", "kernels"},
    "orchestration": {"orchestration", "retrieval", "inference", "storage"},
    "app": {"app", "orchestration", "retrieval", "inference", "storage"},
}
# Inside a layer, an arrow goes only from a later folder to an earlier one.
ORDER = {
    "kernels": ["dtypes", "reference", "cpu", "cuda"],
    "inference": ["json", "formats", "tokenizer", "text", "json_schema", "grammar", "backend", "encoder", "model", "engine"],
    "retrieval": ["documents", "chunking", "scan", "index", "search", "ingest"],
    "orchestration": ["jinja", "calls", "prompt", "sessions", "sandbox", "fetch", "mcp", "tools", "turn"],
    "app": ["config", "models", "documents", "protocol", "assets", "http", "api", "server", "cli"],
}
MAX_LINES = 400
MAX_LINES_BY_SUFFIX = {".cu": 500}
MAX_BEAST_SOURCES = 3
TEXT_SUFFIXES = {".cpp", ".h", ".cu", ".cuh", ".ts", ".svelte", ".css", ".py", ".sh"}


def tracked():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / line for line in out.stdout.splitlines() if (ROOT / line).is_file()]


def includes(path):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M)


def arrow_errors(path):
    parts = path.relative_to(ROOT).parts
    if parts[0] not in TOP:
        return
    top, folder = parts[0], parts[1]
    for include in includes(path):
        target = include.split("/")
        if target[0] not in TOP:
            yield f"{path.relative_to(ROOT)}: include {include} from the root, as \"folder/subfolder/file.h\""
        elif target[0] not in ALLOWED[top]:
            yield f"{path.relative_to(ROOT)}: {top}/ may not include {include}"
        elif target[0] == top and folder in ORDER.get(top, []) and target[1] in ORDER[top]:
            if ORDER[top].index(target[1]) > ORDER[top].index(folder):
                yield f"{path.relative_to(ROOT)}: {top}/{folder} may not include {include}, a folder above it"


def undeclared_errors(path):
    """An arrow is declared when the folder's CMakeLists.txt names the other's target, or says in a comment why there
    is nothing to link."""
    folder = "/".join(path.relative_to(ROOT).parts[:2])
    if not (ROOT / folder / "CMakeLists.txt").is_file() or path.relative_to(ROOT).parts[0] not in TOP:
        return
    declared = (ROOT / folder / "CMakeLists.txt").read_text()
    for include in includes(path):
        target = "/".join(include.split("/")[:2])
        name = "parley_" + target.replace("/", "_")
        if target != folder and include.split("/")[0] in TOP and not re.search(rf"\b({name}|{target})\b", declared):
            yield f"{path.relative_to(ROOT)}: includes {include}, but {folder}/CMakeLists.txt does not name {name}"


def size_errors(path):
    if path.suffix in TEXT_SUFFIXES or path.parent.name == "scripts":
        lines = len(path.read_bytes().splitlines())
        limit = MAX_LINES_BY_SUFFIX.get(path.suffix, MAX_LINES)
        if lines > limit:
            yield f"{path.relative_to(ROOT)}: {lines} lines, the limit is {limit}"


def main():
    errors, beast = [], []
    for path in tracked():
        errors += size_errors(path)
        if path.suffix in {".cpp", ".h", ".cu", ".cuh"}:
            errors += arrow_errors(path)
            errors += undeclared_errors(path)
            relative = path.relative_to(ROOT).parts
            if relative[0] in TOP and re.search(r"#\s*include\s+<boost/beast", path.read_text()):
                if path.suffix == ".cpp":
                    beast.append("/".join(relative))
                elif not relative[-1].startswith("beast_"):
                    errors.append(f"{'/'.join(relative)}: Beast belongs in sources, not in headers")
    if len(beast) > MAX_BEAST_SOURCES:
        errors.append(f"Beast is in {len(beast)} sources, the limit is {MAX_BEAST_SOURCES}: {', '.join(beast)}")
    print("\n".join(errors) or "layers and sizes are right")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
