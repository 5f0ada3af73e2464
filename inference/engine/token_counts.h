#pragma once
// How often each token occurs in a request's prompt and answer, for the repetition penalty: unique ids,
// sorted. Lives on the engine thread. Cannot fail.

#include <cstdint>
#include <span>
#include <vector>

#include "inference/backend/step_plan.h"

namespace parley::inference::engine {

class TokenCounts {
 public:
  TokenCounts() = default;
  explicit TokenCounts(std::span<const std::int32_t> tokens);

  void add(std::int32_t token_id);
  std::span<const backend::TokenCount> view() const { return counts_; }

 private:
  std::vector<backend::TokenCount> counts_;  // ascending by token_id
};

}  // namespace parley::inference::engine
