#!/usr/bin/env python3
"""Describe a GGUF file as the `gguf` package reads it, one line a field and a tensor.

    describe_gguf.py MODEL.gguf > tests/goldens/gguf/MODEL.txt

gguf_models_test.cpp prints the same lines from our own reader and compares. Long values are shown as a hash
(FNV-1a, 64 bits), floats as the bits of a double.
"""
import struct
import sys

from gguf import GGUFReader, GGUFValueType

INTEGERS = {
    GGUFValueType.UINT8, GGUFValueType.INT8, GGUFValueType.UINT16, GGUFValueType.INT16,
    GGUFValueType.UINT32, GGUFValueType.INT32, GGUFValueType.UINT64, GGUFValueType.INT64,
}
FLOATS = {GGUFValueType.FLOAT32, GGUFValueType.FLOAT64}


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def scalar_bytes(kind, value):
    if kind == GGUFValueType.STRING:
        return value if isinstance(value, bytes) else value.encode()
    if kind in FLOATS:
        return struct.pack("<d", value)
    return str(int(value)).encode()


def array_elements(field):
    kind = field.types[1]
    if kind == GGUFValueType.STRING:
        return [bytes(field.parts[i]) for i in field.data]
    return [field.parts[i][0] for i in field.data]


def describe(field):
    kind = field.types[0]
    if kind == GGUFValueType.ARRAY:
        element = field.types[1]
        joined = b"".join(scalar_bytes(element, value) + b"\0" for value in array_elements(field))
        return f"array {len(field.data)} {fnv1a(joined)}"
    part = field.parts[field.data[0]]
    if kind == GGUFValueType.STRING:
        text = bytes(part)
        return f"string {len(text)} {fnv1a(text)}"
    if kind in FLOATS:
        return "float " + struct.pack(">d", float(part[0])).hex()
    if kind == GGUFValueType.BOOL:
        return f"bool {int(part[0])}"
    assert kind in INTEGERS
    return f"integer {int(part[0])}"


def main():
    reader = GGUFReader(sys.argv[1])
    for name, field in reader.fields.items():
        if not name.startswith("GGUF."):  # the reader's own names for the header's counts
            print(f"{name} {describe(field)}")
    for tensor in reader.tensors:
        shape = "x".join(str(int(size)) for size in tensor.shape)
        print(f"{tensor.name} {tensor.tensor_type.name} {shape} {int(tensor.data_offset)}")


if __name__ == "__main__":
    main()
