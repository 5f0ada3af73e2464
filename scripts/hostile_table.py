#!/usr/bin/env python3
"""Prints what scripts/hostile has measured, from GoogleTest's JSON report. Exit status 1: a program was not held, or
nothing was measured."""
import json
import sys


def rows(report):
    """(program, fenced, runs, slowest ms, allowed ms, what went wrong) of each test that ran programs."""
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            name, _, program = test["name"].partition("/")
            wrong = [failure["failure"].strip().splitlines()[0] for failure in test.get("failures", [])]
            if test.get("result") == "SKIPPED":
                wrong.append("NOT TESTED: user namespaces are not permitted here")
            if "runs" in test or wrong:
                yield (program, name == "IsHeldByTheFence", int(test.get("runs", 0)), int(test.get("slowest_ms", 0)),
                       int(test.get("allowed_ms", 0)), wrong)


def table(found):
    lines = [f"{'program':<22}{'fence':<7}{'runs':>5}{'slowest':>10}{'allowed':>10}  result"]
    for program, fenced, runs, slowest, allowed, wrong in sorted(found, key=lambda row: (not row[1], row[0])):
        result = f"NOT HELD: {wrong[0]}" if wrong else "held, nothing left"
        lines.append(f"{program:<22}{'yes' if fenced else 'no':<7}{runs:>5}{slowest / 1000:>8.2f} s{allowed / 1000:>8.2f} s"
                     f"  {result}")
    return "\n".join(lines)


def is_good(found):
    """All twelve were run behind the fence, and nothing went wrong."""
    fenced = [row for row in found if row[1] and row[2] > 0]
    return len(fenced) == 12 and not any(row[5] for row in found)


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            found = list(rows(json.load(file)))
    except (OSError, ValueError) as error:
        print(f"no report: {error}")
        return 1
    print(table(found))
    print(f"{sum(row[2] for row in found)} runs, {sum(bool(row[5]) for row in found)} programs not held")
    return 0 if is_good(found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
