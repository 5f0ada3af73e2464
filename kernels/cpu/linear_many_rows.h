#pragma once
// Products of many rows: a chunk of 8 blocks of kManyPanels panels is unpacked into the first-level cache,
// then multiplied with every tile of rows; the f32 sums of all rows wait in memory between chunks, which
// changes nothing. Bytes: the panels once, the activations once for each group of panels. Included after
// linear_format.h. Any thread with a scratch of its own; nothing fails.

#include "kernels/cpu/linear_format.h"

namespace {

// A block of a panel, ready to be multiplied.
template <int kHalves, bool kMinimum>
struct alignas(64) ReadyBlock {
  std::byte lines[8][64];
  float scale[kHalves][kPanelRows];
  float minimum[kMinimum ? kPanelRows : 0];
};

template <PanelFormat kFormat>
using ReadyBlockOf = ReadyBlock<Format<kFormat>::kHalves, Format<kFormat>::kMinimum>;

template <PanelFormat kFormat>
inline void make_ready(const std::byte* chunk, int index, ReadyBlockOf<kFormat>& ready) {
  using F = Format<kFormat>;
  const std::byte* unit = chunk + index / F::kUnitBlocks * F::kUnitBytes;
  const int within = index % F::kUnitBlocks;
  const std::byte* quants = unit + F::kHeaderBytes + within * F::kBlockBytes;
  PARLEY_UNROLL
  for (int g = 0; g < 8; ++g) store_line(ready.lines[g], unpack_line<kFormat>(quants, g));
  PARLEY_UNROLL
  for (int half = 0; half < F::kHalves; ++half)
    store16(ready.scale[half], block_scale<kFormat>(unit, within, half));
  if constexpr (F::kMinimum) store16(ready.minimum, block_minimum<kFormat>(unit, within));
}

// A chunk of kManyPanels panels and some rows of a tile.
struct ChunkProduct {
  const void* ready = nullptr;       // ReadyBlock [num_blocks][kManyPanels]
  const std::byte* fetch = nullptr;  // of the first panel: what to fetch meanwhile for the next chunk
  std::size_t panel_stride = 0;      // bytes to the same place of the next panel
  int num_blocks = 0;
  int fetch_lines = 0;                   // of each panel, with each block
  const ActivationBlock* a = nullptr;    // [num_blocks][tile_height], from the first row on
  const std::int32_t* starts = nullptr;  // start_of_sums of a[0]
  int tile_height = 0;
  float* acc = nullptr;  // [rows][kManyPanels][16]
};

// Serves every format with these properties.
template <int kBits, int kHalves, bool kMinimum, int kRows>
void multiply_chunk(const ChunkProduct& c) {
  constexpr int kPanels = kManyPanels;
  constexpr int kGroups = 8 / kHalves;
  constexpr int kStartStride = sizeof(ActivationBlock) / sizeof(std::int32_t);
  const auto* ready = static_cast<const ReadyBlock<kHalves, kMinimum>*>(c.ready);
  const ActivationBlock* a = c.a;
  const std::int32_t* starts = c.starts;
  const std::byte* fetch = c.fetch;
#pragma GCC unroll 1
  for (int b = 0; b < c.num_blocks; ++b) {
    for (int k = 0; k < c.fetch_lines; ++k, fetch += 64) {
      PARLEY_UNROLL
      for (int j = 0; j < kPanels; ++j) __builtin_prefetch(fetch + j * c.panel_stride, 0, 2);
    }
    PARLEY_UNROLL
    for (int half = 0; half < kHalves; ++half) {
      DotSum<kBits> dot[kRows][kPanels];
      PARLEY_UNROLL
      for (int r = 0; r < kRows; ++r) {
        PARLEY_UNROLL
        for (int j = 0; j < kPanels; ++j) dot[r][j].start(starts[r * kStartStride + half]);
      }
      PARLEY_UNROLL
      for (int g = 0; g < kGroups; ++g) {
        const int k = half * kGroups + g;
        Line line[kPanels];
        PARLEY_UNROLL
        for (int j = 0; j < kPanels; ++j) line[j] = load_line(ready[j].lines[k]);
        PARLEY_UNROLL
        for (int r = 0; r < kRows; ++r) {
          const Four four = load_four(a[r].values + 4 * k);
          PARLEY_UNROLL
          for (int j = 0; j < kPanels; ++j) dot[r][j].add(line[j], four, g);
        }
      }
      PARLEY_UNROLL
      for (int j = 0; j < kPanels; ++j) {
        const F32x16 scale = load16(ready[j].scale[half]);
        PARLEY_UNROLL
        for (int r = 0; r < kRows; ++r) {
          float* to = c.acc + (r * kPanels + j) * kPanelRows;
          const F32x16 sum = to_float16(dot[r][j].finish(starts[r * kStartStride + half]));
          F32x16 acc = fma16(scale * broadcast16(a[r].scale), sum, load16(to));
          if constexpr (kMinimum) acc = fma16(load16(ready[j].minimum), broadcast16(a[r].scaled_sum), acc);
          store16(to, acc);
        }
      }
    }
    ready += kPanels;
    a += c.tile_height;
    starts += c.tile_height * kStartStride;
  }
}

// Consecutive tiles.
struct TileRun {
  int first_tile = 0;
  int last_tile = 0;
  int first_row = 0;
  int rows = 0;
};

inline int tile_height(const PanelProduct& p, int tile) {
  return p.layout.tile_height + (tile < p.layout.tall_tiles ? 1 : 0);
}

// Multiplies one chunk with every tile of the run; acc [run.rows][kManyPanels][16].
template <PanelFormat kFormat>
inline void multiply_tiles(const PanelProduct& p, const TileRun& run, int first_block, ChunkProduct chunk) {
  // With more than kMaxFewRows rows no tile, and no equal part of one, is lower than this.
  constexpr int kLeast = kManyRows / 2;
  constexpr int kFourth = kLeast + 3 < kManyRows ? kLeast + 3 : kManyRows;
  using F = Format<kFormat>;
  constexpr int kBits = sum_bits(F::kBits);
  using Kernel = void (*)(const ChunkProduct&);
  static constexpr Kernel kKernels[] = {
      multiply_chunk<kBits, F::kHalves, F::kMinimum, kLeast>,
      multiply_chunk<kBits, F::kHalves, F::kMinimum, kLeast + 1>,
      multiply_chunk<kBits, F::kHalves, F::kMinimum, kLeast + 2>,
      multiply_chunk<kBits, F::kHalves, F::kMinimum, kFourth>,
      multiply_chunk<kBits, F::kHalves, F::kMinimum, kManyRows>,
  };
  const ActivationBlock* blocks = p.blocks +
                                  static_cast<std::size_t>(first_block) * static_cast<std::size_t>(p.rows) +
                                  static_cast<std::size_t>(run.first_row * chunk.num_blocks);
  for (int tile = run.first_tile; tile < run.last_tile; ++tile) {
    chunk.tile_height = tile_height(p, tile);
    for (int row = 0; row < chunk.tile_height;) {
      const int left = chunk.tile_height - row;
      const int parts = (left + kManyRows - 1) / kManyRows;
      const int rows = (left + parts - 1) / parts;
      chunk.a = blocks + row;
      chunk.starts = start_of_sums<kFormat>(blocks[row]);
      kKernels[rows - kLeast](chunk);
      chunk.acc += rows * kManyPanels * kPanelRows;
      chunk.fetch += 64 * chunk.fetch_lines * chunk.num_blocks;
      row += rows;
    }
    blocks += chunk.tile_height * chunk.num_blocks;
  }
}

// Panels panel .. panel + count - 1, count <= kManyPanels; a missing one is replaced by the one before it.
template <PanelFormat kFormat>
inline void multiply_run(const PanelProduct& p, const TileRun& run, int panel, int count) {
  using F = Format<kFormat>;
  constexpr int kChunkBytes = kChunkBlocks / F::kUnitBlocks * F::kUnitBytes;
  auto* ready = reinterpret_cast<ReadyBlockOf<kFormat>*>(p.scratch);
  auto* acc =
      reinterpret_cast<float*>(p.scratch + sizeof(ReadyBlockOf<kFormat>) * kManyPanels * kChunkBlocks);
  for (int i = 0; i < run.rows * kManyPanels; ++i) store16(acc + kPanelRows * i, zero16());
  const std::byte* chunk = p.panels + static_cast<std::size_t>(panel) * p.panel_bytes;
  ChunkProduct product;
  product.ready = ready;
  product.acc = acc;
  product.panel_stride = count == kManyPanels ? p.panel_bytes : 0;
  const int calls = (run.last_tile - run.first_tile) * ((kTileRows + kManyRows - 1) / kManyRows);
  product.fetch_lines = (kChunkBytes / 64 + calls * kChunkBlocks - 1) / (calls * kChunkBlocks);
  for (int b = 0; b < p.layout.num_blocks; b += kChunkBlocks, chunk += kChunkBytes) {
    const int left = p.layout.num_blocks - b;
    product.num_blocks = left < kChunkBlocks ? left : kChunkBlocks;
    for (int i = 0; i < product.num_blocks * kManyPanels; ++i)
      make_ready<kFormat>(chunk + i % kManyPanels * product.panel_stride, i / kManyPanels, ready[i]);
    // After the last chunk of these panels come the first ones of the next.
    product.fetch = left > kChunkBlocks
                        ? chunk + kChunkBytes
                        : p.panels + static_cast<std::size_t>(panel + kManyPanels) * p.panel_bytes;
    multiply_tiles<kFormat>(p, run, b, product);
  }
  for (int row = 0; row < run.rows; ++row) {
    for (int j = 0; j < count; ++j)
      store_outputs(p, panel + j, run.first_row + row, load16(acc + (row * kManyPanels + j) * kPanelRows));
  }
}

// Rows whose activations stay in the second-level cache while all panels pass by.
constexpr int kCachedActivationBytes = 1 << 20;

template <PanelFormat kFormat>
inline void multiply_many_rows(const PanelProduct& p) {
  const int row_bytes = p.layout.num_blocks * static_cast<int>(sizeof(ActivationBlock));
  int tiles_at_once = kCachedActivationBytes / (row_bytes * kTileRows);
  if (tiles_at_once < 4) tiles_at_once = 4;
  if (tiles_at_once > kMaxTilesAtOnce) tiles_at_once = kMaxTilesAtOnce;
  TileRun run;
  while (run.last_tile < p.layout.num_tiles) {
    run.first_tile = run.last_tile;
    run.first_row += run.rows;
    run.rows = 0;
    for (int i = 0; i < tiles_at_once && run.last_tile < p.layout.num_tiles; ++i)
      run.rows += tile_height(p, run.last_tile++);
    for (int panel = 0; panel < p.num_panels; panel += kManyPanels) {
      const int left = p.num_panels - panel;
      multiply_run<kFormat>(p, run, panel, left < kManyPanels ? left : kManyPanels);
    }
  }
}

}  // namespace
