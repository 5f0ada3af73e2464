#pragma once
// Attention of some query rows over one span of keys. Included after the primitives, exp16.h, and the tile
// shape: kQueryTile rows (at most 8) by kVectorTile vectors are held in registers. The shape changes no
// result: every score is one chain of fma over d ascending, every output one chain over keys ascending, every
// sum one set of lanes. Pure, any thread; nothing fails.

namespace {

static_assert(kQueryTile <= 8, "attention_scratch_floats has room for 8 rows of scores");

inline F32x16 load_kv16(const float* p) { return load16(p); }
inline F32x16 load_kv16(const std::uint16_t* p) { return load_half16(p); }

template <int N>
struct Count {
  static constexpr int kValue = N;
};
// f(Count<n>) for n = rows, 1 <= rows <= Most.
template <int Most, typename F>
inline void with_rows(int rows, F f) {
  if constexpr (Most > 1) {
    if (rows < Most) return with_rows<Most - 1>(rows, f);
  }
  f(Count<Most>());
}

// Some rows of a span, with the element type of its blocks known.
template <typename T>
struct TileRows {
  const AttentionSpan* span;
  const void* const* keys;
  const void* const* values;
  float* scores;  // [rows, kSpanTokens], later the weights
  int first_row;

  const float* queries() const { return span->queries + static_cast<std::size_t>(first_row) * width(); }
  std::size_t width() const { return static_cast<std::size_t>(span->head_dim); }
  const T* key_block(int block) const { return static_cast<const T*>(keys[block]); }
  const T* value_block(int block) const { return static_cast<const T*>(values[block]); }
};

// Few rows wait for memory: while scores of some blocks are computed, the keys of the next blocks and the
// values of these are fetched, line by line. Stored halves only; widened spans are in the cache already.
template <typename T>
constexpr bool kPrefetch = sizeof(T) == 2;

template <typename T, int Blocks>
struct Ahead {
  const T* keys[Blocks];
  const T* values[Blocks];

  Ahead(const TileRows<T>& tile, int first_block) {
    const AttentionSpan& span = *tile.span;
    for (int b = 0; b < Blocks; ++b) {
      const int next = first_block + Blocks + b;
      const void* const* keys_after = span.next_keys != nullptr ? span.next_keys : tile.keys;
      keys[b] =
          next < span.num_blocks ? tile.key_block(next) : static_cast<const T*>(keys_after[next % Blocks]);
      values[b] = tile.value_block(first_block + b);
    }
  }
};

template <int Rows, int Blocks, typename T>
inline void score_tile(const TileRows<T>& tile, int first_block) {
  const float* queries = tile.queries();
  const std::size_t head_dim = tile.width();
  F32x16 sums[Rows][Blocks];
  const Ahead<T, Blocks> ahead(tile, first_block);
  const T* keys[Blocks];
#pragma GCC unroll 8
  for (int b = 0; b < Blocks; ++b) keys[b] = tile.key_block(first_block + b);
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) sums[r][b] = zero16();
  }
  for (std::size_t d = 0; d < head_dim; ++d) {
    if constexpr (kPrefetch<T>) {
#pragma GCC unroll 8
      for (int b = 0; b < Blocks; ++b) {
        __builtin_prefetch(ahead.keys[b] + d * kKvBlockTokens);
        __builtin_prefetch(ahead.values[b] + d * kKvBlockTokens);
      }
    }
    F32x16 key[Blocks];
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) key[b] = load_kv16(keys[b] + d * kKvBlockTokens);
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
      const F32x16 query = broadcast16(queries[static_cast<std::size_t>(r) * head_dim + d]);
#pragma GCC unroll 8
      for (int b = 0; b < Blocks; ++b) sums[r][b] = fma16(query, key[b], sums[r][b]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) {
      store16(tile.scores + r * kSpanTokens + (first_block + b) * kKvBlockTokens, sums[r][b]);
    }
  }
}

// Adds weights * values of keys first .. last - 1 to Vectors * 16 columns of Rows outputs.
template <int Rows, int Vectors, typename T>
inline void value_tile(const TileRows<T>& tile, int first, int last, float* out, int column) {
  const std::size_t head_dim = tile.width();
  F32x16 sums[Rows][Vectors];
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)
      sums[r][v] = load16(out + static_cast<std::size_t>(r) * head_dim + column + 16 * v);
  }
  for (int key = first; key < last;) {
    const int block = key / kKvBlockTokens;
    const int block_end = (block + 1) * kKvBlockTokens < last ? (block + 1) * kKvBlockTokens : last;
    const T* values =
        tile.value_block(block) + static_cast<std::size_t>(key % kKvBlockTokens) * head_dim + column;
    for (; key < block_end; ++key, values += head_dim) {
      F32x16 value[Vectors];
#pragma GCC unroll 8
      for (int v = 0; v < Vectors; ++v) value[v] = load_kv16(values + 16 * v);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) {
        const F32x16 weight = broadcast16(tile.scores[r * kSpanTokens + key]);
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) sums[r][v] = fma16(weight, value[v], sums[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)
      store16(out + static_cast<std::size_t>(r) * head_dim + column + 16 * v, sums[r][v]);
  }
}

template <int Rows, typename T>
inline void add_values(const TileRows<T>& tile, int first, int last, float* out) {
  int column = 0;
  for (; column + 16 * kVectorTile <= tile.span->head_dim; column += 16 * kVectorTile) {
    value_tile<Rows, kVectorTile, T>(tile, first, last, out, column);
  }
  for (; column < tile.span->head_dim; column += 16) value_tile<Rows, 1, T>(tile, first, last, out, column);
}

// Scores of one row to weights; keys past `visible` get weight 0 up to the end of their block.
inline void weigh_row(float* scores, int visible, float* maximum, float* sum) {
  const F32x16 nothing = broadcast16(-__builtin_inff());
  const int whole = visible / kKvBlockTokens * kKvBlockTokens;
  F32x16 best = nothing;
  for (int i = 0; i < whole; i += 16) best = max16(best, load16(scores + i));
  if (whole < visible) {
    const F32x16 last = first_lanes16(visible - whole, load16(scores + whole), nothing);
    store16(scores + whole, last);
    best = max16(best, last);
  }
  *maximum = max_lane16(best);
  const F32x16 highest = broadcast16(*maximum);
  F32x16 total = zero16();
  for (int i = 0; i < visible; i += 16) {
    const F32x16 weight = exp16(load16(scores + i) - highest);
    store16(scores + i, weight);
    total = total + weight;
  }
  *sum = sum16(total);
}

template <int Rows, typename T>
inline void attend_tile(const TileRows<T>& tile, const AttentionState& out) {
  const std::int32_t* visible = tile.span->visible + tile.first_row;
  const std::size_t head_dim = tile.width();
  float* values = out.values + static_cast<std::size_t>(tile.first_row) * head_dim;
  const int num_blocks = (visible[Rows - 1] + kKvBlockTokens - 1) / kKvBlockTokens;
  int block = 0;
  for (; block + kVectorTile <= num_blocks; block += kVectorTile)
    score_tile<Rows, kVectorTile, T>(tile, block);
  for (; block < num_blocks; ++block) score_tile<Rows, 1, T>(tile, block);
  for (int r = 0; r < Rows; ++r) {
    weigh_row(tile.scores + r * kSpanTokens, visible[r], out.maxima + tile.first_row + r,
              out.sums + tile.first_row + r);
  }
  __builtin_memset(values, 0, sizeof(float) * Rows * head_dim);
  // Keys that not every row sees are added row by row: what lies behind a row's last key is never read for
  // it.
  add_values<Rows, T>(tile, 0, visible[0], values);
  for (int r = 1; r < Rows; ++r) {
    if (visible[r] == visible[0]) continue;
    TileRows<T> row = tile;
    row.scores += r * kSpanTokens;
    add_values<1, T>(row, visible[0], visible[r], values + static_cast<std::size_t>(r) * head_dim);
  }
}

template <typename T>
inline void attend_tiles(const AttentionSpan& span, const void* const* keys, const void* const* values,
                         const AttentionState& out) {
  const int num_tiles = (span.rows + kQueryTile - 1) / kQueryTile;
  for (int i = 0; i < num_tiles; ++i) {
    const int first = span.rows * i / num_tiles;
    const TileRows<T> tile{&span, keys, values, span.scratch, first};
    with_rows<kQueryTile>(span.rows * (i + 1) / num_tiles - first,
                          [&](auto rows) { attend_tile<decltype(rows)::kValue, T>(tile, out); });
  }
}

inline void widen_block(float* out, const void* block, int count) {
  const std::uint16_t* values = static_cast<const std::uint16_t*>(block);
  for (int i = 0; i < count; i += 16) store16(out + i, load_half16(values + i));
}

// With several tiles it pays to widen the span to f32 once; the values are the same.
inline void attend_widened(const AttentionSpan& span, const AttentionState& out) {
  const int num_blocks = (span.visible[span.rows - 1] + kKvBlockTokens - 1) / kKvBlockTokens;
  const int count = span.head_dim * kKvBlockTokens;
  const void* keys[kSpanBlocks];
  const void* values[kSpanBlocks];
  float* wide = span.scratch + 8 * kSpanTokens;
  for (int b = 0; b < num_blocks; ++b) {
    widen_block(wide, span.keys[b], count);
    keys[b] = wide;
    widen_block(wide + count, span.values[b], count);
    values[b] = wide + count;
    wide += 2 * count;
  }
  attend_tiles<float>(span, keys, values, out);
}

inline void attend_span_rows(const AttentionSpan& span, const AttentionState& out) {
  if (span.element == KvElement::f32) {
    attend_tiles<float>(span, span.keys, span.values, out);
  } else if (span.rows <= 2 * kQueryTile) {
    attend_tiles<std::uint16_t>(span, span.keys, span.values, out);
  } else {
    attend_widened(span, out);
  }
}

inline float exp1(float x) {
  float lanes[16];
  store16(lanes, exp16(broadcast16(x)));
  return lanes[0];
}

inline void merge_states(const AttentionState& state, const AttentionState& next, int rows, int head_dim) {
  for (int r = 0; r < rows; ++r) {
    const float old_maximum = state.maxima[r];
    const float maximum = next.maxima[r] > old_maximum ? next.maxima[r] : old_maximum;
    const float keep = exp1(old_maximum - maximum);
    const float take = exp1(next.maxima[r] - maximum);
    state.maxima[r] = maximum;
    state.sums[r] = fma1(next.sums[r], take, state.sums[r] * keep);
    float* values = state.values + static_cast<std::size_t>(r) * static_cast<std::size_t>(head_dim);
    const float* added = next.values + static_cast<std::size_t>(r) * static_cast<std::size_t>(head_dim);
    for (int i = 0; i < head_dim; i += 16) {
      const F32x16 kept = load16(values + i) * broadcast16(keep);
      store16(values + i, fma16(load16(added + i), broadcast16(take), kept));
    }
  }
}

inline void finish_row(float* out, const AttentionState& state, int row, int head_dim) {
  const F32x16 sum = broadcast16(state.sums[row]);
  const float* values = state.values + static_cast<std::size_t>(row) * static_cast<std::size_t>(head_dim);
  for (int i = 0; i < head_dim; i += 16) store16(out + i, load16(values + i) / sum);
}

}  // namespace
