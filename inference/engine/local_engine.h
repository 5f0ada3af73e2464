#pragma once
// Makes the in-process engine. The engine thread is started here and owns scheduler, KV blocks and prefix
// index; `runner` is used by that thread only. Throws std::system_error when no thread can be started;
// options without blocks or without a vocabulary are assertions.

#include <memory>

#include "inference/engine/engine.h"
#include "inference/engine/engine_options.h"
#include "inference/engine/model_runner.h"
#include "inference/engine/side_work.h"

namespace parley::inference::engine {

// `side_work` may be null; it outlives the engine by shared ownership, since others give it work.
std::unique_ptr<Engine> make_local_engine(std::unique_ptr<ModelRunner> runner, const EngineOptions& options,
                                          std::shared_ptr<SideWork> side_work = nullptr);

}  // namespace parley::inference::engine
