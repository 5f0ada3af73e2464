"""The coroutine rules of scripts/lint_cpp.py find what they are for and nothing else."""
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SAMPLE = HERE / "coroutine_rules.cpp"
sys.path.insert(0, str(HERE.parent.parent / "scripts"))
import lint_cpp  # noqa: E402


class CoroutineRules(unittest.TestCase):
    def test_they_match_exactly_the_refused_lines_and_each_finds_something(self):
        matches = [word for rule in lint_cpp.COROUTINE_RULES for word in ("-c", rule)]
        output = subprocess.run(["clang-query", *matches, str(SAMPLE), "--", "-std=c++20"],
                                capture_output=True, text=True).stdout
        found = {int(line) for line in re.findall(rf"{SAMPLE.name}:(\d+):\d+: note", output)}
        refused = {number for number, line in enumerate(SAMPLE.read_text().splitlines(), 1)
                   if line.endswith("// refused")}
        self.assertEqual(found, refused, output)
        counts = re.findall(r"^(\d+) match(?:es)?\.$", output, re.MULTILINE)
        self.assertEqual(len(counts), len(lint_cpp.COROUTINE_RULES), output)
        self.assertNotIn("0", counts)


if __name__ == "__main__":
    unittest.main()
