#pragma once
// The seam for nearest neighbours: unit vectors by passage, inner product.
//
// add and remove belong to one thread; search may run beside them on any thread and sees a state before or
// after. Throws std::runtime_error for a file that cannot be written; a file that cannot be believed is
// reported by load.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "retrieval/index/stored_document.h"

namespace parley::retrieval::index {

// Which passages may be found: bit i of word i / 64 stands for slot i of the index, see VectorIndex::slots.
struct SlotFilter {
  std::span<const std::uint64_t> words;  // empty: all
};

class VectorIndex {
 public:
  virtual ~VectorIndex() = default;
  // [ids.size(), dim] f32, each of length 1.
  virtual void add(std::span<const PassageId> ids, std::span<const float> rows) = 0;
  virtual void remove(std::span<const PassageId> ids) = 0;
  // Best first, at most k; exact up to the re-scoring of the k * 8 best int8 candidates (at least 64) in f16.
  virtual std::vector<ScoredPassage> search(std::span<const float> query, int k,
                                            const SlotFilter& filter) const = 0;
  virtual std::size_t size() const = 0;
  virtual int dim() const = 0;
  // The passage of each slot, 0 for one that was removed; slots change only in add and compaction.
  virtual std::vector<PassageId> slots() const = 0;
  // Writes a temporary file, flushes, renames, flushes the folder: the file is whole or the old one.
  virtual void save(const std::filesystem::path& file, std::string_view model) const = 0;
};

// int8 with one scale a row, scanned whole (kernels/cpu), the best re-scored from f16.
std::unique_ptr<VectorIndex> make_exact_index(int dim);
// null: the file is missing, torn, of another model or version; it is to be made anew from the store.
std::unique_ptr<VectorIndex> load_exact_index(const std::filesystem::path& file, std::string_view model);

}  // namespace parley::retrieval::index
