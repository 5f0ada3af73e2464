#pragma once
// Sequences for tests of the scheduler's parts, without an engine around them.

#include <memory>
#include <utility>

#include "inference/engine/sequence.h"
#include "tests/fakes/recording_sink.h"
#include "tests/inference/engine/core_harness.h"

namespace parley::inference::engine {

inline std::unique_ptr<Sequence> make_sequence(RequestId id, Request request) {
  const BlockKey root = root_key(0, request.cache_salt);
  Submission submission{id, std::move(request), std::make_shared<fakes::RecordingSink>(), Clock::now()};
  return std::make_unique<Sequence>(std::move(submission), root);
}

inline std::unique_ptr<Sequence> make_sequence(RequestId id, int num_tokens, int priority = 0) {
  Request request = toy_request(toy_tokens(num_tokens, id), 10);
  request.priority = priority;
  return make_sequence(id, std::move(request));
}

}  // namespace parley::inference::engine
