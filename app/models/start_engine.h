#pragma once
// From an opened model to a running engine: weights, backend, KV cache, in what memory there is. Called on
// any one thread; the engine starts a thread of its own. Throws std::runtime_error with a sentence for the
// user when the file is damaged or memory too short.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "app/models/open_model.h"
#include "inference/backend/backend.h"
#include "inference/engine/engine.h"
#include "inference/engine/side_work.h"

namespace parley::app::models {

struct LoadOptions {
  int threads = 0;            // 0: all cores
  int context = 0;            // 0: min(model, 8192)
  std::size_t kv_memory = 0;  // bytes; 0: a quarter of free memory
  inference::backend::KvType kv_type = inference::backend::KvType::f16;
  std::chrono::milliseconds step_time{100};
  int max_sequences = 16;
  int max_waiting = 256;
  // Compute threads that the model shares (`threads` of them), and what else runs on them; null: its own, and
  // nothing.
  std::shared_ptr<kernels::cpu::ComputePool> pool{};
  std::shared_ptr<inference::engine::SideWork> side_work{};
};

struct EngineReport {
  std::string backend;  // "cpu avx512"
  int threads = 0;
  int context = 0;
  int num_blocks = 0;
  std::size_t kv_bytes = 0;
};

// Loads the weights of `model`, closes its file (model.file is null afterwards) and starts the engine. From
// then on the file may be changed, shortened or removed. While it loads it must be left alone: shortening it
// then can end the process (mapped_file.h); other changes are an error.
std::unique_ptr<inference::engine::Engine> start_engine(OpenedModel& model, const LoadOptions& options,
                                                        const std::function<void(double)>& progress,
                                                        EngineReport& report);

// Tokens of prompt and answer together: `wanted`, or for 0 the model's own limit, at most 8192. Throws
// std::runtime_error when the model was not trained for as many.
int choose_context(int wanted, int trained);

// `wanted`, or for 0 one for each core.
int choose_threads(int wanted);

// "a quarter of what is free", in KV blocks, at least one context and no more than all sequences can use.
// Throws std::runtime_error when `kv_memory` does not hold two blocks.
// `free_bytes` is asked only when `kv_memory` is 0: where it cannot be told, a size that was given still
// works.
int choose_num_blocks(const LoadOptions& options, std::size_t block_bytes,
                      const std::function<std::size_t()>& free_bytes, int context);

// MemAvailable of this machine, in bytes.
std::size_t free_memory();

}  // namespace parley::app::models
