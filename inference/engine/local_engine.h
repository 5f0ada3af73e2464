#pragma once
// Makes the in-process engine. The engine thread is started here and owns scheduler, KV blocks and prefix
// index; `runner` is used by that thread only. Throws std::system_error when no thread can be started;
// options without blocks or without a vocabulary are assertions.

#include <memory>

#include "inference/engine/engine.h"
#include "inference/engine/engine_options.h"
#include "inference/engine/model_runner.h"

namespace parley::inference::engine {

std::unique_ptr<Engine> make_local_engine(std::unique_ptr<ModelRunner> runner, const EngineOptions& options);

}  // namespace parley::inference::engine
