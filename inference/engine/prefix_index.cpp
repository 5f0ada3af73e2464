#include "inference/engine/prefix_index.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace parley::inference::engine {
namespace {

std::uint32_t tag_of(const BlockKey& key) { return static_cast<std::uint32_t>(key.high); }

std::size_t table_size(int num_blocks) { return std::bit_ceil(static_cast<std::size_t>(num_blocks) * 2 + 2); }

}  // namespace

PrefixIndex::PrefixIndex(int num_blocks)
    : nodes_(static_cast<std::size_t>(num_blocks)),
      slots_(table_size(num_blocks)),
      mask_(slots_.size() - 1) {}

bool PrefixIndex::is_at(const Node& node, const BlockPlace& place) const {
  return node.key == place.key && node.parent == place.parent && node.salt == place.salt &&
         std::memcmp(node.tokens.data(), place.tokens.data(), place.tokens.size_bytes()) == 0;
}

BlockId PrefixIndex::find(const BlockPlace& place) const {
  const std::uint32_t tag = tag_of(place.key);
  for (std::size_t slot = home(place.key); slots_[slot].block != kNoBlock; slot = next(slot)) {
    const BlockId block = slots_[slot].block;
    if (slots_[slot].tag == tag && is_at(nodes_[static_cast<std::size_t>(block)], place)) return block;
  }
  return kNoBlock;
}

bool PrefixIndex::has_key(const BlockKey& key) const {
  const std::uint32_t tag = tag_of(key);
  for (std::size_t slot = home(key); slots_[slot].block != kNoBlock; slot = next(slot)) {
    const Node& node = nodes_[static_cast<std::size_t>(slots_[slot].block)];
    if (slots_[slot].tag == tag && node.key == key) return true;
  }
  return false;
}

void PrefixIndex::insert(BlockId block, const BlockPlace& place) {
  Node& node = nodes_[static_cast<std::size_t>(block)];
  assert(!node.indexed && find(place) == kNoBlock);
  assert(place.parent == kNoBlock || contains(place.parent));
  node.key = place.key;
  node.salt = place.salt;
  node.parent = place.parent;
  node.num_children = 0;
  node.indexed = true;
  std::copy(place.tokens.begin(), place.tokens.end(), node.tokens.begin());
  if (place.parent != kNoBlock) ++nodes_[static_cast<std::size_t>(place.parent)].num_children;

  std::size_t slot = home(place.key);
  while (slots_[slot].block != kNoBlock) slot = next(slot);
  slots_[slot] = {block, tag_of(place.key)};
}

void PrefixIndex::erase(BlockId block) {
  Node& node = nodes_[static_cast<std::size_t>(block)];
  assert(node.indexed && node.num_children == 0);
  node.indexed = false;
  if (node.parent != kNoBlock) --nodes_[static_cast<std::size_t>(node.parent)].num_children;

  std::size_t hole = home(node.key);
  while (slots_[hole].block != block) hole = next(hole);
  // Later entries of the run move up unless that would put them before their home.
  for (std::size_t slot = next(hole); slots_[slot].block != kNoBlock; slot = next(slot)) {
    const std::size_t wanted = home(nodes_[static_cast<std::size_t>(slots_[slot].block)].key);
    if (((slot - wanted) & mask_) < ((slot - hole) & mask_)) continue;
    slots_[hole] = slots_[slot];
    hole = slot;
  }
  slots_[hole] = {};
}

BlockPlace PrefixIndex::place(BlockId block) const {
  const Node& node = nodes_[static_cast<std::size_t>(block)];
  return {node.key, node.parent, node.salt, BlockTokens(node.tokens)};
}

}  // namespace parley::inference::engine
