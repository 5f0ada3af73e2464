#pragma once
// Loads a model in the background while the port is open already, and tells the ModelSlot how far it is.
// Made and destroyed on the I/O thread; the destructor abandons a load under way and joins its thread.
// A load that fails is told to the slot and on standard error; nothing throws.

#include <functional>
#include <memory>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include "app/models/start_engine.h"
#include "inference/engine/engine.h"
#include "orchestration/turn/model_slot.h"

namespace parley::app::cli {

class ModelLoading {
 public:
  virtual ~ModelLoading() = default;
  // Counters of the running engine; nothing before it runs.
  virtual std::optional<inference::engine::EngineStats> engine_stats() const = 0;
};

struct ModelLoadingParts {
  std::shared_ptr<orchestration::turn::ModelSlot> slot;
  boost::asio::any_io_executor executor;  // of the I/O thread
  boost::asio::thread_pool& workers;      // for prompts of the loaded model
  std::function<void()> when_ready = {};  // on the I/O thread, once the slot has the model; may be empty
};

std::unique_ptr<ModelLoading> start_model_loading(models::OpenedModel model,
                                                  const models::LoadOptions& options,
                                                  ModelLoadingParts parts);

// What is known of a model before its weights are loaded.
orchestration::turn::ModelInfo model_info(const models::OpenedModel& model, int context);

}  // namespace parley::app::cli
