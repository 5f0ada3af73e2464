"""Writes dtypes.bin: random blocks of every stored type and the f32 values that the Python package `gguf` decodes.

Run with a Python that has numpy and gguf:  python make_dtype_goldens.py
File: for each type  name [8 bytes, zero padded], rows i32, columns i32, stored bytes, f32 values; little endian.
"""

import pathlib
import struct

import gguf
import numpy as np

ROWS = 3
TYPES = ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K"]
# Byte offsets of the f16 fields in a block; they must not be NaN, whose payload is nobody's contract.
HALVES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q4_K": [0, 2], "Q5_K": [0, 2],
          "Q6_K": [208]}
EDGE_HALVES = [0.0, -0.0, 6e-8, -6e-8, 6.1e-5, 1.0, 65504.0, -65504.0]


def stored_rows(name: str, columns: int, random: np.random.Generator) -> np.ndarray:
    kind = gguf.GGMLQuantizationType[name]
    block_elements, block_bytes = gguf.GGML_QUANT_SIZES[kind]
    if name == "F32":
        return random.standard_normal((ROWS, columns), dtype=np.float32).view(np.uint8)
    if name == "F16":
        return random.standard_normal((ROWS, columns)).astype(np.float16).view(np.uint8)
    if name == "BF16":
        words = random.standard_normal((ROWS, columns), dtype=np.float32).view(np.uint32) >> 16
        return words.astype(np.uint16).view(np.uint8)
    blocks = random.integers(0, 256, (ROWS * columns // block_elements, block_bytes), dtype=np.uint8)
    for offset in HALVES[name]:
        halves = (random.standard_normal(len(blocks)) * 0.01).astype(np.float16)
        edges = np.array(EDGE_HALVES, dtype=np.float16)
        count = min(len(edges), len(blocks) - 1)
        halves[:count] = np.roll(edges, offset)[:count]
        blocks[:, offset:offset + 2] = halves.view(np.uint8).reshape(-1, 2)
    return blocks.reshape(ROWS, -1)


def main() -> None:
    random = np.random.default_rng(20)
    with open(pathlib.Path(__file__).parent / "dtypes.bin", "wb") as out:
        for name in TYPES:
            columns = 768 if name.endswith("_K") else 128
            stored = stored_rows(name, columns, random)
            values = gguf.quants.dequantize(stored, gguf.GGMLQuantizationType[name]).astype(np.float32)
            assert values.shape == (ROWS, columns)
            out.write(struct.pack("<8sii", name.encode(), ROWS, columns))
            out.write(np.ascontiguousarray(stored).tobytes())
            out.write(np.ascontiguousarray(values).tobytes())


if __name__ == "__main__":
    main()
