#include "retrieval/search/vector_follower.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace parley::retrieval::search {
namespace {

constexpr int kFeedPassages = 4096;
constexpr std::size_t kRetryPassages = 256;
// What is in memory only is written to the file and mapped from there: it need not be in memory twice as the
// store's pages and ours, and a crash costs that much at most.
constexpr std::size_t kMaxUnsaved = 131'072;

}  // namespace

using index::PassageId;
using index::PassageKey;

VectorFollower::VectorFollower(index::DocumentStore& store, FollowedModel model)
    : store_(store), model_(std::move(model)), index_(index::make_exact_index(model_.dim)) {}

VectorFollower::~VectorFollower() {
  try {
    if (num_unsaved_ > 0 && !model_.file.empty()) index_->save(model_.file, model_.fingerprint);
  } catch (const std::exception&) {
    // The file only saves work: it is made again from the store.
  }
}

index::PassageChanges VectorFollower::all_changes() {
  index::PassageChanges all;
  for (bool more = true; more;) {
    const index::PassageChanges changes = store_.changes_since(mark_, kFeedPassages);
    all.added.insert(all.added.end(), changes.added.begin(), changes.added.end());
    all.gone.insert(all.gone.end(), changes.gone.begin(), changes.gone.end());
    mark_ = changes.mark;
    more = changes.more;
  }
  return all;
}

// Takes over an index from a file: what does not answer any more goes, what it lacks is looked for.
void VectorFollower::adopt(std::unique_ptr<index::VectorIndex> index, const Keys& answering) {
  std::unordered_map<PassageId, index::CollectionId> collections;
  for (const PassageKey& key : answering) collections[key.id] = key.collection;
  std::unordered_set<PassageId> known;
  std::vector<PassageId> gone;
  for (const PassageId id : index->slots())
    (collections.contains(id) ? void(known.insert(id)) : gone.push_back(id));
  index->remove(gone);
  num_unsaved_ += gone.size();
  const std::unique_lock lock(mutex_);
  index_ = std::move(index);
  for (const PassageId id : index_->slots()) owners_.push_back({id, id == 0 ? 0 : collections[id]});
  for (const PassageKey& key : answering) {
    if (!known.contains(key.id)) missing_.push_back(key);
  }
}

void VectorFollower::load() {
  loaded_ = true;
  if (model_.file.empty()) return;
  auto index = index::load_exact_index(model_.file, model_.fingerprint);
  if (index == nullptr || index->dim() != model_.dim) return;
  const index::PassageChanges changes = all_changes();
  adopt(std::move(index), changes.added);
  take_out(changes.gone);  // some may have gone while the others were told of
}

std::size_t VectorFollower::add_cached(std::span<const PassageKey> keys, Keys& missing) {
  std::vector<index::TextHash> texts;
  for (const PassageKey& key : keys) texts.push_back(key.text_hash);
  const std::vector<std::vector<float>> vectors = store_.cached_vectors(model_.fingerprint, texts);
  std::vector<PassageId> ids;
  std::vector<float> rows;
  std::vector<SlotOwner> owners;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (vectors[i].size() != static_cast<std::size_t>(model_.dim)) {
      missing.push_back(keys[i]);
      continue;
    }
    ids.push_back(keys[i].id);
    owners.push_back({keys[i].id, keys[i].collection});
    rows.insert(rows.end(), vectors[i].begin(), vectors[i].end());
  }
  const std::unique_lock lock(mutex_);
  index_->add(ids, rows);
  owners_.insert(owners_.end(), owners.begin(), owners.end());
  num_unsaved_ += ids.size();
  return ids.size();
}

// From the beginning for as long as there is something; what is still missing goes to the end.
void VectorFollower::retry_missing() {
  Keys missing;
  {
    const std::shared_lock lock(mutex_);
    missing = missing_;
  }
  Keys still;
  std::size_t tried = 0;
  while (tried < missing.size()) {
    const std::size_t count = std::min(kRetryPassages, missing.size() - tried);
    const std::size_t found = add_cached(std::span(missing).subspan(tried, count), still);
    tried += count;
    if (found == 0) break;
  }
  missing.erase(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(tried));
  missing.insert(missing.end(), still.begin(), still.end());
  const std::unique_lock lock(mutex_);
  missing_ = std::move(missing);
}

void VectorFollower::take_out(std::span<const index::PassageRange> gone) {
  std::vector<PassageId> ids;
  for (const index::PassageRange& range : gone)
    for (PassageId id = range.first; id <= range.last; ++id) ids.push_back(id);
  if (ids.empty()) return;
  const auto is_gone = [&](const PassageKey& key) {
    return std::any_of(gone.begin(), gone.end(), [&](const index::PassageRange& range) {
      return range.first <= key.id && key.id <= range.last;
    });
  };
  const std::unique_lock lock(mutex_);
  std::erase_if(missing_, is_gone);
  index_->remove(ids);
  num_unsaved_ += ids.size();
  const std::vector<PassageId> slots = index_->slots();
  if (slots.size() == owners_.size()) return;
  // It was compacted: the slots that are left are in the order in which they were.
  std::size_t kept = 0;
  for (const SlotOwner& owner : owners_) {
    if (kept < slots.size() && owner.passage == slots[kept]) owners_[kept++] = owner;
  }
  owners_.resize(kept);
}

void VectorFollower::fold_into_file() {
  num_unsaved_ = 0;
  try {
    index_->save(model_.file, model_.fingerprint);
  } catch (const std::runtime_error&) {
    return;  // a full disk: what is in memory goes on answering
  }
  auto mapped = index::load_exact_index(model_.file, model_.fingerprint);
  if (mapped == nullptr) return;
  const std::unique_lock lock(mutex_);
  std::unordered_map<PassageId, index::CollectionId> collections;
  for (const SlotOwner& owner : owners_) collections[owner.passage] = owner.collection;
  index_ = std::move(mapped);
  owners_.clear();
  for (const PassageId id : index_->slots()) owners_.push_back({id, collections[id]});
}

void VectorFollower::refresh() {
  const std::lock_guard refreshing(refresh_mutex_);
  if (!loaded_) load();
  for (bool more = true; more;) {
    const index::PassageChanges changes = store_.changes_since(mark_, kFeedPassages);
    Keys missing;
    if (!changes.added.empty()) add_cached(changes.added, missing);
    take_out(changes.gone);
    mark_ = changes.mark;
    more = changes.more;
    const std::unique_lock lock(mutex_);
    missing_.insert(missing_.end(), missing.begin(), missing.end());
  }
  retry_missing();
  if (num_unsaved_ > kMaxUnsaved && !model_.file.empty()) fold_into_file();
}

std::vector<std::uint64_t> VectorFollower::filter_of(std::span<const index::CollectionId> collections) const {
  std::vector<std::uint64_t> words((owners_.size() + 63) / 64);
  for (std::size_t slot = 0; slot < owners_.size(); ++slot) {
    const bool wanted =
        std::find(collections.begin(), collections.end(), owners_[slot].collection) != collections.end();
    if (wanted) words[slot / 64] |= std::uint64_t{1} << (slot % 64);
  }
  return words;
}

std::vector<index::ScoredPassage> VectorFollower::search(std::span<const float> query,
                                                         std::span<const index::CollectionId> collections,
                                                         int limit) const {
  const std::shared_lock lock(mutex_);
  if (collections.empty()) return index_->search(query, limit, {});
  const std::vector<std::uint64_t> words = filter_of(collections);
  if (words.empty()) return {};  // an empty filter would mean all
  return index_->search(query, limit, {words});
}

std::size_t VectorFollower::num_missing() const {
  const std::shared_lock lock(mutex_);
  return missing_.size();
}

}  // namespace parley::retrieval::search
