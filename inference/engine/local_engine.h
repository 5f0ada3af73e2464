#pragma once
// Makes the in-process engine. The engine thread is started here and owns scheduler, KV blocks and prefix
// index; `runner` is used by that thread only.

#include <chrono>
#include <cstdint>
#include <memory>

#include "inference/engine/engine.h"
#include "inference/engine/model_runner.h"

namespace parley::inference::engine {

struct EngineOptions {
  int num_blocks = 0;                        // KV blocks of the backend
  int max_context = 0;                       // tokens of prompt and answer together
  int max_sequences = 16;                    // running at once; at most max_step_tokens are
  int max_waiting = 256;                     // queue; beyond it submit is rejected
  int max_step_tokens = 256;                 // rows of the largest step
  std::chrono::milliseconds step_time{100};  // prefill beside running streams is cut to add at most this
  int vocab_size = 0;
  std::uint64_t cache_root = 0;  // model fingerprint, KV type and rope settings, hashed
};

std::unique_ptr<Engine> make_local_engine(std::unique_ptr<ModelRunner> runner, const EngineOptions& options);

}  // namespace parley::inference::engine
