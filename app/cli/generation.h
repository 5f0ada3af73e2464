#pragma once
// Runs requests on an engine from a thread that may block (the command line's). Callbacks come on the calling
// thread. Throws std::runtime_error, a sentence for the user, when the engine refuses or fails a request.

#include <chrono>
#include <functional>
#include <vector>

#include "inference/engine/engine.h"

namespace parley::app::cli {

struct GenerationResult {
  std::vector<inference::engine::GeneratedToken> tokens;
  std::vector<std::chrono::steady_clock::time_point> arrivals;  // of each token, as the engine delivered it
  inference::engine::FinishedRequest finished;
};

// Return false to cancel the request.
using OnToken = std::function<bool(const inference::engine::GeneratedToken&)>;

GenerationResult generate(inference::engine::Engine& engine, inference::engine::Request request,
                          const OnToken& on_token);

// Several at once; all are submitted before the first is waited for.
std::vector<GenerationResult> generate_all(inference::engine::Engine& engine,
                                           std::vector<inference::engine::Request> requests);

}  // namespace parley::app::cli
