"""Tools of the server that requests of programs opt in to: they run here, within the answer."""
import http.server
import json
import pathlib
import tempfile
import threading
import time
import unittest

import openai

from parley import EchoServer, Server, need_echo, need_model
from tool_clients_test import CALL, Client


def repeating(text):
    """A call of the server's tool that gives this text back."""
    return "!call repeat " + json.dumps({"say": text})


class ServersToolsClient(Client):
    """Requests that opt in to the server's tools beside their own; the server's log of calls."""
    log = None

    def setUp(self):
        self.before = len(self.lines())

    def ask(self, messages, servers=True, **options):
        return super().ask(messages, extra_body={"parley": {"tools": servers}}, **options)

    def lines(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def logged(self, number):
        """How so many calls of this test ended; they are written behind the answers."""
        end = time.time() + 10
        while len(self.lines()) < self.before + number and time.time() < end:
            time.sleep(0.05)
        records = [json.loads(line) for line in self.lines()[self.before:]]
        return [(record["tool"], record["decision"], record["end"]) for record in records]


@need_echo
class ServersTools(ServersToolsClient):
    """Tools that run in the server, with a model that calls what it is told to call."""
    model = "echo"

    @classmethod
    def new_server(cls):
        folder = tempfile.TemporaryDirectory(prefix="parley-e2e-")
        cls.addClassCleanup(folder.cleanup)
        cls.log = pathlib.Path(folder.name) / "tools.log"
        return EchoServer("--tools", str(cls.log))

    def test_a_call_is_run_and_its_result_answered(self):
        answer = self.ask("!say I ask.\n" + repeating("It is noon."))
        choice = answer.choices[0]
        self.assertEqual((choice.message.content, choice.finish_reason), ("I ask.\n\nIt is noon.", "stop"))
        self.assertIsNone(choice.message.tool_calls)
        call, = choice.message.parley["calls"]
        self.assertEqual((call["name"], call["state"], call["result"]), ("repeat", "done", "It is noon."))
        self.assertEqual(answer.usage.prompt_tokens, 18)
        self.assertEqual(self.logged(1), [("repeat", "auto", "ok")])

    def test_rounds_follow_each_other(self):
        message = self.ask(repeating(repeating("Done."))).choices[0].message
        self.assertEqual(message.content, "Done.")
        self.assertEqual([c["result"] for c in message.parley["calls"]], [repeating("Done."), "Done."])

    def test_a_stream_tells_at_its_end_what_was_run(self):
        chunks = list(self.ask(repeating("It is noon."), stream=True, stream_options={"include_usage": True}))
        deltas = [choice.delta for chunk in chunks for choice in chunk.choices]
        self.assertEqual("".join(delta.content or "" for delta in deltas), "It is noon.")
        self.assertEqual([call["result"] for call in deltas[-1].parley["calls"]], ["It is noon."])
        self.assertFalse([delta for delta in deltas if delta.tool_calls])
        self.assertEqual(chunks[-1].usage.prompt_tokens, 18)

    def test_the_clients_calls_are_handed_back(self):
        question = {"role": "user", "content": repeating(CALL)}
        choice = self.ask([question]).choices[0]
        self.assertEqual(choice.finish_reason, "tool_calls")
        call, = choice.message.tool_calls
        self.assertEqual(call.function.name, "add")
        self.assertEqual([c["name"] for c in choice.message.parley["calls"]], ["repeat"])
        result = {"role": "tool", "tool_call_id": call.id, "content": "42"}
        history = [question, choice.message.model_dump(exclude_none=True), result]
        self.assertEqual(self.ask(history).choices[0].message.content, "42")

    def test_a_tool_that_asks_is_not_run(self):
        message = self.ask('!call shell {"line": "ls"}', servers=["shell"]).choices[0].message
        self.assertIn("nobody can be asked", message.content)
        self.assertEqual([c["state"] for c in message.parley["calls"]], ["denied"])
        self.assertEqual(self.logged(1), [("shell", "denied", "denied")])

    def test_a_client_that_goes_ends_the_tool(self):
        waiting = '!call wait {"why": "a test"}'
        with self.assertRaises(openai.APITimeoutError):
            self.ask(waiting, timeout=0.5)
        self.assertEqual(self.logged(1), [("wait", "auto", "cancelled")])
        stream = self.ask(waiting, stream=True)
        time.sleep(0.3)
        stream.close()
        self.assertEqual(self.logged(2), [("wait", "auto", "cancelled")] * 2)

    def test_what_is_wrong_is_named(self):
        self.assertEqual(self.refused("x", servers=["nothing"]), "parley.tools")
        self.assertEqual(self.refused("x", servers="all"), "parley.tools")
        self.assertEqual(self.refused("x", n=2), "n")
        self.assertEqual(self.refused("x", logprobs=True), "logprobs")


class Noon(http.server.BaseHTTPRequestHandler):
    """What a tool of the server's file asks."""

    def do_GET(self):
        body = b"It is noon."
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@need_model
class SmallModelWithServersTools(ServersToolsClient):
    """A real model, made to call a tool of the server's file, which runs."""
    model = "smollm2-135m"

    @classmethod
    def new_server(cls):
        clock = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Noon)
        cls.addClassCleanup(clock.server_close)
        cls.addClassCleanup(clock.shutdown)
        threading.Thread(target=clock.serve_forever, daemon=True).start()
        folder = tempfile.TemporaryDirectory(prefix="parley-e2e-")
        cls.addClassCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / "tools.json"
        url = f"http://127.0.0.1:{clock.server_port}/"
        file.write_text(json.dumps({"tools": {
            "clock": {"description": "The time", "http": {"method": "GET", "url": url}, "approval": "auto"},
            "calculator": {"builtin": "calculator", "approval": "ask"}}}))
        server = Server("--context", "2048", "--tools", file)
        cls.log = pathlib.Path(server.data) / "tools.log"
        return server

    def test_the_result_is_answered(self):
        named = {"type": "function", "function": {"name": "clock"}}
        for stream in (False, True):
            options = {"tool_choice": named, "temperature": 0, "max_tokens": 100, "stream": stream}
            answer = self.ask("What time is it?", servers=["clock"], **options)
            choices = [chunk.choices[0] for chunk in answer] if stream else [answer.choices[0]]
            parts = [choice.delta if stream else choice.message for choice in choices]
            self.assertTrue("".join(part.content or "" for part in parts))
            call = parts[-1].parley["calls"][0]
            self.assertEqual((call["name"], call["state"], call["decision"]), ("clock", "done", "auto"))
            self.assertIn("It is noon.", call["result"])
        self.assertIn(("clock", "auto", "ok"), self.logged(2))

    def test_what_asks_is_not_offered(self):
        named = {"type": "function", "function": {"name": "calculator"}}
        self.assertEqual(self.refused("2 + 2?", tool_choice=named), "tool_choice.function.name")


if __name__ == "__main__":
    unittest.main()
