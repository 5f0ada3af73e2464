#include "kernels/cpu/packed_linear.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "kernels/cpu/pack_panel.h"
#include "kernels/cpu/panel_traits.h"
#include "kernels/cpu/unpack_panel.h"
#include "kernels/dtypes/dequantize.h"

namespace parley::kernels::cpu {

namespace {

constexpr std::size_t kSlabBytes = std::size_t{64} << 20;  // address space; memory is taken as it is written
constexpr std::size_t kAlignment = 64;

PackedLinear::Part make_part(const dtypes::MatrixView& matrix, const dtypes::MatrixView& bias,
                             WeightArena& arena) {
  PackedLinear::Part part;
  part.source = matrix;
  part.bias_source = bias;
  part.format = panel_format(matrix.dtype);
  part.num_panels = static_cast<int>((matrix.rows + kPanelRows - 1) / kPanelRows);
  part.panel_bytes = panel_bytes(part.format, matrix.columns);
  part.panels = arena.allocate(part.panel_bytes * static_cast<std::size_t>(part.num_panels));
  if (bias.data != nullptr) {
    assert(bias.columns == matrix.rows);
    const std::size_t values = static_cast<std::size_t>(part.num_panels) * kPanelRows;
    part.bias = reinterpret_cast<float*>(arena.allocate(values * sizeof(float)));
  }
  return part;
}

// Biases are short vectors and stored as F32 in practice: decoding one anew for each range costs nothing that
// counts.
void pack_bias(const PackedLinear::Part& part, int first, int last) {
  std::vector<float> values(static_cast<std::size_t>(part.source.rows));
  dtypes::dequantize_row(part.bias_source, 0, values);
  const auto begin = static_cast<std::size_t>(first) * kPanelRows;
  const auto end = std::min(static_cast<std::size_t>(last) * kPanelRows, values.size());
  std::copy(values.begin() + static_cast<std::ptrdiff_t>(begin),
            values.begin() + static_cast<std::ptrdiff_t>(end), part.bias + begin);
}

bool is_file_mapping(std::uintptr_t begin, std::uintptr_t end) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    unsigned long from = 0;
    unsigned long to = 0;
    unsigned long inode = 0;
    char writable = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx r%c%*2c %*x %*x:%*x %lu", &from, &to, &writable, &inode) != 4)
      continue;
    if (from <= begin && end <= to) return inode != 0 && writable == '-';
  }
  return false;
}

}  // namespace

std::byte* WeightArena::allocate(std::size_t bytes) {
  const std::size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (slabs_.empty() || slabs_.back().bytes() - slab_used_ < whole) {
    slabs_.emplace_back(std::max(whole, kSlabBytes));
    slab_used_ = 0;
  }
  std::byte* memory = slabs_.back().data() + slab_used_;
  slab_used_ += whole;
  bytes_used_ += whole;
  return memory;
}

PackedLinear::PackedLinear(std::span<const dtypes::MatrixView> parts,
                           std::span<const dtypes::MatrixView> biases, WeightArena& arena) {
  assert(!parts.empty() && (biases.empty() || biases.size() == parts.size()));
  columns_ = static_cast<int>(parts[0].columns);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    assert(parts[i].columns == columns_);
    Part part = make_part(parts[i], biases.empty() ? dtypes::MatrixView{} : biases[i], arena);
    part.first_panel = num_panels_;
    part.first_output = outputs_;
    num_panels_ += part.num_panels;
    outputs_ += static_cast<int>(parts[i].rows);
    parts_.push_back(part);
  }
}

void PackedLinear::pack(PanelRange range) {
  assert(0 <= range.first && range.last <= num_panels_);
  for (const Part& part : parts_) {
    const int first = std::max(range.first - part.first_panel, 0);
    const int last = std::min(range.last - part.first_panel, part.num_panels);
    if (first >= last) continue;
    for (int panel = first; panel < last; ++panel) {
      pack_panel(part.source, std::int64_t{panel} * kPanelRows,
                 part.panels + static_cast<std::size_t>(panel) * part.panel_bytes);
    }
    if (part.bias != nullptr) pack_bias(part, first, last);
  }
}

std::size_t PackedLinear::bytes() const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) bytes += part.panel_bytes * static_cast<std::size_t>(part.num_panels);
  return bytes;
}

bool PackedLinear::reads_quantized() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return !is_float_format(part.format); });
}

bool PackedLinear::reads_float() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return is_float_format(part.format); });
}

void PackedLinear::unpack_row(int output, std::span<float> out) const {
  assert(0 <= output && output < outputs_ && static_cast<int>(out.size()) == columns_);
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), output, [](int wanted, const Part& part) {
    return wanted < part.first_output;
  });
  const Part& part = *std::prev(after);
  const int row = output - part.first_output;
  const std::byte* panel = part.panels + static_cast<std::size_t>(row / kPanelRows) * part.panel_bytes;
  unpack_panel_row(part.format, panel, row % kPanelRows, out);
}

PanelRange PackedLinear::share(int index, int count) const {
  const auto edge = [&](int i) {
    std::size_t wanted = bytes() * static_cast<std::size_t>(i) / static_cast<std::size_t>(count);
    for (const Part& part : parts_) {
      const std::size_t part_bytes = part.panel_bytes * static_cast<std::size_t>(part.num_panels);
      if (wanted < part_bytes) {
        return part.first_panel + static_cast<int>((wanted + part.panel_bytes / 2) / part.panel_bytes);
      }
      wanted -= part_bytes;
    }
    return num_panels_;
  };
  return {edge(index), edge(index + 1)};
}

void drop_source_pages(const dtypes::MatrixView& matrix) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(matrix.data);
  const std::uintptr_t begin = (start + page - 1) / page * page;
  const std::uintptr_t end = (start + dtypes::stored_bytes(matrix)) / page * page;
  // MADV_DONTNEED would erase memory that has no file behind it.
  if (begin < end && is_file_mapping(begin, end))
    madvise(const_cast<std::byte*>(matrix.data) + (begin - start), end - begin, MADV_DONTNEED);
}

}  // namespace parley::kernels::cpu
