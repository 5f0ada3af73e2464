#include <algorithm>
#include <array>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "kernels/cpu/isa.h"
#include "kernels/cpu/vector_scan.h"
#include "retrieval/index/vector_file.h"
#include "retrieval/index/vector_index.h"
#include "retrieval/index/vector_rows.h"

namespace parley::retrieval::index {
namespace {

using kernels::cpu::kScanRows;
using kernels::cpu::VectorKernels;

constexpr std::size_t kScanBlocks = 64;  // scored at once: a multiple of 64 rows, so whole words of a filter
constexpr std::size_t kMinCandidates = 64;
constexpr std::size_t kCandidatesPerResult = 8;
constexpr std::size_t kMinRemoved = 1024;  // compaction is not worth it below

struct Candidate {
  float score = 0.0F;
  std::size_t slot = 0;
};

// The best `count` so far; the least of them at the front of a heap is what others have to beat.
class BestCandidates {
 public:
  explicit BestCandidates(std::size_t count) : count_(count) { heap_.reserve(count); }

  bool wants(float score) const { return heap_.size() < count_ || score > heap_.front().score; }
  void add(const Candidate& candidate) {
    if (heap_.size() == count_) {
      std::pop_heap(heap_.begin(), heap_.end(), is_better);
      heap_.pop_back();
    }
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end(), is_better);
  }
  const std::vector<Candidate>& all() const { return heap_; }

 private:
  static bool is_better(const Candidate& a, const Candidate& b) { return a.score > b.score; }

  std::size_t count_;
  std::vector<Candidate> heap_;
};

class ExactIndex : public VectorIndex {
 public:
  explicit ExactIndex(VectorFile content)
      : kernels_(kernels::cpu::vector_kernels(kernels::cpu::selected_isa())),
        dim_(content.rows.dim()),
        content_(std::move(content)) {
    slot_of_.reserve(content_.ids.size());
    for (std::size_t slot = 0; slot < content_.ids.size(); ++slot) slot_of_[content_.ids[slot]] = slot;
  }

  void add(std::span<const PassageId> ids, std::span<const float> rows) override;
  void remove(std::span<const PassageId> ids) override;
  std::vector<ScoredPassage> search(std::span<const float> query, int k,
                                    const SlotFilter& filter) const override;
  std::size_t size() const override {
    const std::shared_lock lock(mutex_);
    return slot_of_.size();
  }
  int dim() const override { return dim_; }
  std::vector<PassageId> slots() const override {
    const std::shared_lock lock(mutex_);
    return content_.ids;
  }
  void save(const std::filesystem::path& file, std::string_view model) const override;

 private:
  void check_width(std::size_t floats, std::size_t vectors) const;
  void remove_slot(PassageId id);
  VectorFile compacted() const;
  bool may_be_found(std::size_t slot, const SlotFilter& filter) const;
  void scan(const CodedVector& query, const SlotFilter& filter, BestCandidates& best) const;

  const VectorKernels& kernels_;
  const int dim_;
  mutable std::shared_mutex mutex_;  // searches share it
  VectorFile content_;               // ids: 0 where one was removed
  std::unordered_map<PassageId, std::size_t> slot_of_;
};

void ExactIndex::check_width(std::size_t floats, std::size_t vectors) const {
  if (floats != vectors * static_cast<std::size_t>(dim()))
    throw std::runtime_error("Vectors of another width than the index of " + std::to_string(dim()) + ".");
}

void ExactIndex::add(std::span<const PassageId> ids, std::span<const float> rows) {
  check_width(rows.size(), ids.size());
  const auto width = static_cast<std::size_t>(dim());
  const std::unique_lock lock(mutex_);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    remove_slot(ids[i]);
    slot_of_[ids[i]] = content_.ids.size();
    content_.ids.push_back(ids[i]);
    content_.rows.append(rows.subspan(i * width, width));
  }
}

void ExactIndex::remove_slot(PassageId id) {
  const auto found = slot_of_.find(id);
  if (found == slot_of_.end()) return;
  content_.ids[found->second] = 0;
  slot_of_.erase(found);
}

void ExactIndex::remove(std::span<const PassageId> ids) {
  const std::unique_lock lock(mutex_);
  for (const PassageId id : ids) remove_slot(id);
  const std::size_t removed = content_.ids.size() - slot_of_.size();
  if (removed < kMinRemoved || removed * 5 < content_.ids.size()) return;
  content_ = compacted();
  for (std::size_t slot = 0; slot < content_.ids.size(); ++slot) slot_of_[content_.ids[slot]] = slot;
}

VectorFile ExactIndex::compacted() const {
  VectorFile kept{{}, VectorRows(dim())};
  for (std::size_t slot = 0; slot < content_.ids.size(); ++slot) {
    if (content_.ids[slot] == 0) continue;
    kept.ids.push_back(content_.ids[slot]);
    kept.rows.append_copy(content_.rows, slot);
  }
  return kept;
}

bool ExactIndex::may_be_found(std::size_t slot, const SlotFilter& filter) const {
  if (content_.ids[slot] == 0) return false;
  if (filter.words.empty()) return true;
  return slot / 64 < filter.words.size() && (filter.words[slot / 64] >> (slot % 64) & 1) != 0;
}

bool none_wanted(const SlotFilter& filter, std::size_t first_slot, std::size_t count) {
  if (filter.words.empty()) return false;
  const std::size_t first = std::min(first_slot / 64, filter.words.size());
  const std::size_t last = std::min((first_slot + count + 63) / 64, filter.words.size());
  return std::all_of(filter.words.begin() + static_cast<std::ptrdiff_t>(first),
                     filter.words.begin() + static_cast<std::ptrdiff_t>(last),
                     [](std::uint64_t word) { return word == 0; });
}

void ExactIndex::scan(const CodedVector& query, const SlotFilter& filter, BestCandidates& best) const {
  std::array<float, kScanBlocks * kScanRows> scores{};
  const auto row_bytes = static_cast<std::size_t>(content_.rows.padded_dim());
  std::size_t chunk_begin = 0;
  for (const VectorChunk& chunk : content_.rows.chunks()) {
    for (std::size_t row = 0; row < chunk.rows; row += scores.size()) {
      const std::size_t count = std::min(scores.size(), chunk.rows - row);
      if (none_wanted(filter, chunk_begin + row, count)) continue;
      kernels_.scan(scores.data(), {.codes = chunk.codes + row * row_bytes,
                                    .scales = chunk.scales + row,
                                    .query = query.codes.data(),
                                    .num_blocks = static_cast<int>((count + kScanRows - 1) / kScanRows),
                                    .dim = content_.rows.padded_dim()});
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t slot = chunk_begin + row + i;
        if (best.wants(scores[i]) && may_be_found(slot, filter)) best.add({scores[i], slot});
      }
    }
    chunk_begin += chunk.rows;
  }
}

std::vector<ScoredPassage> ExactIndex::search(std::span<const float> query, int k,
                                              const SlotFilter& filter) const {
  check_width(query.size(), 1);
  std::vector<ScoredPassage> found;
  if (k <= 0) return found;
  const std::shared_lock lock(mutex_);
  const auto wanted = static_cast<std::size_t>(k);
  BestCandidates best(std::max(kMinCandidates, std::min(wanted, content_.ids.size()) * kCandidatesPerResult));
  scan(code_vector(query, content_.rows.padded_dim()), filter, best);
  std::vector<float> padded(query.begin(), query.end());
  padded.resize(static_cast<std::size_t>(content_.rows.padded_dim()));
  for (const Candidate& candidate : best.all()) {
    const float score =
        kernels_.dot_half(padded.data(), content_.rows.halves(candidate.slot), content_.rows.padded_dim());
    found.push_back({content_.ids[candidate.slot], score});
  }
  std::sort(found.begin(), found.end(), [](const ScoredPassage& a, const ScoredPassage& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  if (found.size() > wanted) found.resize(wanted);
  return found;
}

void ExactIndex::save(const std::filesystem::path& file, std::string_view model) const {
  const std::shared_lock lock(mutex_);
  if (slot_of_.size() == content_.ids.size()) {
    write_vector_file(file, model, content_);
  } else {
    write_vector_file(file, model, compacted());
  }
}

}  // namespace

std::unique_ptr<VectorIndex> make_exact_index(int dim) {
  return std::make_unique<ExactIndex>(VectorFile{{}, VectorRows(dim)});
}

std::unique_ptr<VectorIndex> load_exact_index(const std::filesystem::path& file, std::string_view model) {
  std::optional<VectorFile> content = map_vector_file(file, model);
  if (!content) return nullptr;
  return std::make_unique<ExactIndex>(std::move(*content));
}

}  // namespace parley::retrieval::index
