"""The unmodified openai client, and WebSocket clients, against the running server."""
import asyncio
import json
import resource
import shutil
import signal
import tempfile
import threading
import time
import unittest
import uuid

import openai
import websockets

from parley import Server, need_model

server = None


def setUpModule():
    global server
    server = Server("--context", "2048")


def tearDownModule():
    server.close()


def client():
    return openai.OpenAI(base_url=server.url + "/v1", api_key="none", max_retries=0)


@need_model
class Chat(unittest.TestCase):
    def ask(self, text="Name a colour.", **options):
        messages = [{"role": "user", "content": text}]
        return client().chat.completions.create(model="smollm2-135m", messages=messages, **options)

    def test_answer_with_usage(self):
        answer = self.ask(max_tokens=12, temperature=0)
        self.assertTrue(answer.choices[0].message.content)
        self.assertIn(answer.choices[0].finish_reason, ("stop", "length"))
        self.assertEqual(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens)
        self.assertGreaterEqual(value(metrics(), "vllm:time_to_first_token_seconds_count"), 1)

    def test_streamed_text_equals_the_whole(self):
        whole = self.ask(max_tokens=40, temperature=0).choices[0].message.content
        parts, usage = [], None
        for chunk in self.ask(max_tokens=40, temperature=0, stream=True, stream_options={"include_usage": True}):
            usage = chunk.usage or usage
            parts += [c.delta.content or "" for c in chunk.choices]
        self.assertEqual("".join(parts), whole)
        self.assertGreater(usage.completion_tokens, 0)

    def test_answers_in_the_form_that_was_asked_for(self):
        schema = {
            "type": "object",
            "properties": {"name": {"type": "string", "maxLength": 20}, "age": {"type": "integer", "minimum": 1, "maximum": 120}},
            "required": ["name", "age"],
            "additionalProperties": False,
        }
        wanted = {"type": "json_schema", "json_schema": {"name": "person", "schema": schema, "strict": True}}
        for seed in range(3):
            answer = self.ask("Tell me about a person.", max_tokens=120, temperature=1.0, seed=seed, response_format=wanted)
            person = json.loads(answer.choices[0].message.content)
            self.assertEqual(set(person), {"name", "age"})
            self.assertLessEqual(len(person["name"]), 20)
            self.assertIn(person["age"], range(1, 121))
        answer = self.ask(max_tokens=8, temperature=1.0, extra_body={"guided_regex": "(red|green|blue)"})
        self.assertIn(answer.choices[0].message.content, ("red", "green", "blue"))
        self.assertEqual(answer.choices[0].finish_reason, "stop")
        with self.assertRaises(openai.BadRequestError) as refused:
            self.ask(max_tokens=8, extra_body={"guided_regex": "(?=a)"})
        self.assertEqual((refused.exception.code, refused.exception.param), ("invalid_response_format", "guided_regex"))

    def test_seed_decides(self):
        options = {"max_tokens": 24, "temperature": 1.0, "seed": 11}
        first, second = (self.ask(**options).choices[0].message.content for _ in range(2))
        self.assertEqual(first, second)
        others = {self.ask(max_tokens=24, temperature=1.0, seed=s).choices[0].message.content for s in range(3)}
        self.assertGreater(len(others), 1)

    def test_stop_strings_never_show(self):
        answer = self.ask("Count: one two three", max_tokens=60, temperature=0, stop=["e", "\n"])
        self.assertNotIn("e", answer.choices[0].message.content)
        self.assertEqual(answer.choices[0].finish_reason, "stop")

    def test_logprobs(self):
        answer = self.ask(max_tokens=4, temperature=0, logprobs=True, top_logprobs=2)
        rows = answer.choices[0].logprobs.content
        self.assertEqual(len(rows), answer.usage.completion_tokens)
        self.assertEqual(len(rows[0].top_logprobs), 2)

    def test_second_call_finds_its_prefix(self):
        text = "Tell me about the sea, the wind, the ships and the harbour. " * 8
        self.ask(text, max_tokens=1)
        usage = self.ask(text, max_tokens=1).usage
        cached = usage.prompt_tokens_details.cached_tokens
        self.assertGreater(cached, usage.prompt_tokens - 17)

    def test_too_long_names_both_numbers(self):
        with self.assertRaises(openai.BadRequestError) as caught:
            self.ask("word " * 3000)
        self.assertEqual(caught.exception.code, "context_length_exceeded")
        self.assertIn("2047", str(caught.exception))  # one is kept for the answer
        self.assertIn("30", str(caught.exception))

    def test_bad_values_name_the_parameter(self):
        for options in ({"temperature": 9}, {"top_p": -1}, {"max_tokens": 0}, {"n": 2},
                        {"extra_body": {"temperature": "hot"}}, {"extra_body": {"stop": [1]}}):
            with self.assertRaises(openai.BadRequestError) as caught:
                self.ask(**options)
            name = next(iter(options.get("extra_body", options)))
            self.assertIn(name, str(caught.exception), options)

    def test_unknown_model(self):
        with self.assertRaises(openai.NotFoundError) as caught:
            client().chat.completions.create(model="gpt-4", messages=[{"role": "user", "content": "x"}])
        self.assertIn("smollm2-135m", str(caught.exception))

    def test_models(self):
        self.assertEqual([m.id for m in client().models.list()], ["smollm2-135m"])

    def test_completions_with_text_and_ids(self):
        text = client().completions.create(model="smollm2-135m", prompt="The capital of France is", max_tokens=5,
                                           temperature=0)
        self.assertIn("Paris", text.choices[0].text)
        ids = client().completions.create(model="smollm2-135m", prompt=[504, 3575, 282], max_tokens=3, temperature=0)
        self.assertEqual(ids.usage.prompt_tokens, 3)

    def test_a_client_that_leaves_frees_the_engine(self):
        stream = self.ask("Write a very long story.", max_tokens=1500, stream=True)
        next(iter(stream))
        stream.close()
        end = time.time() + 5
        while value(metrics(), "vllm:num_requests_running") > 0:
            self.assertLess(time.time(), end, "the request ran on")
            time.sleep(0.05)
        self.assertEqual(value(metrics(), "vllm:num_requests_running"), 0)

    def test_many_at_once_give_what_each_gives_alone(self):
        prompts = [f"Say the number {n} in words." for n in range(6)]
        alone = [self.ask(p, max_tokens=16, temperature=0).choices[0].message.content for p in prompts]
        together = [None] * len(prompts)

        def work(i):
            together[i] = self.ask(prompts[i], max_tokens=16, temperature=0).choices[0].message.content

        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(prompts))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(alone, together)


def metrics():
    return server.get("/metrics")[2].decode()


def value(text, name):
    line = next(line for line in text.splitlines() if line.startswith(name))
    return float(line.split()[-1])


class Socket:
    """One tab, by hand: sends commands, collects frames."""

    def __init__(self, connection):
        self.connection = connection

    async def frame(self, *types):
        while True:
            frame = json.loads(await asyncio.wait_for(self.connection.recv(), 60))
            if frame["type"] in types:
                return frame

    async def command(self, **fields):
        fields.setdefault("id", str(uuid.uuid4()))
        await self.connection.send(json.dumps(fields))
        while True:
            frame = await self.frame("ack", "error", "conversations", "messages", "models")
            if frame.get("re") == fields["id"]:
                return frame


@need_model
class WebSocket(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.connection = await websockets.connect(server.url.replace("http", "ws") + "/ws", max_size=None)
        self.socket = Socket(self.connection)
        self.hello = await self.socket.frame("hello")

    async def asyncTearDown(self):
        await self.connection.close()

    async def new_conversation(self):
        conversation = str(uuid.uuid4())
        self.assertEqual((await self.socket.command(type="create", conversation=conversation, title=""))["type"], "ack")
        self.assertEqual((await self.socket.command(type="open", conversation=conversation, have=None))["type"], "ack")
        return conversation

    async def test_a_command_sent_twice_is_applied_once(self):
        conversation = await self.new_conversation()
        await self.socket.command(type="settings", conversation=conversation, max_tokens=3)
        command = {"type": "send", "id": str(uuid.uuid4()), "conversation": conversation, "text": "Hi"}
        first = await self.socket.command(**command)
        again = await self.socket.command(**command)
        self.assertEqual(first["message"], again["message"])

    async def test_a_message_that_was_too_long_does_not_stop_the_next_one(self):
        conversation = await self.new_conversation()
        await self.socket.command(type="settings", conversation=conversation, max_tokens=3)
        for text, status, left_out in (("word " * 5000, "failed", 0), ("Hi", "complete", 1)):
            ack = await self.socket.command(type="send", conversation=conversation, text=text)
            answer = {}
            while answer.get("message") != ack["message"]:
                answer = (await self.socket.frame("message_changed"))["message"]
            self.assertEqual((answer["status"], answer["left_out_turns"]), (status, left_out))

    async def test_bad_frames_are_answered_and_the_socket_lives(self):
        for text, code in (("{", "bad_frame"), ("[" * 200 + "]" * 200, "bad_frame"), ('{"type":"fly"}', "unknown_type"),
                           ('{"type":"list"}', "invalid"), ('{"type":"send","id":7}', "invalid")):
            await self.connection.send(text)
            frame = await self.socket.frame("error")
            self.assertEqual(frame["code"], code, text[:40])
        conversation = await self.new_conversation()
        for bad in ({"temperature": 1e9}, {"max_tokens": 0}, {"system_prompt": "x" * 100_000}):
            frame = await self.socket.command(type="settings", conversation=conversation, **bad)
            self.assertEqual(frame["type"], "error", bad)
        frame = await self.socket.command(type="send", conversation=conversation, text="  ")
        self.assertEqual(frame["code"], "invalid")
        frame = await self.socket.command(type="open", conversation=str(uuid.uuid4()), have=None)
        self.assertEqual(frame["code"], "not_found")

    async def test_a_message_of_five_megabytes_is_too_long_and_ten_close_the_socket_with_1009(self):
        conversation = await self.new_conversation()
        frame = await self.socket.command(type="send", conversation=conversation, text="x" * 5_000_000)
        self.assertEqual((frame["type"], frame["code"]), ("error", "too_long"))
        with self.assertRaises(websockets.ConnectionClosed) as caught:
            await self.connection.send(json.dumps({"type": "send", "id": str(uuid.uuid4()), "text": "x" * 10_000_000}))
            await self.socket.frame("never")
        self.assertEqual(caught.exception.rcvd.code, 1009)
        self.assertEqual(server.get("/health")[0], 200)

    async def test_a_page_of_another_origin_is_refused(self):
        with self.assertRaises(websockets.InvalidStatus) as caught:
            await websockets.connect(server.url.replace("http", "ws") + "/ws", origin="http://evil.example")
        self.assertEqual(caught.exception.response.status_code, 403)

@need_model
class Stopping(unittest.IsolatedAsyncioTestCase):
    async def read_answer(self, running, conversation):
        """The status and text of the newest message, as a new tab sees it."""
        async with websockets.connect(running.url.replace("http", "ws") + "/ws", max_size=None) as connection:
            socket = Socket(connection)
            await connection.send(json.dumps({"type": "open", "id": str(uuid.uuid4()), "conversation": conversation,
                                              "have": None}))
            message = (await socket.frame("snapshot"))["messages"][-1]
            return message["status"], message["text"]

    async def test_an_answer_in_a_chat_gets_the_drain_time_to_end(self):
        with tempfile.TemporaryDirectory() as data:
            conversation = str(uuid.uuid4())
            first = Server("--max-tokens", "300", "--temperature", "0", data=data)
            async with websockets.connect(first.url.replace("http", "ws") + "/ws") as connection:
                socket = Socket(connection)
                await socket.command(type="create", conversation=conversation, title="")
                await socket.command(type="open", conversation=conversation, have=None)
                await socket.command(type="send", conversation=conversation, text="Write a long poem about rivers.")
                await socket.frame("delta")
                first.process.send_signal(signal.SIGTERM)
                with self.assertRaises(websockets.ConnectionClosed) as caught:
                    while True:
                        await asyncio.wait_for(connection.recv(), 30)
                self.assertEqual(caught.exception.rcvd.code, 1001)
            self.assertEqual(await asyncio.to_thread(first.process.wait, 30), 0)
            second = Server(data=data)
            try:
                status, text = await self.read_answer(second, conversation)
                self.assertEqual(status, "complete")
                self.assertGreater(len(text), 500)
            finally:
                second.close()
            first.close()


@need_model
class Disk(unittest.IsolatedAsyncioTestCase):
    async def refused_change(self, socket, conversation):
        """Saves until it is refused; gives the error."""
        for number in range(20):
            answer = await socket.command(type="settings", conversation=conversation,
                                          system_prompt=f"{number} " * 10_000)
            if answer["type"] == "error":
                return answer["message"]
        self.fail("everything was saved")

    async def refusal(self, break_disk):
        running = Server()
        try:
            async with websockets.connect(running.url.replace("http", "ws") + "/ws") as connection:
                socket, conversation = Socket(connection), str(uuid.uuid4())
                await socket.command(type="create", conversation=conversation, title="")
                break_disk(running)
                error = await self.refused_change(socket, conversation)
            self.assertEqual(running.get("/health")[0], 200)
            return error
        finally:
            running.close()
            running.process.stderr.close()

    async def test_a_file_at_its_size_limit_is_an_error_and_not_the_end(self):
        limit = (200 << 10, 200 << 10)
        error = await self.refusal(lambda running: resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, limit))
        self.assertRegex(error, r"could not be written|writing .* failed")

    async def test_nothing_is_acknowledged_once_the_data_folder_is_gone(self):
        error = await self.refusal(lambda running: shutil.rmtree(running.data))
        self.assertIn("was moved or deleted", error)


if __name__ == "__main__":
    unittest.main()
