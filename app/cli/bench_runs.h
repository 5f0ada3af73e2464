#pragma once
// The measurements of parley bench, each through the engine as a chat would use it. Main thread.
// Throws std::runtime_error when the engine refuses or fails a run.

#include <vector>

#include <boost/json/object.hpp>

#include "inference/engine/engine.h"

namespace parley::app::cli {

// Tokens of the prompts in batches, and the least depth that is measured.
inline constexpr int kBatchPrompt = 16;

struct BenchPlan {
  int prompt = 512;           // tokens to prefill
  int gen = 128;              // tokens to decode
  std::vector<long> depths;   // context before decoding, one sequence
  std::vector<long> batches;  // sequences at once, short prompts
};

// Tokens a second with which a prompt of so many random ids is read, once, the engine being warm.
double prefill_rate(inference::engine::Engine& engine, int tokens, int vocab_size);

// Keys prefill, decode, batch, skipped_depths; rates in tokens per second, the best of three.
boost::json::object run_plan(inference::engine::Engine& engine, const BenchPlan& plan, int vocab_size);

}  // namespace parley::app::cli
