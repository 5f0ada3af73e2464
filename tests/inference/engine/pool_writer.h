#pragma once
// Fills a BlockPool as the scheduler does, with blocks whose sixteen tokens are all the same symbol.

#include <functional>
#include <vector>

#include "inference/engine/block_pool.h"

namespace parley::inference::engine {

class PoolWriter {
 public:
  explicit PoolWriter(BlockPool& pool) : pool_(pool) {}

  // Hits what is there, computes and publishes the rest; the table, referenced.
  std::vector<BlockId> write(const std::vector<int>& symbols, std::uint64_t salt) {
    std::vector<BlockId> table = match(symbols, salt);
    pool_.acquire(table);
    while (table.size() < symbols.size()) {
      const BlockId block = pool_.allocate();
      if (when_allocated) when_allocated(block);
      const std::vector<int> prefix(symbols.begin(),
                                    symbols.begin() + static_cast<std::ptrdiff_t>(table.size() + 1));
      table.push_back(publish(block, prefix, salt, table.empty() ? kNoBlock : table.back()));
    }
    return table;
  }
  // Publishes the last block of `prefix`.
  BlockId publish(BlockId block, const std::vector<int>& prefix, std::uint64_t salt, BlockId parent) {
    const auto tokens = tokens_of(prefix);
    const auto keys = keys_of(tokens, salt);
    const BlockChain chain{keys, tokens, salt};
    return pool_.publish(block, {keys.back(), parent, salt, chain.block_tokens(keys.size() - 1)});
  }
  std::vector<BlockId> match(const std::vector<int>& symbols, std::uint64_t salt) const {
    const auto tokens = tokens_of(symbols);
    const auto keys = keys_of(tokens, salt);
    std::vector<BlockId> blocks;
    pool_.match({keys, tokens, salt}, blocks);
    return blocks;
  }
  int estimate(const std::vector<int>& symbols, std::uint64_t salt) const {
    return pool_.estimate_match(keys_of(tokens_of(symbols), salt));
  }

  std::function<void(BlockId)> when_allocated;  // its former contents are gone

 private:
  static std::vector<std::int32_t> tokens_of(const std::vector<int>& symbols) {
    std::vector<std::int32_t> tokens;
    for (const int symbol : symbols) tokens.insert(tokens.end(), backend::kBlockTokens, symbol);
    return tokens;
  }
  static std::vector<BlockKey> keys_of(const std::vector<std::int32_t>& tokens, std::uint64_t salt) {
    std::vector<BlockKey> keys;
    BlockKey parent = root_key(0, salt);
    for (std::size_t i = 0; i < tokens.size(); i += backend::kBlockTokens) {
      parent = chain_key(parent, BlockTokens(std::span(tokens).subspan(i, backend::kBlockTokens)));
      keys.push_back(parent);
    }
    return keys;
  }

  BlockPool& pool_;
};

}  // namespace parley::inference::engine
