#pragma once
// The body of POST /v1/completions. A plain function, any thread; what is wrong with it is an ApiError value.

#include <string_view>
#include <variant>

#include "app/api/api_error.h"
#include "app/api/generation_fields.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

struct CompletionApiRequest {
  GenerationFields generation;
  orchestration::turn::CompletionRequest completion;  // its options are generation.options
};

std::variant<CompletionApiRequest, ApiError> parse_completion_request(
    std::string_view body, const orchestration::turn::GenerationOptions& defaults);

}  // namespace parley::app::api
