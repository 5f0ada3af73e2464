#pragma once
// The HTTP routes for programs: OpenAI's, and those for operation. Handlers live on the I/O thread; what they
// are given outlives them. Bad requests get an error; a broken model throws out of handle().

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "app/api/generation_meter.h"
#include "app/api/heartbeat.h"
#include "app/http/exchange.h"
#include "inference/engine/engine.h"
#include "orchestration/turn/model_slot.h"
#include "orchestration/turn/tool_desk.h"

namespace parley::app::api {

using StatsSource = std::function<std::optional<inference::engine::EngineStats>()>;

// POST /v1/chat/completions and /v1/completions. `model` is the one to ask, `slot` knows its name. `desk` has
// the tools that requests may opt in to; nullptr: there are none.
std::unique_ptr<http::Handler> make_chat_completions(orchestration::turn::ChatModel& model,
                                                     orchestration::turn::GenerationOptions defaults,
                                                     orchestration::turn::ToolDesk* desk);
std::unique_ptr<http::Handler> make_completions(orchestration::turn::ChatModel& model,
                                                orchestration::turn::GenerationOptions defaults);

// GET /v1/models and /v1/models/{id}.
std::unique_ptr<http::Handler> make_models(orchestration::turn::ModelSlot& slot);

// GET /health: 200 {"status":"ok"}; 503 while loading, with "progress", and when loading failed; 500 when the
// engine is dead or its steps have stopped.
std::unique_ptr<http::Handler> make_health(orchestration::turn::ModelSlot& slot, const Heartbeat& heartbeat);

// What /metrics tells beside the engine's counters.
struct ServerCounters {
  std::size_t connections = 0;
  std::size_t web_sockets = 0;
  std::map<int, std::uint64_t> responses;  // by status
};

// GET /metrics, Prometheus text. `meter` may be nullptr.
std::unique_ptr<http::Handler> make_metrics(orchestration::turn::ModelSlot& slot, StatsSource stats,
                                            std::function<ServerCounters()> counters,
                                            const GenerationMeter* meter);

}  // namespace parley::app::api
