#pragma once
// Times every answer for /metrics, whoever asked for it: a ChatModel around another one. I/O thread; fails
// only as the other one does.
//   TTFT: from the request's arrival to its first token handed out. ITL: the gap between two deliveries of a
//   request. TPOT: (last - first) / (tokens - 1) of a request. Queue: until the engine's first step for it.

#include <memory>

#include "app/api/histogram.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

struct GenerationMeter {
  GenerationMeter();

  Histogram first_token_seconds;
  Histogram inter_token_seconds;
  Histogram time_per_token_seconds;
  Histogram request_seconds;
  Histogram queue_seconds;
  Histogram prompt_tokens;
  Histogram generated_tokens;
};

// `inner` and `meter` outlive the model and its streams.
std::unique_ptr<orchestration::turn::ChatModel> make_metered_model(orchestration::turn::ChatModel& inner,
                                                                   GenerationMeter& meter);

}  // namespace parley::app::api
