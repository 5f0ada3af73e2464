#!/usr/bin/env python3
"""Make tiny random models and what `transformers` computes with them.

    make_goldens.py [OUTPUT_DIR]        (default: tiny/ beside this file)

For each model two files in GGUF: NAME.gguf, the model in F32 with the conventions of llama.cpp's converter (rows of q
and k of the llama family permuted so that adjacent values rotate together), and NAME.golden with

    golden.token_ids   int32 [tokens]     what was fed, as one sequence
    golden.positions   int32 [positions]  where logits were taken
    logits             f32 [positions, vocab]

Needs torch, transformers, gguf and numpy. Weights that are zero or one by default (norms, biases) are random too:
a default hides errors.
"""
import pathlib
import sys

import gguf
import numpy as np
import torch
from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM

NUM_TOKENS = 300  # more than one attention span of 256 keys
NORM_EPSILON = 1e-5


def tiny_llama():
    """Untied, heads wider than hidden / heads, GQA 3:1, Llama 3's rope scaling."""
    return LlamaForCausalLM(LlamaConfig(
        hidden_size=48, num_hidden_layers=2, num_attention_heads=6, num_key_value_heads=2, head_dim=16,
        intermediate_size=80, vocab_size=97, tie_word_embeddings=False, rms_norm_eps=NORM_EPSILON,
        max_position_embeddings=512, attn_implementation="eager",
        rope_parameters={"rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0,
                         "high_freq_factor": 4.0, "original_max_position_embeddings": 64}))


def tiny_llama_biased():
    """Tied, no grouping, biases on every attention and feed-forward layer, linear rope scaling."""
    return LlamaForCausalLM(LlamaConfig(
        hidden_size=40, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2, head_dim=32,
        intermediate_size=44, vocab_size=89, tie_word_embeddings=True, rms_norm_eps=NORM_EPSILON,
        attention_bias=True, mlp_bias=True, max_position_embeddings=512, attn_implementation="eager",
        rope_parameters={"rope_type": "linear", "rope_theta": 500000.0, "factor": 4.0}))


def tiny_qwen2():
    """Tied, three heads on one."""
    return Qwen2ForCausalLM(Qwen2Config(
        hidden_size=48, num_hidden_layers=2, num_attention_heads=3, num_key_value_heads=1, intermediate_size=56,
        vocab_size=101, tie_word_embeddings=True, rms_norm_eps=1e-6, max_position_embeddings=512,
        use_sliding_window=False, attn_implementation="eager",
        rope_parameters={"rope_type": "default", "rope_theta": 1000000.0}))


MODELS = {"tiny_llama": ("llama", tiny_llama), "tiny_llama_biased": ("llama", tiny_llama_biased),
          "tiny_qwen2": ("qwen2", tiny_qwen2)}

LAYER_NAMES = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}
OUTER_NAMES = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}


def randomise(model, generator):
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if "norm" in name:
                parameter.copy_(1.0 + 0.4 * noise)
            elif name.endswith(".bias"):
                parameter.copy_(0.5 * noise)
            elif "embed" in name:
                parameter.copy_(noise)
            else:
                parameter.copy_(noise * 1.5 / parameter.shape[1] ** 0.5)


def gguf_name(name):
    stem, kind = name.rsplit(".", 1)
    if stem in OUTER_NAMES:
        return f"{OUTER_NAMES[stem]}.{kind}"
    _, _, layer, rest = stem.split(".", 3)
    return f"blk.{layer}.{LAYER_NAMES[rest]}.{kind}"


def permute(values, num_heads):
    """Rows (i, i + d/2) of each head become rows (2i, 2i + 1)."""
    shape = values.shape
    return values.reshape(num_heads, 2, shape[0] // num_heads // 2, *shape[1:]).swapaxes(1, 2).reshape(shape)


def tensors(model, architecture):
    config = model.config
    for name, parameter in model.named_parameters():  # a tied head appears once, as the embedding
        values = parameter.detach().numpy()
        if architecture == "llama" and ".q_proj." in name:
            values = permute(values, config.num_attention_heads)
        if architecture == "llama" and ".k_proj." in name:
            values = permute(values, config.num_key_value_heads)
        yield gguf_name(name), np.ascontiguousarray(values, dtype=np.float32)


def rope_divisors(config):
    """Llama 3's scaling as the divisors of the plain frequencies."""
    rope = config.rope_parameters
    dim = config.head_dim
    frequencies = 1.0 / (rope["rope_theta"] ** (np.arange(0, dim, 2, dtype=np.float64) / dim))
    wavelengths = 2 * np.pi / frequencies
    original = rope["original_max_position_embeddings"]
    low, high = rope["low_freq_factor"], rope["high_freq_factor"]
    smooth = np.clip((original / wavelengths - low) / (high - low), 0.0, 1.0)
    return (1.0 / ((1 - smooth) / rope["factor"] + smooth)).astype(np.float32)


def write_model(path, architecture, model):
    config = model.config
    rope = config.rope_parameters
    head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    writer = gguf.GGUFWriter(str(path), architecture)
    writer.add_name(path.stem)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(rope["rope_theta"])
    if head_dim * config.num_attention_heads != config.hidden_size:
        writer.add_key_length(head_dim)
        writer.add_value_length(head_dim)
    if architecture == "llama":
        writer.add_rope_dimension_count(head_dim)
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "llama3":
        writer.add_tensor("rope_freqs.weight", rope_divisors(config))
    for name, values in tensors(model, architecture):
        writer.add_tensor(name, values)
    write_all(writer)


def write_all(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_golden(path, model, generator):
    ids = torch.randint(0, model.config.vocab_size, (NUM_TOKENS,), generator=generator)
    positions = sorted(set(range(20)) | set(range(20, NUM_TOKENS, 13)) | {254, 255, 256, 257, NUM_TOKENS - 1})
    with torch.no_grad():
        logits = model(ids[None]).logits[0, positions].numpy()
    writer = gguf.GGUFWriter(str(path), "golden")
    writer.add_array("golden.token_ids", ids.tolist())
    writer.add_array("golden.positions", positions)
    writer.add_tensor("logits", np.ascontiguousarray(logits, dtype=np.float32))
    write_all(writer)
    print(path.name, "logits up to", np.abs(logits).max(), "top token share",
          torch.softmax(torch.tensor(logits), 1).max(1).values.mean().item())


def main():
    torch.set_num_threads(1)
    directory = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "tiny")
    directory.mkdir(parents=True, exist_ok=True)
    for seed, (name, (architecture, build)) in enumerate(MODELS.items()):
        generator = torch.Generator().manual_seed(1000 + seed)
        model = build().float().eval()
        randomise(model, generator)
        write_model(directory / f"{name}.gguf", architecture, model)
        write_golden(directory / f"{name}.golden", model, generator)


if __name__ == "__main__":
    main()
