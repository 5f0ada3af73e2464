#!/usr/bin/env python3
"""What scripts/hostile tells of a report, and when it fails."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import hostile_table


def test_of(number, name="IsHeldByTheFence", **more):
    return {"name": f"{name}/program{number}", "result": "COMPLETED", "runs": "200", "slowest_ms": "412",
            "allowed_ms": "2300", **more}


class HostileTable(unittest.TestCase):
    def told(self, tests):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            path.write_text(json.dumps({"testsuites": [{"name": "All/HostileProgram", "testsuite": tests}]}))
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                status = hostile_table.main(path)
        return status, out.getvalue()

    def test_all_held(self):
        unfenced = [test_of(i, "IsEndedWithoutAFenceToo", runs="40") for i in range(9)]
        status, text = self.told([*map(test_of, range(12)), *unfenced])
        self.assertEqual(status, 0)
        self.assertIn("program3              yes      200    0.41 s    2.30 s  held, nothing left\n", text)
        self.assertIn("2760 runs, 0 programs not held", text)

    def test_one_not_held(self):
        failure = {"failures": [{"failure": "hostile_programs_test.cpp:117\n3 left", "type": ""}]}
        status, text = self.told([test_of(0, **failure), *map(test_of, range(1, 12))])
        self.assertEqual(status, 1)
        self.assertIn("NOT HELD: hostile_programs_test.cpp:117", text)
        self.assertIn("1 programs not held", text)

    def test_what_was_not_run_is_not_held(self):
        self.assertEqual(self.told(list(map(test_of, range(11))))[0], 1)
        skipped = {"name": "IsHeldByTheFence/program11", "result": "SKIPPED"}
        status, text = self.told([*map(test_of, range(11)), skipped])
        self.assertEqual(status, 1)
        self.assertIn("NOT TESTED", text)
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(hostile_table.main("/nowhere/report.json"), 1)


if __name__ == "__main__":
    unittest.main()
