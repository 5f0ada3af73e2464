#include "app/cli/model_loading.h"

#include <atomic>
#include <iostream>
#include <thread>

#include <boost/asio/post.hpp>

#include "app/cli/progress_bar.h"
#include "orchestration/turn/local_chat_model.h"

namespace parley::app::cli {
namespace {

using inference::engine::Engine;
using inference::engine::EngineStats;
using orchestration::turn::ModelInfo;

struct LoadAbandoned {};

// Shared with handlers that may still be queued on the I/O thread when the loading object is gone.
struct Shared {
  std::atomic<bool> abandoned{false};
  Engine* engine = nullptr;  // I/O thread; owned by the chat model in the slot
  std::shared_ptr<orchestration::turn::ModelSlot> slot;
  std::function<void()> when_ready;
};

class BackgroundLoading : public ModelLoading {
 public:
  BackgroundLoading(models::OpenedModel model, const models::LoadOptions& options, ModelLoadingParts parts)
      : shared_(std::make_shared<Shared>()), executor_(parts.executor), workers_(parts.workers) {
    shared_->slot = std::move(parts.slot);
    shared_->when_ready = std::move(parts.when_ready);
    thread_ =
        std::thread([this, model = std::move(model), options]() mutable { load(std::move(model), options); });
  }
  ~BackgroundLoading() override {
    shared_->abandoned = true;
    thread_.join();
  }

  std::optional<EngineStats> engine_stats() const override {
    return shared_->engine == nullptr ? std::nullopt : std::optional(shared_->engine->stats());
  }

 private:
  void load(models::OpenedModel model, const models::LoadOptions& options) {
    try {  // the boundary of the loading thread: what fails there is told to the operator and to clients
      ProgressBar bar("loading " + model.name);
      models::EngineReport report;
      const auto progress = [&](double share) {
        if (shared_->abandoned) throw LoadAbandoned{};
        bar.show(share);
        post([share](Shared& shared) { shared.slot->set_progress(share); });
      };
      const std::uintmax_t file_bytes = model.file->file_bytes();
      auto engine = models::start_engine(model, options, progress, report);
      ModelInfo info = model_info(model, report.context);
      info.file_bytes = static_cast<std::int64_t>(file_bytes);
      finish(std::move(model), std::move(info), std::move(engine), report);
    } catch (const LoadAbandoned&) {
      return;
    } catch (const std::exception& error) {
      std::cerr << "parley: the model cannot be loaded: " << error.what() << std::endl;
      post([why = std::string(error.what())](Shared& shared) { shared.slot->set_failed(why); });
    }
  }

  void finish(models::OpenedModel model, ModelInfo info, std::unique_ptr<Engine> engine,
              const models::EngineReport& report) {
    std::cerr << "model " << info.name << " ready: " << report.backend << ", " << report.threads
              << " threads, context " << report.context << ", KV cache " << (report.kv_bytes >> 20) << " MiB"
              << std::endl;
    Engine* raw = engine.get();
    orchestration::turn::LocalModelParts parts;
    parts.info = std::move(info);
    parts.tokenizer = std::move(model.tokenizer);
    parts.prompts = std::move(model.prompts);
    parts.engine = std::move(engine);
    parts.reading = model.reading;
    auto chat_model = orchestration::turn::make_local_chat_model(std::move(parts), executor_, workers_);
    post([raw, chat_model](Shared& shared) {
      shared.slot->set_ready(chat_model);
      shared.engine = raw;
      if (shared.when_ready) shared.when_ready();
    });
  }

  // Runs `change` on the I/O thread unless the loading was abandoned meanwhile.
  template <typename F>
  void post(F change) {
    boost::asio::post(executor_, [shared = shared_, change = std::move(change)] {
      if (!shared->abandoned) change(*shared);
    });
  }

  std::shared_ptr<Shared> shared_;
  boost::asio::any_io_executor executor_;
  boost::asio::thread_pool& workers_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<ModelLoading> start_model_loading(models::OpenedModel model,
                                                  const models::LoadOptions& options,
                                                  ModelLoadingParts parts) {
  return std::make_unique<BackgroundLoading>(std::move(model), options, std::move(parts));
}

ModelInfo model_info(const models::OpenedModel& model, int context) {
  ModelInfo info;
  info.name = model.name;
  info.architecture = model.config.architecture;
  info.quantisation = model.config.quantisation;
  info.file_bytes = model.file ? static_cast<std::int64_t>(model.file->file_bytes()) : 0;
  info.tool_profile = model.tool_profile;
  info.max_context = models::choose_context(context, model.config.max_context);
  return info;
}

}  // namespace parley::app::cli
