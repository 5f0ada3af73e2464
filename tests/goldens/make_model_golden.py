#!/usr/bin/env python3
"""Write what `transformers` computes on the dequantised weights of a real model: ids of a few texts, and for each
position the 20 largest logits.

    make_model_golden.py MODEL.gguf [OUTPUT.golden]

The output defaults to a file beside the model, where real_model_test.cpp looks for it; that of SmolLM2 is committed
(tests/goldens/models/). It is a GGUF file with, for text i,

    golden.token_ids.i  int32 [positions]           fed as one sequence, position 0 first, nothing in front
    golden.top_ids.i    int32 [positions * 20]      largest logit first
    top_logits.i        f32   [positions, 20]
    rest.i              f32   [positions]           log of the sum of exp over all other logits

Needs torch, transformers, accelerate and gguf; about a minute for SmolLM2, ten and 8 GB of memory for 1.5 billion parameters.
"""
import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads beside another job cost a factor of 20

import pathlib
import sys

import gguf
import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

TOP = 20
MAX_TOKENS = 110  # of each text

TEXTS = [
    # A story.
    "The lighthouse keeper had not spoken to anyone for eleven days when the boat came. He watched it round the "
    "point, a small grey thing with a patched sail, and put the kettle on before he had decided whether he was "
    "glad.",
    # An explanation.
    "The water cycle describes how water moves between the land, the oceans and the atmosphere. When the sun heats "
    "the surface of the ocean, some of the water evaporates and becomes water vapor. As the vapor rises, it cools "
    "and condenses into tiny droplets, which form clouds. When the droplets grow heavy enough, they fall back to "
    "the ground as rain or snow. Some of this water flows into rivers and lakes, and some of it soaks into the "
    "soil, where it becomes groundwater. Plants take up part of it through their roots and release it again.",
    # Code.
    "#include <algorithm>\n#include <vector>\n\n// Returns the k largest values in descending order.\n"
    "std::vector<int> largest(std::vector<int> values, std::size_t k) {\n  k = std::min(k, values.size());\n"
    "  std::partial_sort(values.begin(), values.begin() + k, values.end(), std::greater<>());\n"
    "  values.resize(k);\n  return values;\n}\n\ndef fibonacci(n):\n    a, b = 0, 1\n    for _ in range(n):\n"
    "        yield a\n        a, b = b, a + b\n",
    # A chat in the models' own layout; special tokens are parsed.
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n<|im_start|>user\nWhat is the capital of Japan, and "
    "how many people live there?<|im_end|>\n<|im_start|>assistant\nThe capital of Japan is Tokyo. About 14 million "
    "people live in the city itself, and more than 37 million in the metropolitan area, which makes it the most "
    "populous one in the world.<|im_end|>\n",
    # Other languages.
    "Am Morgen lag dichter Nebel über dem Fluss, und die Fähre fuhr erst gegen zehn Uhr. Le train de huit heures "
    "était déjà parti. El mercado abre los martes y los jueves. Сегодня в городе холодно.",
    # Scripts without spaces, and signs.
    "人工智能正在改变我们的生活方式。東京は日本の首都です。 안녕하세요, 반갑습니다! 🙂🚀 x² + y² ≤ r², ∑ᵢ aᵢ = 1",
    # Numbers, tables, markup.
    "| Year | Units | Revenue |\n|------|-------|---------|\n| 2021 | 1,250 | $41,300.50 |\n| 2022 | 1,731 | "
    "$58,912.75 |\n| 2023 | 2,048 | $70,117.00 |\n\n{\"name\": \"sensor-7\", \"values\": [0.125, 0.25, 0.5], "
    "\"ok\": true}\n<p class=\"note\">Totals are <b>rounded</b>.</p>\n",
]


def positions_of(model, ids):
    with torch.no_grad():
        logits = model(torch.tensor([ids])).logits[0].double()
    top = torch.topk(logits, TOP, dim=1)
    others = logits.scatter(1, top.indices, float("-inf"))
    return top.indices.numpy(), top.values.float().numpy(), torch.logsumexp(others, 1).float().numpy()


def main():
    torch.set_num_threads(1)
    path = pathlib.Path(sys.argv[1])
    output = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else path.with_suffix(".golden")
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32).eval()
    has_head = any(tensor.name == "output.weight" for tensor in gguf.GGUFReader(path).tensors)
    tied = model.lm_head.weight.data_ptr() == model.model.embed_tokens.weight.data_ptr()
    assert tied != has_head, "transformers must use the head that the file has"

    writer = gguf.GGUFWriter(str(output), "golden")
    writer.add_string("golden.model", path.name)
    total = 0
    for i, text in enumerate(TEXTS):
        ids = tokenizer.encode(text, add_special_tokens=False)[:MAX_TOKENS]
        top_ids, top_logits, rest = positions_of(model, ids)
        writer.add_array(f"golden.token_ids.{i}", ids)
        writer.add_array(f"golden.top_ids.{i}", top_ids.flatten().tolist())
        writer.add_tensor(f"top_logits.{i}", np.ascontiguousarray(top_logits))
        writer.add_tensor(f"rest.{i}", np.ascontiguousarray(rest))
        total += len(ids)
        next_ids = np.array(ids[1:])
        print(f"text {i}: {len(ids)} tokens, the next token is the top one at {np.mean(top_ids[:-1, 0] == next_ids):.0%}")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    print(f"{total} positions -> {output} ({output.stat().st_size} bytes)")


if __name__ == "__main__":
    main()
