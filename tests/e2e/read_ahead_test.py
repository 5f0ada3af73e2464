"""Tools that are switched on are read before anybody asks: the first question finds them in the cache."""
import json
import pathlib
import re
import tempfile
import time
import unittest
import uuid

from parley import Server, model_file, need_model, run
from web_socket import WebSocket, command

TOPICS = ("weather", "mail", "calendar", "stocks", "trains", "news", "music", "recipes")


def tool(topic):
    """One that would ask before it runs; nobody calls it here."""
    return {"description": f"Looks up {topic} in a register that somebody keeps, and gives what stands there of it in a few lines.",
            "http": {"method": "GET", "url": f"http://127.0.0.1:9/{topic}"}}


@need_model
class ReadAhead(unittest.TestCase):
    """The small model, with a template that speaks of tools: a router goes before such a model."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parley-e2e-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        words = model_file().read_bytes()
        cls.model = cls.folder / "tools.gguf"
        cls.model.write_bytes(words.replace(b"trained by Hugging Face", b"here to call the tools."))

    def setUp(self):
        self.file = self.folder / f"{uuid.uuid4()}.json"
        self.write(TOPICS)
        self.server = Server("--context", "2048", "--tools", self.file, model=self.model, wait=False)
        self.addCleanup(self.server.close)
        self.socket = WebSocket(self.server.url)
        self.addCleanup(self.socket.close)
        self.chat = str(uuid.uuid4())
        self.acknowledged("create", title="Tools")

    def write(self, topics):
        self.file.write_text(json.dumps({"tools": {topic: tool(topic) for topic in topics}}))

    def acknowledged(self, kind, **fields):
        answer = self.socket.ask(command(kind, conversation=self.chat, **fields))
        self.assertEqual(answer["type"], "ack", answer)

    def tokens_read(self):
        page = self.server.get("/metrics")[2].decode()
        found = re.search(r"^parley_read_ahead_tokens_total\S* (\d+)$", page, re.M)
        return int(found[1]) if found else 0

    def tokens_read_in_the_end(self, at_least):
        """Once no more come."""
        end, before = time.time() + 60, -1
        while time.time() < end:
            now = self.tokens_read()
            if now >= at_least and now == before:
                return now
            before = now
            time.sleep(0.5)
        self.fail(f"read {before} tokens, at least {at_least} were to come")

    def cost_as_checked(self):
        """What parley tools check tells of the file and this model."""
        status, out, err = run("tools", "check", self.file, "--data", self.server.data, "--model", self.model, "--json")
        self.assertEqual(status, 0, err)
        told, = json.loads(out)["models"]
        self.assertEqual((told["model"], told["profile"]), ("tools", "weak"))
        return told

    def usage_of_a_question(self):
        self.acknowledged("send", text="What is the capital of France?")
        while True:
            message = self.socket.wait_for("message_changed")["message"]
            if message["usage"]:
                return message["usage"]

    def test_the_first_question_finds_them(self):
        self.acknowledged("settings", tools=list(TOPICS), max_tokens=5)
        self.acknowledged("open")  # perhaps before the model is there
        self.server.wait_ready()
        read = self.tokens_read_in_the_end(at_least=200)
        told = self.cost_as_checked()
        blocks = told["tokens"] // 16 * 16  # the whole KV blocks of it
        # Begun anew when the tools' tokens have been counted, what is not a whole block yet is read again.
        self.assertTrue(blocks <= read < blocks + 32, f"{read} tokens, where {blocks} are whole blocks")
        self.assertGreater(told["seconds"], 0)
        usage = self.usage_of_a_question()
        self.assertGreaterEqual(usage["cached_tokens"], blocks)
        self.assertLess(usage["prompt_tokens"] - usage["cached_tokens"], read)

    def test_another_selection_and_a_changed_file_are_read(self):
        self.server.wait_ready()
        self.acknowledged("open")
        time.sleep(1)
        self.assertEqual(self.tokens_read(), 0)  # nothing is switched on
        self.acknowledged("settings", tools=["weather", "later"], max_tokens=5)
        one = self.tokens_read_in_the_end(at_least=100)
        self.write([*TOPICS, "later"])
        both = self.tokens_read_in_the_end(at_least=one + 16)
        self.acknowledged("settings", tools=["weather"])
        time.sleep(1)
        self.assertEqual(self.tokens_read(), both)  # what was read is kept
        self.assertGreaterEqual(self.usage_of_a_question()["cached_tokens"], one)


if __name__ == "__main__":
    unittest.main()
