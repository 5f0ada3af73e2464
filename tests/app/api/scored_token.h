#pragma once
// Tokens with scores, for tests of the answers' JSON.

#include <string>

#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

// Its only candidate is the token itself.
inline orchestration::turn::ScoredToken scored_token(const std::string& bytes, float logprob) {
  orchestration::turn::ScoredToken score;
  score.bytes = bytes;
  score.logprob = logprob;
  score.top.emplace_back(bytes, logprob);
  return score;
}

}  // namespace parley::app::api
