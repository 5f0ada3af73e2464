#pragma once
// Packs units into passages: each border lies where the score of the break is best, less the further it is
// from the wanted size. One thread at a time.
//
// Holds at most about two passages of units. The counter is handed each passage's text once, and again only
// when the whole has more tokens than its parts.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "retrieval/chunking/chunker.h"
#include "retrieval/chunking/unit.h"

namespace parley::retrieval::chunking {

class PassagePacker {
 public:
  // All outlive it. `options` as they are to be used: target at most max.
  PassagePacker(std::string_view text, const TokenCounter& counter, const ChunkOptions& options,
                std::vector<Chunk>& chunks)
      : text_(text), counter_(counter), options_(options), chunks_(chunks) {}

  // Of the passages from now on; no units may be waiting.
  void set_heading_path(std::vector<std::string> path) { heading_path_ = std::move(path); }
  void add(const Unit& unit);
  void finish_section();  // makes passages of all that waits
  int waiting_tokens() const { return cost(units_.size()); }

 private:
  int cost(std::size_t count) const;  // of the first units, their table's header included
  std::size_t most_that_fit(int limit) const;
  std::size_t best_border(std::size_t most) const;
  void make_chunk();
  void append_chunk(std::size_t& count);
  std::string text_of(std::size_t count, bool with_header) const;
  void drop(std::size_t count);
  std::size_t overlap_before(std::size_t border) const;

  std::string_view text_;
  const TokenCounter& counter_;
  const ChunkOptions& options_;
  std::vector<Chunk>& chunks_;
  std::vector<std::string> heading_path_;
  std::vector<Unit> units_;
  std::vector<std::int64_t> totals_;  // costs of the units up to and with each
  std::size_t num_repeated_ = 0;      // units at the front that are in the passage before too
};

}  // namespace parley::retrieval::chunking
