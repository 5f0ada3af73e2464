"""The measured set of tool calls: what counts as right, how types are mapped, and how an item is asked."""
import contextlib
import http.server
import io
import json
import pathlib
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tool_calls
import tool_items
import tool_scores
import tool_table


def function(name, required=(), **properties):
    return {"name": name, "description": name,
            "parameters": {"type": "dict", "properties": {key: {"type": kind} for key, kind in properties.items()},
                           "required": list(required)}}


def item(kind, functions=(), expected=(), value=(), name="x-1"):
    tools = [tool_items.request_tool(f) for f in functions]
    return tool_items.Item(name, kind, [{"role": "user", "content": "?"}], tools,
                           {tool_items.sent_name(f["name"]): f for f in functions}, list(expected), list(value))


def message(*calls, text=None):
    made = [{"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for n, (name, arguments) in enumerate(calls)]
    return {"role": "assistant", "content": text} | ({"tool_calls": made} if made else {})


AREA = function("area", ["base"], base="integer", height="float", unit="string")
ACCEPTED = {"area": {"base": [10], "height": [5.0, 6.5], "unit": ["cm", "centimetre", ""]}}


class Arguments(unittest.TestCase):
    def right(self, arguments, accepted=ACCEPTED, described=AREA):
        return tool_scores.call_matches((described["name"], arguments), accepted, {described["name"]: described})

    def test_any_accepted_value_passes(self):
        self.assertTrue(self.right({"base": 10, "height": 6.5, "unit": "centimetre"}))
        self.assertFalse(self.right({"base": 10, "height": 6.0}))
        self.assertFalse(self.right({"base": 11, "height": 5.0}))

    def test_an_argument_is_optional_only_where_empty_is_accepted(self):
        self.assertTrue(self.right({"base": 10, "height": 5.0}))
        self.assertFalse(self.right({"base": 10, "unit": "cm"}), "height has no empty value")
        self.assertFalse(self.right({"height": 5.0}), "base is required")

    def test_unknown_arguments_and_other_names_are_wrong(self):
        self.assertFalse(self.right({"base": 10, "height": 5.0, "colour": "red"}))
        self.assertFalse(tool_scores.call_matches(("volume", {"base": 10, "height": 5.0}), ACCEPTED, {"area": AREA}))
        self.assertFalse(self.right(None), "arguments that were no JSON object")

    def test_integers_pass_for_floats_and_nothing_else_is_converted(self):
        self.assertTrue(self.right({"base": 10, "height": 5}))
        self.assertFalse(self.right({"base": 10.0, "height": 5}))
        self.assertFalse(self.right({"base": "10", "height": 5}))
        flag = function("f", ["on"], on="boolean")
        self.assertTrue(self.right({"on": True}, {"f": {"on": [True]}}, flag))
        self.assertFalse(self.right({"on": 1}, {"f": {"on": [True]}}, flag))

    def test_strings_are_compared_without_case_and_punctuation(self):
        trip = function("go", ["to"], to="string")
        accepted = {"go": {"to": ["New York, NY"]}}
        self.assertTrue(self.right({"to": "new york ny"}, accepted, trip))
        self.assertFalse(self.right({"to": "New York City"}, accepted, trip))

    def test_lists_are_compared_in_order(self):
        group = function("mean", ["of"], of="array")
        self.assertTrue(self.right({"of": ["A b", 2]}, {"mean": {"of": [["ab", 2]]}}, group))
        self.assertFalse(self.right({"of": [2, 3]}, {"mean": {"of": [[3, 2]]}}, group))

    def test_nested_objects_have_accepted_values_of_their_own(self):
        update = function("update", ["info"], info="dict")
        accepted = {"update": {"info": [{"name": ["John", "john doe"], "age": [30, ""]}]}}
        self.assertTrue(self.right({"info": {"name": "John Doe"}}, accepted, update))
        self.assertTrue(self.right({"info": {"name": "John", "age": 30}}, accepted, update))
        self.assertFalse(self.right({"info": {"age": 30}}, accepted, update))
        self.assertFalse(self.right({"info": {"name": "John", "sex": "m"}}, accepted, update))
        self.assertFalse(self.right({"info": "John"}, accepted, update))

    def test_lists_of_objects(self):
        order = function("order", ["items"], items="array")
        accepted = {"order": {"items": [[{"dish": ["soup"]}, {"dish": ["bread"], "count": [2, ""]}]]}}
        self.assertTrue(self.right({"items": [{"dish": "Soup"}, {"dish": "bread"}]}, accepted, order))
        self.assertFalse(self.right({"items": [{"dish": "bread"}, {"dish": "soup"}]}, accepted, order))

    def test_parallel_calls_match_in_any_order_and_each_once(self):
        functions = {"go": function("go", ["to"], to="string")}
        expected = [{"go": {"to": ["Rome"]}}, {"go": {"to": ["Oslo"]}}]
        rome, oslo = ("go", {"to": "Rome"}), ("go", {"to": "Oslo"})
        self.assertTrue(tool_scores.calls_match([oslo, rome], expected, functions))
        self.assertFalse(tool_scores.calls_match([rome, rome], expected, functions))
        self.assertFalse(tool_scores.calls_match([rome], expected, functions))
        self.assertFalse(tool_scores.calls_match([rome, oslo, rome], expected, functions))


class Text(unittest.TestCase):
    def test_what_was_meant_as_a_call_is_seen(self):
        for text in ('<tool_call>\n{"name"', '```json\n{"name": "area", "arguments": {"base": 1}}\n```',
                     '{{"name": "greeting", "arguments": {}}}', 'So: {"arguments": {"a": {}}, "name": "f"}',
                     '{"name": "area", "parameters": {"base": 1', 'area(base=1)', '```python\nprint(area(10))\n```',
                     '[{"type": "function", "function": {"name": "f", "arguments": {}}}]'):
            self.assertTrue(tool_scores.call_shaped(text, ["area"]), text)

    def test_prose_and_data_are_no_calls(self):
        for text in ("The area is 25.", '{"name": "John Doe", "age": 30}', "I could use area (the tool).",
                     "def f(x):\n    return {'a': x}", '{"arguments": {}}', "{{{{"):
            self.assertFalse(tool_scores.call_shaped(text, ["area"]), text)

    def test_prose_is_not_empty_and_not_bare_json(self):
        self.assertTrue(tool_scores.is_prose("It is 42.", []))
        self.assertTrue(tool_scores.is_prose("42", []))
        for text in ("", " \n", '{"answer": 42}', '```json\n{"answer": 42}\n```', "[1, 2]"):
            self.assertFalse(tool_scores.is_prose(text, []), text)

    def test_the_value_may_be_written_with_separators_and_more_decimals(self):
        self.assertTrue(tool_scores.contains("That is 44,741,542.", ["44741542"]))
        self.assertTrue(tool_scores.contains("in rotterdam", ["Rotterdam"]))
        self.assertTrue(tool_scores.contains("about 84.43", ["84.4"]))
        self.assertTrue(tool_scores.contains("-7.4 degrees", ["7.4"]))
        for text in ("670 km/h", "167", ""):
            self.assertFalse(tool_scores.contains(text, ["67"]), text)


class Scores(unittest.TestCase):
    def test_one_call(self):
        one = item("one", [AREA], [ACCEPTED])
        good = message(("area", {"base": 10, "height": 5}))
        self.assertEqual(tool_scores.score(one, [good]), {"format": True, "name": True, "arguments": True})
        wrong = message(("area", {"base": 1}), text="")
        self.assertEqual(tool_scores.score(one, [wrong]), {"format": True, "name": True, "arguments": False})
        as_text = message(text='{"name": "area", "arguments": {"base": 10, "height": 5}}')
        self.assertEqual(tool_scores.score(one, [as_text]), {"format": False, "name": False, "arguments": False})
        both = good | {"content": as_text["content"]}
        self.assertFalse(tool_scores.score(one, [both])["format"], "a call, and the same call shown as text")
        self.assertFalse(tool_scores.score(one, [])["format"])

    def test_arguments_that_are_no_object_are_malformed(self):
        broken = message(("area", {}))
        for text in ("{", "[1]", '"x"', None):
            broken["tool_calls"][0]["function"]["arguments"] = text
            score = tool_scores.score(item("one", [AREA], [ACCEPTED]), [broken])
            self.assertEqual(score, {"format": False, "name": True, "arguments": False})

    def test_names_with_dots_are_found_under_the_name_that_was_sent(self):
        dotted = function("math.area", ["base"], base="integer")
        one = item("one", [dotted], [{"math_area": {"base": [10]}}])
        self.assertEqual(one.names(), ["math_area"])
        self.assertTrue(tool_scores.score(one, [message(("math_area", {"base": 10}))])["arguments"])
        self.assertFalse(tool_scores.score(one, [message(("math.area", {"base": 10}))])["name"])

    def test_two_calls_in_one_round_or_in_two(self):
        go = function("go", ["to"], to="string")
        two = item("two", [go], [{"go": {"to": ["Rome"]}}, {"go": {"to": ["Oslo"]}}])
        rome, oslo = ("go", {"to": "Rome"}), ("go", {"to": "Oslo"})
        self.assertTrue(tool_scores.score(two, [message(oslo, rome)])["two"])
        self.assertTrue(tool_scores.score(two, [message(rome), message(oslo)])["two"])
        self.assertFalse(tool_scores.score(two, [message(rome), message(text="Done.")])["two"])
        self.assertTrue(tool_scores.score(two, [message(rome), message(text="Done.")])["format"])

    def test_restraint_needs_an_answer(self):
        none = item("none", [AREA])
        self.assertTrue(tool_scores.score(none, [message(text="Paris.")])["restraint"])
        for answer in (message(text=""), message(("area", {"base": 1}), text="Paris."), message(text="<tool_call>")):
            self.assertFalse(tool_scores.score(none, [answer])["restraint"])

    def test_a_value_counts_only_in_prose(self):
        result = item("result", [AREA], value=["67"])
        self.assertEqual(tool_scores.score(result, [message(text="It is 67.")]), {"prose": True, "value": True})
        self.assertEqual(tool_scores.score(result, [message(text="Windy.")]), {"prose": True, "value": False})
        again = message(("area", {"base": 1}), text="It is 67.")
        self.assertEqual(tool_scores.score(result, [again]), {"prose": False, "value": False})


class Mapping(unittest.TestCase):
    def test_types_become_json_schema_at_every_depth(self):
        given = {"type": "dict", "required": ["a"], "properties": {
            "a": {"type": "float", "optional": True}, "t": {"type": "tuple", "items": {"type": "float"}},
            "o": {"type": "dict", "properties": {"type": {"type": "any"}}},
            "l": {"type": "array", "items": {"type": "dict"}}}}
        self.assertEqual(tool_items.json_schema(given), {"type": "object", "required": ["a"], "properties": {
            "a": {"type": "number"}, "t": {"type": "array", "items": {"type": "number"}},
            "o": {"type": "object", "properties": {"type": {"type": "string"}}},
            "l": {"type": "array", "items": {"type": "object"}}}})

    def test_the_set_has_60_items_with_ids_of_their_own(self):
        specs = json.loads((tool_items.HERE / "tool_items.json").read_text())["items"]
        self.assertEqual(len({spec["id"] for spec in specs}), len(specs))
        counts = {kind: sum(spec["kind"] == kind for spec in specs) for kind in tool_items.KINDS}
        self.assertEqual(counts, {"one": 20, "none": 20, "two": 10, "result": 10})

    def test_results_hold_their_values(self):
        for result in tool_items.load(["result"]):
            self.assertTrue(tool_scores.contains(result.messages[-1]["content"], result.value), result.id)
            self.assertFalse(tool_scores.contains(result.messages[0]["content"], result.value), result.id)
            self.assertEqual(result.messages[1]["tool_calls"][0]["id"], result.messages[2]["tool_call_id"])
            self.assertIn(result.messages[1]["tool_calls"][0]["function"]["name"], result.names())


class Scripted(http.server.ThreadingHTTPServer):
    """Answers one message after the other (an int is a status) and keeps the requests."""

    def __init__(self, *answers):
        super().__init__(("127.0.0.1", 0), ScriptedHandler)
        self.answers, self.requests = list(answers), []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class ScriptedHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        answer = self.server.answers.pop(0)
        if isinstance(answer, int):
            return self.send_error(answer)
        extra = answer.pop("extra", {})
        body = json.dumps({"choices": [{"message": answer, "finish_reason": "stop"}],
                           "usage": {"prompt_tokens": 7, "completion_tokens": 3}} | extra).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Asking(unittest.TestCase):
    def ask(self, asked, mode, *answers):
        server = Scripted(*answers)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        entry = tool_calls.Endpoint(server.url, mode, "m", 10).run(asked)
        return entry, server.requests

    def two(self):
        go = function("go", ["to"], to="string")
        return item("two", [go], [{"go": {"to": ["Rome"]}}, {"go": {"to": ["Oslo"]}}])

    def test_a_lone_first_call_is_given_a_result_and_asked_on(self):
        rome, oslo = message(("go", {"to": "Rome"})), message(("go", {"to": "Oslo"}))
        entry, requests = self.ask(self.two(), "peer", rome, oslo)
        self.assertTrue(tool_table.scores_of(self.two(), entry)["two"])
        self.assertEqual([m["role"] for m in requests[1]["messages"]], ["user", "assistant", "tool"])
        self.assertEqual(requests[1]["messages"][2]["tool_call_id"], "c0")
        self.assertNotIn("parley", requests[0])
        self.assertNotIn("tool_choice", requests[0])
        self.assertEqual((requests[0]["temperature"], requests[0]["max_tokens"]), (0, 256))

    def test_no_second_round_after_both_calls_or_none(self):
        for answer in (message(("go", {"to": "Rome"}), ("go", {"to": "Oslo"})), message(text="No.")):
            self.assertEqual(len(self.ask(self.two(), "peer", answer)[1]), 1)

    def test_modes_of_parley_go_into_the_request(self):
        _, requests = self.ask(self.two(), "constrained", message(text="No."))
        self.assertEqual(requests[0]["parley"], {"tool_mode": "constrained"})
        self.assertEqual(requests[0]["tool_choice"], "required")
        _, requests = self.ask(item("none", [AREA]), "constrained", message(text="No."))
        self.assertNotIn("tool_choice", requests[0])
        _, requests = self.ask(self.two(), "raw", message(text="No."))
        self.assertEqual(requests[0]["parley"], {"tool_mode": "raw"})
        self.assertNotIn("tool_choice", requests[0])

    def test_a_failed_request_is_an_error_and_nothing_is_right(self):
        entry, _ = self.ask(self.two(), "peer", message(("go", {"to": "Rome"})), 500)
        self.assertEqual(tool_table.scores_of(self.two(), entry), {"format": False, "two": False})
        row, = tool_table.rows([self.two()], [entry])
        self.assertEqual((row.totals["errors"], row.totals["prompt_tokens"]), (1, 7))

    def test_what_woke_is_counted_and_a_sleeping_constraint_is_noticed(self):
        asked = item("one", [AREA], [ACCEPTED])
        woke, asleep = {"constraint_woke": 2, "router": "area"}, {"constraint_woke": 0}
        for report, slept in ((woke, False), (asleep, True), ({}, True)):
            entry, _ = self.ask(asked, "constrained", message(("area", {"base": 10})) | {"extra": {"parley": report}})
            row, = tool_table.rows([asked], [entry])
            self.assertEqual(row.constraint_slept(), slept, report)
        self.assertIn("1/1", tool_table.table([row]))

    def test_a_run_goes_on_where_its_file_ends(self):
        first, second = item("none", name="a"), item("none", name="b")
        server = Scripted(500, message(text="One."), message(text="Two."))
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        with tempfile.TemporaryDirectory() as folder:
            for items in ([first], [first], [first, second]):  # the request that failed is made again
                record = tool_calls.Record(f"{folder}/answers.json")
                with contextlib.redirect_stderr(io.StringIO()):
                    tool_calls.run(tool_calls.Endpoint(server.url, "peer", "m", 10), items, record)
            entries = tool_calls.Record(f"{folder}/answers.json").entries
        self.assertEqual([entry["id"] for entry in entries], ["a", "b"])
        self.assertEqual(tool_table.rows([first, second], entries)[0].right["restraint"], 2)


if __name__ == "__main__":
    unittest.main()
