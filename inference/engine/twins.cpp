#include "inference/engine/twins.h"

namespace parley::inference::engine {
namespace {

// Equal keys are trusted here: a collision costs a wait, never a wrong block.
const Sequence* find_producer(const BlockKey& key, int block,
                              std::span<const std::unique_ptr<Sequence>> running) {
  const auto index = static_cast<std::size_t>(block);
  for (const auto& sequence : running) {
    if (sequence->num_published > block || sequence->keys.size() <= index) continue;
    if (sequence->keys[index] == key) return sequence.get();
  }
  return nullptr;
}

}  // namespace

bool should_wait_for_twin(Sequence& waiting, int hit_blocks,
                          std::span<const std::unique_ptr<Sequence>> running, int patience) {
  const auto keys = waiting.hit_chain().keys;
  if (static_cast<std::size_t>(hit_blocks) >= keys.size()) return false;
  const Sequence* producer = find_producer(keys[static_cast<std::size_t>(hit_blocks)], hit_blocks, running);
  if (producer == nullptr) return false;
  const bool moved = producer->id != waiting.twin || producer->num_computed != waiting.twin_progress;
  waiting.twin = producer->id;
  waiting.twin_progress = producer->num_computed;
  waiting.twin_stalls = moved ? 0 : waiting.twin_stalls + 1;
  return waiting.twin_stalls <= patience;
}

}  // namespace parley::inference::engine
