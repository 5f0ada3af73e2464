#!/usr/bin/env python3
"""Make tiny random encoders and what `transformers`, `tokenizers` and `sentence-transformers` compute.

    make_encoder_goldens.py                 tiny_bert/ and word_piece.json beside this file
    make_encoder_goldens.py MODEL_FOLDER    also all-minilm-l6-v2.json, from the real model's folder

Needs torch, transformers, sentence-transformers, safetensors, tokenizers. Norms and biases are random too: a default
of zero or one hides errors.
"""
import base64
import json
import pathlib
import sys

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from transformers import BertConfig, BertModel

HERE = pathlib.Path(__file__).resolve().parent
TEXTS = json.loads((HERE / "texts.json").read_text())
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def as_base64(array, dtype="<f4"):
    return base64.b64encode(np.asarray(array, dtype=dtype).tobytes()).decode()


def tiny_bert(folder):
    torch.manual_seed(7)
    config = BertConfig(vocab_size=101, hidden_size=64, num_hidden_layers=2, num_attention_heads=2,
                        intermediate_size=96, max_position_embeddings=320, type_vocab_size=2, layer_norm_eps=1e-12,
                        attn_implementation="eager")
    model = BertModel(config, add_pooling_layer=False).eval().float()
    with torch.no_grad():
        for name, value in model.named_parameters():
            scale = 0.3 if value.ndim == 1 else 0.12
            value.copy_(torch.randn_like(value) * scale + (1.0 if "LayerNorm.weight" in name else 0.0))
    folder.mkdir(exist_ok=True)
    weights = {name: value.to(torch.float16).contiguous() for name, value in model.state_dict().items()
               if value.is_floating_point()}
    model.load_state_dict({name: value.float() for name, value in weights.items()}, strict=False)
    save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({
        "model_type": "bert", "hidden_act": "gelu", "vocab_size": 101, "hidden_size": 64, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": 96, "max_position_embeddings": 320, "type_vocab_size": 2,
        "layer_norm_eps": 1e-12}) + "\n")
    rng = np.random.default_rng(3)
    sequences = [rng.integers(0, 101, n).tolist() for n in (1, 2, 16, 17, 40, 256, 257, 320)]
    hidden = [model(torch.tensor([ids])).last_hidden_state[0].detach().numpy() for ids in sequences]
    unit = [h.mean(0) / np.linalg.norm(h.mean(0)) for h in hidden]
    golden = {"sequences": sequences, "mean_normalised": as_base64(unit), "first": as_base64([h[0] for h in hidden]),
              "last": as_base64([h[-1] for h in hidden])}
    (folder / "golden.json").write_text(json.dumps(golden) + "\n")


def word_piece(path):
    """A vocabulary made from the texts, so that words break into pieces, and the ids of each text by four rules."""
    texts = TEXTS[:40]
    words = sorted({w for text in texts for w in text.lower().split()})
    pieces = sorted({c for w in words for c in w} | {w[:3] for w in words} | {w[:5] for w in words[::2]})
    inside = ["##" + p for p in sorted({w[i:i + n] for w in words for i in (1, 3) for n in (1, 2, 3) if len(w) > i})]
    vocabulary = SPECIAL + [p for p in pieces if p.strip()] + inside
    vocabulary = list(dict.fromkeys(p for p in vocabulary if "\n" not in p and "\r" not in p))
    table = {p: i for i, p in enumerate(vocabulary)}
    rules = []
    for lowercase, strip, han in ((True, True, True), (True, False, True), (False, False, True), (True, True, False)):
        tokenizer = Tokenizer(WordPiece(table, unk_token="[UNK]"))  # no special tokens: their names are text
        tokenizer.normalizer = BertNormalizer(clean_text=True, handle_chinese_chars=han, strip_accents=strip,
                                              lowercase=lowercase)
        tokenizer.pre_tokenizer = BertPreTokenizer()
        rules.append({"lowercase": lowercase, "strip_accents": strip, "split_han": han,
                      "ids": [tokenizer.encode(t).ids for t in texts]})
    path.write_text(json.dumps({"vocabulary": vocabulary, "texts": texts, "rules": rules}) + "\n")


def real_model(folder, path):
    from sentence_transformers import SentenceTransformer
    model = SentenceTransformer(str(folder), device="cpu")
    vectors = model.encode(TEXTS, batch_size=8, normalize_embeddings=True)
    ids = [model.tokenizer(t, truncation=False)["input_ids"] for t in TEXTS]
    path.write_text(json.dumps({"ids": ids, "vectors_f16": as_base64(vectors, "<f2")}) + "\n")


if __name__ == "__main__":
    tiny_bert(HERE / "tiny_bert")
    word_piece(HERE / "word_piece.json")
    if len(sys.argv) > 1:
        real_model(pathlib.Path(sys.argv[1]), HERE / "all-minilm-l6-v2.json")
