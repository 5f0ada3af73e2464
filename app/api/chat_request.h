#pragma once
// The body of POST /v1/chat/completions. A plain function, any thread; what is wrong with it is an ApiError
// value.

#include <string_view>
#include <variant>

#include "app/api/api_error.h"
#include "app/api/generation_fields.h"
#include "app/api/server_tools.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

struct ChatApiRequest {
  GenerationFields generation;
  orchestration::turn::ChatRequest chat;  // its options are generation.options, its tools the client's
  ServerToolChoice server_tools;          // to be added to chat.tools
};

std::variant<ChatApiRequest, ApiError> parse_chat_request(
    std::string_view body, const orchestration::turn::GenerationOptions& defaults);

}  // namespace parley::app::api
