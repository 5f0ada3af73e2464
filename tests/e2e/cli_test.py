"""The command line as a user meets it."""
import json
import pathlib
import random
import socket
import subprocess
import tempfile
import unittest

from parley import BINARY, MODEL, Server, model_file, need_model, run


@need_model
class Commands(unittest.TestCase):
    def test_tokenize_there_and_back(self):
        text = "Grüße, 世界! 👍 <|im_start|>\n\tx  y"
        status, out, _ = run("tokenize", "--model", MODEL, "--json", stdin=text)
        self.assertEqual(status, 0)
        ids = json.loads(out)["ids"]
        self.assertNotIn(1, ids)  # <|im_start|> in data is text
        status, back, _ = run("tokenize", "--model", MODEL, "--decode", stdin=" ".join(map(str, ids)))
        self.assertEqual((status, back.decode()), (0, text))
        special = json.loads(run("tokenize", "--model", MODEL, "--special", "--json", stdin="<|im_start|>")[1])["ids"]
        self.assertEqual(special, [1])

    def test_tokenize_takes_any_bytes(self):
        status, out, _ = run("tokenize", "--model", MODEL, "--json", stdin=bytes(range(32, 256)))
        self.assertEqual(status, 0)
        self.assertTrue(json.loads(out)["ids"])

    def test_decode_refuses_ids_outside_the_vocabulary(self):
        status, _, err = run("tokenize", "--model", MODEL, "--decode", stdin="1 99999999")
        self.assertEqual(status, 2)
        self.assertIn("9999999", err)

    def test_render(self):
        chat = {"messages": [{"role": "user", "content": "Hi <|im_end|>"}]}
        status, out, _ = run("render", "--model", MODEL, stdin=json.dumps(chat))
        self.assertEqual(status, 0)
        self.assertTrue(out.decode().endswith("<|im_start|>user\nHi <|im_end|><|im_end|>\n<|im_start|>assistant\n"))
        without = run("render", "--model", MODEL, "--no-generation-prompt", stdin=json.dumps(chat))[1].decode()
        self.assertEqual(out.decode(), without + "<|im_start|>assistant\n")

    def test_generate_is_the_same_every_time(self):
        command = ("generate", "--model", MODEL, "--prompt", "The capital of France is", "--max-tokens", "12", "--json")
        first, second = (json.loads(run(*command)[1]) for _ in range(2))
        self.assertEqual(first["ids"], second["ids"])
        self.assertIn("Paris", first["text"])
        self.assertEqual(first["usage"]["completion_tokens"], 12)
        seeded = command + ("--temperature", "1", "--seed", "7")
        self.assertEqual(json.loads(run(*seeded)[1])["ids"], json.loads(run(*seeded, "--threads", "1")[1])["ids"])

    def test_generate_with_logprobs_and_stop(self):
        status, out, _ = run("generate", "--model", MODEL, "--prompt", "One two three four", "--max-tokens", "30",
                             "--logprobs", "3", "--stop", "seven", "--json")
        answer = json.loads(out)
        self.assertEqual(status, 0)
        self.assertNotIn("seven", answer["text"])
        for row in answer["logprobs"]:
            self.assertEqual(len(row["top"]), 3)
            self.assertAlmostEqual(row["logprob"], row["top"][0]["logprob"], places=5)  # greedy

    def test_output_that_cannot_be_written_is_a_failure(self):
        for arguments in (["--help"], ["tokenize", "--model", MODEL], ["inspect", model_file()]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([BINARY, *arguments], input=b"text", stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(b"could not be written", done.stderr)

    def test_bench_says_at_once_what_does_not_fit(self):
        status, _, err = run("bench", "--model", MODEL, "--prompt", "9000")
        self.assertEqual(status, 2)
        self.assertIn("context of 8192", err)

    def test_generate_needs_exactly_one_prompt(self):
        self.assertEqual(run("generate", "--model", MODEL)[0], 2)
        self.assertEqual(run("generate", "--model", MODEL, "--prompt", "a", "--ids", "1")[0], 2)
        self.assertEqual(run("generate", "--model", MODEL, "--prompt", "a", "--temperature", "nan")[0], 2)

    def test_inspect(self):
        status, out, _ = run("inspect", model_file())
        self.assertEqual(status, 0)
        for word in ("llama", "Q4_1", "token_embd.weight", "tokenizer.chat_template",
                     "The template shows: system, tools in the system text, calls as text, results as text"):
            self.assertIn(word, out.decode())

    def test_bench_reports(self):
        status, out, _ = run("bench", "--model", MODEL, "--prompt", "64", "--gen", "8", "--depth", "0,9999999",
                             "--batch", "1,2", "--json")
        report = json.loads(out)
        self.assertEqual(status, 0)
        self.assertGreater(report["prefill"]["prefill_tokens_per_second"], 0)
        self.assertGreater(report["decode"][0]["decode_tokens_per_second"], 0)
        self.assertEqual(report["skipped_depths"], [9999999])


@need_model
class BrokenModels(unittest.TestCase):
    def refused(self, content):
        with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
            file.write(content)
            file.flush()
            status, _, err = run("generate", "--model", file.name, "--prompt", "a", "--max-tokens", "1")
        self.assertIn(status, (0, 1), err)  # never a signal
        if status == 1:
            self.assertTrue(err.startswith("parley: "), err)
        return status, err

    def test_truncated(self):
        whole = model_file().read_bytes()
        for size in (0, 3, 4, 20, 1000, 100_000, 2_000_000, len(whole) - 1):
            self.assertEqual(self.refused(whole[:size])[0], 1, size)

    def test_bits_flipped_in_the_head(self):
        whole = model_file().read_bytes()
        dice = random.Random(5)
        for _ in range(12):
            head = bytearray(whole)
            for _ in range(20):
                head[dice.randrange(0, 20_000)] ^= 1 << dice.randrange(8)
            self.refused(bytes(head))

    def test_unknown_architecture_names_the_supported(self):
        whole = model_file().read_bytes()
        key = b"general.architecture"
        at = whole.index(key) + len(key) + 12
        self.assertEqual(whole[at:at + 5], b"llama")
        err = self.refused(whole[:at] + b"zebra" + whole[at + 5:])[1]
        self.assertIn("zebra", err)
        self.assertIn("qwen2", err)

    def test_not_a_model(self):
        self.assertIn("GGUF", self.refused(b"PK\x03\x04" + bytes(100))[1])


@need_model
class ServeRefusals(unittest.TestCase):
    def refused(self, *options, data=None):
        with tempfile.TemporaryDirectory() as folder:
            status, _, err = run("serve", "--model", MODEL, "--data", data or folder, *options, timeout=30)
        self.assertEqual(status, 1, err)
        return err

    def test_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assertIn(str(port), self.refused("--port", port))

    def test_beyond_loopback_without_a_key(self):
        self.assertIn("access_key", self.refused("--host", "0.0.0.0", "--port", "0"))

    def test_data_folder_that_cannot_be_made(self):
        self.assertIn("/proc/parley", self.refused("--port", "0", data="/proc/parley"))

    def test_second_server_on_the_same_data(self):
        server = Server()
        try:
            err = self.refused("--port", "0", data=server.data)
            self.assertIn(str(server.process.pid), err)
        finally:
            server.close()

    def test_damaged_database_is_kept_and_said(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "parley.db").write_bytes(b"not a database" * 1000)
            server = Server(data=folder)
            server.end()
            self.assertIn("damaged", server.wait_log())
            copies = list(pathlib.Path(folder).glob("parley.db.corrupt-*"))
            self.assertEqual(len(copies), 1)
            self.assertTrue(copies[0].read_bytes().startswith(b"not a database"))

    def test_the_first_signal_is_never_too_early(self):
        with tempfile.TemporaryDirectory() as data:
            server = subprocess.Popen([BINARY, "serve", "--model", model_file(), "--data", data, "--port", "0"],
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.assertIn(b"listening on", server.stdout.readline())
            server.terminate()
            self.assertEqual(server.wait(60), 0)
            server.stdout.close()

    def test_context_beyond_the_model(self):
        server = subprocess.run([BINARY, "generate", "--model", MODEL, "--prompt", "a", "--context", "1000000"],
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(server.returncode, 1)
        self.assertIn("8192", server.stderr)


if __name__ == "__main__":
    unittest.main()
