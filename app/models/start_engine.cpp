#include "app/models/start_engine.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "inference/engine/local_engine.h"
#include "inference/engine/model_runner.h"
#include "inference/model/transformer.h"

namespace parley::app::models {
namespace {

using inference::backend::Backend;
using inference::backend::kBlockTokens;

constexpr int kDefaultContext = 8192;
constexpr int kStepTokens = 256;
constexpr std::size_t kFreeShare = 4;  // the KV cache takes a quarter of free memory by default

// The real model behind the engine. Order matters: the transformer refers to the backend. The file is read by
// the constructor only.
class TransformerRunner : public inference::engine::ModelRunner {
 public:
  TransformerRunner(const inference::formats::GgufFile& file, std::unique_ptr<Backend> backend,
                    const std::function<void(double)>& progress)
      : backend_(std::move(backend)),
        transformer_(inference::model::make_transformer(file, *backend_, progress)) {}

  std::vector<inference::backend::SampledToken> run(const inference::backend::StepPlan& plan,
                                                    const inference::backend::SamplePlan& sampling) override {
    return transformer_->forward(plan, sampling);
  }
  std::vector<inference::backend::SampledToken> draw_again(
      const inference::backend::SamplePlan& sampling) override {
    return transformer_->draw_again(sampling);
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<inference::model::Transformer> transformer_;
};

// Cached prefixes are shared only between equal roots; the engine adds the request's salt.
std::uint64_t cache_root(const OpenedModel& model, const LoadOptions& options) {
  const std::string identity = model.name + '\0' + std::to_string(model.file->file_bytes()) + '\0' +
                               std::to_string(static_cast<int>(options.kv_type));
  return std::hash<std::string>{}(identity);
}

std::size_t block_bytes_of(const OpenedModel& model, const LoadOptions& options) {
  return inference::backend::kv_block_bytes(model.config.shape, options.kv_type);
}

inference::engine::EngineOptions engine_options(const OpenedModel& model, const LoadOptions& options) {
  const auto free_bytes = [weights = model.file->file_bytes()]() -> std::size_t {
    const std::size_t free = free_memory();
    return free > weights ? free - weights : 0;
  };
  inference::engine::EngineOptions engine;
  engine.max_context = choose_context(options.context, model.config.max_context);
  engine.num_blocks =
      choose_num_blocks(options, block_bytes_of(model, options), free_bytes, engine.max_context);
  engine.scheduling.max_sequences = options.max_sequences;
  engine.max_waiting = options.max_waiting;
  engine.scheduling.max_step_tokens = std::max(kStepTokens, options.max_sequences + 8);
  engine.scheduling.step_time = options.step_time;
  engine.vocab_size = model.config.shape.vocab_size;
  engine.cache_root = cache_root(model, options);
  return engine;
}

inference::backend::BackendOptions backend_options(const OpenedModel& model, const LoadOptions& options,
                                                   const inference::engine::EngineOptions& engine) {
  inference::backend::BackendOptions backend;
  backend.shape = model.config.shape;
  backend.kv_type = options.kv_type;
  backend.num_blocks = engine.num_blocks;
  backend.max_rows = engine.scheduling.max_step_tokens;
  backend.num_threads = choose_threads(options.threads);
  backend.pool = options.pool;
  return backend;
}

// Whatever else runs on the compute threads stands aside while weights are packed on them.
class HeldSideWork {
 public:
  explicit HeldSideWork(inference::engine::SideWork* work) : work_(work) {
    if (work_ != nullptr) work_->attach([] {});
  }
  ~HeldSideWork() {
    if (work_ != nullptr) work_->detach();
  }
  HeldSideWork(const HeldSideWork&) = delete;
  HeldSideWork& operator=(const HeldSideWork&) = delete;
  void hand_over() { work_ = nullptr; }

 private:
  inference::engine::SideWork* work_;
};

// From here on nothing that others do to the file matters.
void close_file(OpenedModel& model) {
  const std::unique_ptr<inference::formats::GgufFile> file = std::move(model.file);
  if (file->is_unchanged()) return;
  throw std::runtime_error(file->path().string() +
                           ": was written to while it was being loaded; load it again when it is complete");
}

}  // namespace

std::size_t free_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  std::size_t kilobytes = 0;
  std::string unit;
  while (meminfo >> key >> kilobytes >> unit) {
    if (key == "MemAvailable:") return kilobytes << 10;
  }
  throw std::runtime_error("cannot read MemAvailable from /proc/meminfo; give --kv-memory a size");
}

int choose_threads(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int choose_context(int wanted, int trained) {
  if (wanted == 0) return std::min(trained, kDefaultContext);
  if (wanted > trained) {
    throw std::runtime_error("a context of " + std::to_string(wanted) + " tokens is more than the model's " +
                             std::to_string(trained) + "; choose --context " + std::to_string(trained) +
                             " or less");
  }
  return wanted;
}

int choose_num_blocks(const LoadOptions& options, std::size_t block_bytes,
                      const std::function<std::size_t()>& free_bytes, int context) {
  const std::size_t context_blocks = static_cast<std::size_t>(context + kBlockTokens - 1) / kBlockTokens;
  // One context more than all sequences can fill, for prefixes that nobody uses at the moment.
  const std::size_t most = context_blocks * static_cast<std::size_t>(options.max_sequences + 1);
  if (options.kv_memory > 0) {
    const std::size_t blocks = options.kv_memory / block_bytes;
    if (blocks < 2) {
      throw std::runtime_error("--kv-memory is too small: two blocks of this model's KV cache take " +
                               std::to_string(2 * block_bytes) + " bytes");
    }
    return static_cast<int>(std::min(blocks, most));
  }
  const std::size_t share = free_bytes() / kFreeShare / block_bytes;
  return static_cast<int>(std::clamp(share, std::min(context_blocks + 1, most), most));
}

std::unique_ptr<inference::engine::Engine> start_engine(OpenedModel& model, const LoadOptions& options,
                                                        const std::function<void(double)>& progress,
                                                        EngineReport& report) {
  const auto engine = engine_options(model, options);
  const auto backend = backend_options(model, options, engine);
  HeldSideWork held(options.side_work.get());
  auto device = inference::backend::make_cpu_backend(backend);
  report.backend = device->name();
  report.threads = backend.num_threads;
  report.context = engine.max_context;
  report.num_blocks = engine.num_blocks;
  report.kv_bytes = block_bytes_of(model, options) * static_cast<std::size_t>(engine.num_blocks);
  auto runner = std::make_unique<TransformerRunner>(*model.file, std::move(device), progress);
  close_file(model);
  held.hand_over();  // the engine attaches it again, with a way to be woken
  return inference::engine::make_local_engine(std::move(runner), engine, options.side_work);
}

}  // namespace parley::app::models
