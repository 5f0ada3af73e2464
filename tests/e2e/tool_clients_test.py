"""Tools of programs: the unmodified openai client with its helpers, and an agent framework."""
import asyncio
import json
import unittest

import openai
import pydantic
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from parley import EchoServer, Server, need_echo, need_model


class Add(pydantic.BaseModel):
    """Adds two whole numbers."""
    a: int
    b: int


class Now(pydantic.BaseModel):
    """Tells the time."""


ADD, NOW = openai.pydantic_function_tool(Add, name="add"), openai.pydantic_function_tool(Now, name="now")
CALL = '!call add {"a": 2, "b": 40}'
BOTH = CALL + "\n!call now"


class Client(unittest.TestCase):
    server, model, new_server = None, None, None

    @classmethod
    def setUpClass(cls):
        cls.server = cls.new_server()
        cls.openai = openai.OpenAI(base_url=cls.server.url + "/v1", api_key="none", max_retries=0)

    @classmethod
    def tearDownClass(cls):
        cls.openai.close()
        cls.server.close()

    def options(self, messages, **options):
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        return {"model": self.model, "messages": messages, "tools": [ADD, NOW], **options}

    def ask(self, messages, **options):
        return self.openai.chat.completions.create(**self.options(messages, **options))

    def refused(self, messages, **options):
        with self.assertRaises(openai.BadRequestError) as caught:
            self.ask(messages, **options)
        self.assertIn(f"`{caught.exception.param}`", str(caught.exception))
        return caught.exception.param


@need_echo
class Calls(Client):
    """The shapes, with a model that calls what it is told to call."""
    model, new_server = "echo", EchoServer

    def test_a_call_is_handed_back_and_its_result_taken(self):
        messages = [{"role": "user", "content": CALL}]
        choice = self.ask(messages).choices[0]
        self.assertEqual(choice.finish_reason, "tool_calls")
        self.assertIsNone(choice.message.content)
        call = choice.message.tool_calls[0]
        self.assertEqual((call.type, call.function.name), ("function", "add"))
        self.assertEqual(json.loads(call.function.arguments), {"a": 2, "b": 40})
        messages += [choice.message, {"role": "tool", "tool_call_id": call.id, "content": "The sum is 42."}]
        answer = self.ask(messages).choices[0]
        self.assertEqual((answer.message.content, answer.finish_reason), ("The sum is 42.", "stop"))
        self.assertIsNone(answer.message.tool_calls)

    def test_the_chunks_of_a_stream(self):
        chunks = list(self.ask(BOTH, stream=True, stream_options={"include_usage": True}))
        deltas = [choice.delta for chunk in chunks for choice in chunk.choices]
        self.assertEqual((deltas[0].role, deltas[0].content), ("assistant", None))
        first = {0: None, 1: None}
        text = {0: "", 1: ""}
        for call in (call for delta in deltas for call in delta.tool_calls or []):
            if first[call.index] is None:
                first[call.index] = call
                self.assertEqual((call.type, call.function.arguments), ("function", ""))
            else:
                self.assertEqual((call.id, call.type, call.function.name), (None, None, None))
            text[call.index] += call.function.arguments
        self.assertEqual([first[i].function.name for i in first], ["add", "now"])
        self.assertEqual(text, {0: '{"a": 2, "b": 40}', 1: "{}"})
        self.assertEqual(len({first[i].id for i in first}), 2)
        reasons = [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason]
        self.assertEqual(reasons, ["tool_calls"])
        self.assertEqual([chunk.usage is not None for chunk in chunks], [False] * (len(chunks) - 1) + [True])

    def test_the_stream_helper(self):
        with self.openai.chat.completions.stream(**self.options("!say Let me see.\n" + BOTH)) as stream:
            events = list(stream)
            final = stream.get_final_completion()
        pieces = [e.arguments_delta for e in events if e.type == "tool_calls.function.arguments.delta" and e.index == 0]
        self.assertEqual("".join(pieces), '{"a": 2, "b": 40}')
        done = [e for e in events if e.type == "tool_calls.function.arguments.done"]
        self.assertEqual([e.name for e in done], ["add", "now"])
        self.assertEqual(done[0].parsed_arguments, Add(a=2, b=40))
        message = final.choices[0].message
        self.assertEqual(message.content, "Let me see.")
        self.assertEqual([c.function.parsed_arguments for c in message.tool_calls], [Add(a=2, b=40), Now()])

    def test_the_stream_helper_gives_no_content_where_there_is_none(self):
        with self.openai.chat.completions.stream(**self.options(CALL)) as stream:
            self.assertIsNone(stream.get_final_completion().choices[0].message.content)

    def test_the_parse_helper(self):
        message = self.openai.chat.completions.parse(**self.options(BOTH)).choices[0].message
        self.assertEqual([c.function.parsed_arguments for c in message.tool_calls], [Add(a=2, b=40), Now()])

    def test_reasoning_comes_and_is_taken_back(self):
        message = self.ask("!think Sums need a tool.\n" + CALL).choices[0].message
        self.assertEqual(message.reasoning_content, "Sums need a tool.")
        messages = [{"role": "user", "content": "x"}, message.model_dump(exclude_none=True),
                    {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "42"}]
        self.assertEqual(self.ask(messages).choices[0].message.content, "42")
        deltas = [c.choices[0].delta for c in self.ask("!think Hm.\n" + CALL, stream=True)]
        self.assertEqual("".join(getattr(d, "reasoning_content", None) or "" for d in deltas), "Hm.")

    def test_who_chooses(self):
        def called(text, **options):
            return [c.function.name for c in self.ask(text, **options).choices[0].message.tool_calls or []]

        named = {"type": "function", "function": {"name": "now"}}
        allowed = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [named]}}
        self.assertEqual(called("hello"), [])
        self.assertEqual(called(CALL, tool_choice="none"), [])
        self.assertEqual(called("hello", tool_choice="required"), ["add"])
        self.assertEqual(called("hello", tool_choice=named), ["now"])
        self.assertEqual(called("hello", tool_choice=allowed), ["now"])
        self.assertEqual(called(BOTH, parallel_tool_calls=False), ["add"])

    def test_what_is_wrong_is_named(self):
        call = {"id": "c", "type": "function", "function": {"name": "add", "arguments": "{broken"}}
        history = [{"role": "user", "content": "x"}, {"role": "assistant", "content": None, "tool_calls": [call]}]
        result = {"role": "tool", "tool_call_id": "c", "content": "failed"}
        self.assertEqual(self.ask(history + [result]).choices[0].message.content, "failed")
        self.assertEqual(self.refused(history + [result | {"tool_call_id": "d"}]), "messages[2].tool_call_id")
        self.assertEqual(self.refused("x", tools=[ADD, ADD]), "tools[1].function.name")
        self.assertEqual(self.refused("x", tools=[NOW] * 129), "tools")
        self.assertEqual(self.refused("x", tool_choice={"type": "function", "function": {"name": "sub"}}),
                         "tool_choice.function.name")
        self.assertEqual(self.refused("x", n=2), "n")
        self.assertEqual(self.refused("x", logprobs=True), "logprobs")
        self.assertEqual(self.refused("x", functions=[{"name": "add"}]), "functions")
        self.assertEqual(self.refused("x", extra_body={"parley": {"tools": True}}), "parley.tools")


class City(pydantic.BaseModel):
    name: str
    people: int


@need_echo
class Framework(Client):
    """pydantic-ai with its model class for chat completions."""
    model, new_server = "echo", EchoServer

    def agent(self, **options):
        provider = OpenAIProvider(base_url=self.server.url + "/v1", api_key="none")
        agent = Agent(OpenAIChatModel(self.model, provider=provider), **options)

        @agent.tool_plain
        def add(a: int, b: int) -> str:
            """Adds two whole numbers."""
            self.called.append((a, b))
            return f"The sum is {a + b}."

        return agent

    def setUp(self):
        self.called = []

    def test_a_tool_is_run_and_its_result_answered(self):
        result = self.agent().run_sync(CALL)
        self.assertEqual(result.output, "The sum is 42.")
        self.assertEqual(self.called, [(2, 40)])

    def test_two_calls_at_once(self):
        self.agent().run_sync(CALL + '\n!call add {"a": 1, "b": 1}')
        self.assertEqual(sorted(self.called), [(1, 1), (2, 40)])

    def test_streamed(self):
        async def run():
            async with self.agent().run_stream(CALL) as result:
                return await result.get_output()

        self.assertEqual(asyncio.run(run()), "The sum is 42.")
        self.assertEqual(self.called, [(2, 40)])

    def test_bad_arguments_are_told_and_the_run_goes_on(self):
        result = self.agent().run_sync('!broken add {"a": 2, "b"')
        self.assertEqual(self.called, [])
        self.assertTrue(result.output)

    def test_an_answer_with_a_type(self):
        result = self.agent(output_type=City).run_sync('!call final_result {"name": "Oslo", "people": 700000}')
        self.assertEqual(result.output, City(name="Oslo", people=700000))


@need_model
class SmallModel(Client):
    """A real model, made to call."""
    model = "smollm2-135m"

    @staticmethod
    def new_server():
        return Server("--context", "2048")

    def test_a_call_that_is_required_fits_its_schema(self):
        for stream in (False, True):
            options = self.options("What is 2 + 40?", tools=[ADD], tool_choice="required",
                                   parallel_tool_calls=False, max_tokens=100)
            if stream:
                with self.openai.chat.completions.stream(**options) as events:
                    choice = events.get_final_completion().choices[0]
            else:
                choice = self.openai.chat.completions.parse(**options).choices[0]
            self.assertEqual(choice.finish_reason, "tool_calls")
            self.assertIsInstance(choice.message.tool_calls[0].function.parsed_arguments, Add)

    def test_the_named_tool_is_called(self):
        choice = self.ask("Hello", tool_choice={"type": "function", "function": {"name": "now"}}, max_tokens=60).choices[0]
        self.assertEqual([c.function.name for c in choice.message.tool_calls], ["now"])
        self.assertEqual(json.loads(choice.message.tool_calls[0].function.arguments), {})

    def test_no_tool_is_called_where_none_may_be(self):
        choice = self.ask("What is 2 + 40?", tool_choice="none", max_tokens=30).choices[0]
        self.assertIsNone(choice.message.tool_calls)
        self.assertIn(choice.finish_reason, ("stop", "length"))

    def test_each_mode_tells_what_was_done(self):
        for mode in ("raw", "lenient", "routed", "constrained"):
            answer = self.ask("What is 2 + 40?", max_tokens=40, temperature=0, extra_body={"parley": {"tool_mode": mode}})
            self.assertIsInstance(answer.parley["constraint_woke"], int)
            self.assertIn(answer.parley.get("router"), ("add", "now", "none") if mode == "routed" else (None,))
            if mode == "raw":
                self.assertEqual(answer.parley["constraint_woke"], 0)

    def test_a_result_is_answered(self):
        question = {"role": "user", "content": "What is 2 + 40?"}
        call = {"id": "call_0", "type": "function", "function": {"name": "add", "arguments": '{"a": 2, "b": 40}'}}
        messages = [question, {"role": "assistant", "content": None, "tool_calls": [call]},
                    {"role": "tool", "tool_call_id": "call_0", "content": "42"}]
        choice = self.ask(messages, tool_choice="none", max_tokens=40).choices[0]
        self.assertTrue(choice.message.content)


if __name__ == "__main__":
    unittest.main()
