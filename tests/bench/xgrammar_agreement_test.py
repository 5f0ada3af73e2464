"""The comparison with xgrammar: its schemas, its two sides, what counts as explained."""
import hashlib
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import schema_samples
import xgrammar_agreement
from xgrammar_agreement import Case, Comparison, Side

OBJECT = {"type": "object", "properties": {"a": {"type": "integer"}}}
ECHO = [sys.executable, "-c", "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)"]


def row(valid, ours, theirs, schema=None, text="{}"):
    return {"id": "x/0", "schema": schema or OBJECT, "text": text, "valid": valid, "ours": ours, "theirs": theirs}


class Samples(unittest.TestCase):
    def test_are_the_same_for_the_same_number(self):
        made = json.dumps([schema_samples.sample(number) for number in range(50)])
        self.assertEqual(hashlib.sha256(made.encode()).hexdigest()[:16], "bb24c1e34ec9f90e")

    def test_come_with_as_many_good_documents_as_damaged_ones(self):
        for number in range(20):
            _, good, bad = schema_samples.sample(number)
            self.assertEqual((len(good), len(bad)), (4, 4))


class Sides(unittest.TestCase):
    def test_a_side_that_ends_has_no_answer_and_is_started_again(self):
        case = Case("x/0", OBJECT, [("{}", True)])
        ends = Side([sys.executable, "-c", "import sys; sys.stdin.readline()"])
        self.assertEqual(ends.ask(case), {"error": "it crashed"})
        self.assertEqual(ends.ask(case), {"error": "it crashed"})
        echo = Side(ECHO)
        self.assertEqual(echo.ask(case), {"schema": OBJECT, "documents": ["{}"]})
        echo.close()


class Comparing(unittest.TestCase):
    def test_a_schema_that_one_side_leaves_alone_is_not_compared(self):
        comparison = Comparison()
        case = Case("x/0", OBJECT, [("{}", True)])
        taken = {"accepts": [True], "unchecked": []}
        self.assertFalse(comparison.add(case, taken, {"error": "no", "valid": [True]}))
        self.assertFalse(comparison.add(case, taken | {"unchecked": ["# not"]}, taken | {"valid": [True]}))
        self.assertEqual([refusal["who"] for refusal in comparison.refused], ["xgrammar", "parley"])
        self.assertTrue(comparison.add(case, taken, taken | {"valid": [True]}))
        self.assertEqual(comparison.summary()["schemas"], 1)

    def test_what_is_counted(self):
        comparison = Comparison()
        case = Case("x/0", OBJECT, [("1", None), ("{}", True), ("[]", None)])
        comparison.add(case, {"accepts": [True, False, False]}, {"accepts": [True, True, False], "valid": [False, True, False]})
        self.assertEqual(comparison.summary(), {
            "schemas": 1, "schemas_agreed": 0, "documents": 3, "documents_agreed": 2, "parley_takes_invalid": 1,
            "parley_refuses_valid": 1, "xgrammar_takes_invalid": 1, "xgrammar_refuses_valid": 0})
        lines, explained = xgrammar_agreement.report(comparison)
        self.assertFalse(explained)
        self.assertIn("neither is right: WITHOUT A REASON", lines[0])
        self.assertIn("xgrammar is right: WITHOUT A REASON", lines[1])

    def test_the_suite_and_the_validator_have_to_agree(self):
        with self.assertRaises(ValueError):
            Comparison().add(Case("x/0", OBJECT, [("{}", True)]), {"accepts": [True]}, {"accepts": [True], "valid": [False]})


class Reasons(unittest.TestCase):
    def reason(self, *arguments, **named):
        return xgrammar_agreement.reason_for(row(*arguments, **named)) or ""

    def test_where_we_are_wrong_there_is_none(self):
        self.assertEqual(self.reason(True, False, True), "")
        self.assertEqual(self.reason(False, True, False), "")
        self.assertEqual(self.reason(False, True, True), "")

    def test_of_valid_documents_that_xgrammar_refuses(self):
        self.assertIn("letter by letter", self.reason(True, True, False, {"enum": [1, [{"a": 1}]]}))
        sized = {"type": "string", "maxLength": 9}
        self.assertIn("escaped", self.reason(True, True, False, sized, '"a\\n"'))
        self.assertEqual(self.reason(True, True, False, sized, '"a"'), "")
        self.assertIn("demanded", self.reason(True, True, False, {"properties": {}}, "1"))

    def test_of_invalid_documents_that_xgrammar_takes(self):
        self.assertIn("without a type", self.reason(False, False, True, {"anyOf": [{"maxLength": 2}]}))
        self.assertIn("beside $ref", self.reason(False, False, True, {"$ref": "#/$defs/a", "maxItems": 2, "$defs": {}}))
        self.assertIn("not recognised", self.reason(False, False, True, {"type": "object", "properties": {"a\n": {}}}))
        self.assertIn("not demanded", self.reason(False, False, True, {"type": "object", "required": ["a"]}))
        self.assertEqual(self.reason(False, False, True), "")

    def test_of_what_both_refuse(self):
        self.assertIn("fraction", self.reason(True, False, False, {"const": 1}, "1.0"))
        self.assertEqual(self.reason(True, False, False, {"const": 1}, "1"), "")


if __name__ == "__main__":
    unittest.main()
