#pragma once
// Keys and values of one token into a KV block. Included after the primitives. Any thread with a slot of its
// own; nothing fails.

namespace {

inline void store_kv16(float* out, F32x16 a) { store16(out, a); }
inline void store_kv16(std::uint16_t* out, F32x16 a) { store_half16(out, a); }

template <typename T>
inline void store_kv_as(const KvRow& row) {
  const int count = row.num_kv_heads * row.head_dim;
  T* keys = static_cast<T*>(row.block_keys) + row.slot;
  T converted[16];
  for (int i = 0; i < count; i += 16) {
    store_kv16(converted, load16(row.keys + i));
    for (int lane = 0; lane < 16; ++lane) keys[(i + lane) * kKvBlockTokens] = converted[lane];
  }
  for (int h = 0; h < row.num_kv_heads; ++h) {
    T* values = static_cast<T*>(row.block_values) + (h * kKvBlockTokens + row.slot) * row.head_dim;
    for (int i = 0; i < row.head_dim; i += 16)
      store_kv16(values + i, load16(row.values + h * row.head_dim + i));
  }
}

inline void store_kv_row(const KvRow& row) {
  if (row.element == KvElement::f16) {
    store_kv_as<std::uint16_t>(row);
  } else {
    store_kv_as<float>(row);
  }
}

}  // namespace
