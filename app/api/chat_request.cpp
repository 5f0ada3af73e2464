#include "app/api/chat_request.h"

#include <utility>

#include "app/api/chat_messages.h"
#include "app/api/json_body.h"
#include "app/api/output_format_fields.h"
#include "app/api/tool_fields.h"

namespace parley::app::api {
namespace {

using inference::json::JsonObject;
using orchestration::prompt::Role;
using orchestration::turn::OutputFormat;
using orchestration::turn::ToolChoice;
using orchestration::turn::ToolMode;
using protocol::FieldReader;

void read_logprobs(FieldReader& fields, int& num_logprobs) {
  const bool wanted = fields.optional_flag("logprobs").value_or(false);
  const auto top = fields.optional_integer("top_logprobs", {.min = 0, .max = kMaxLogprobs});
  if (top && *top > 0 && !wanted)
    return fields.refuse("top_logprobs", "is for requests with \"logprobs\": true");
  num_logprobs = wanted ? static_cast<int>(top.value_or(0)) : -1;
}

std::string_view format_field(const OutputFormat& format) {
  return format.kind == OutputFormat::Kind::regex ? "guided_regex" : "response_format";
}

// An extension: go on with the last message instead of answering it.
void check_continuing(FieldReader& fields, const orchestration::turn::ChatRequest& chat) {
  if (!chat.continue_last || chat.messages.empty()) return;
  constexpr std::string_view kName = "continue_final_message";
  if (chat.messages.back().role != Role::assistant) {
    fields.refuse(kName, "needs a last message of the assistant");
  } else if (!chat.messages.back().calls.empty()) {
    fields.refuse(kName, "cannot go on with a message that called tools: send the results of its calls");
  } else if (chat.format.kind != OutputFormat::Kind::free) {
    fields.refuse(kName, "cannot be asked for together with a response_format or guided_regex");
  }
}

// Log-probabilities are of tokens, and those of a call are not what the client is given.
void check_tools(FieldReader& fields, ChatApiRequest& request) {
  orchestration::turn::ToolOffer& offer = request.chat.tools;
  if (offer.tools.empty() && !request.server_tools.wanted()) return;
  const bool is_demanded = offer.choice == ToolChoice::required || offer.choice == ToolChoice::named;
  if (is_demanded && (offer.mode == ToolMode::raw || offer.mode == ToolMode::lenient))
    fields.refuse("parley.tool_mode",
                  "enforces nothing, so tool_choice must be \"auto\" or \"none\" with it");
  const bool formatted = request.chat.format.kind != OutputFormat::Kind::free;
  if (offer.choice == ToolChoice::none) {
    if (!formatted) return;
    // An answer in a form holds no call anyway.
    offer.tools.clear();
    request.server_tools = {};
    return;
  }
  if (formatted)
    fields.refuse(format_field(request.chat.format),
                  "cannot be asked for together with tools: leave one out, or set tool_choice to \"none\"");
  if (request.generation.options.num_logprobs >= 0)
    fields.refuse("logprobs",
                  "cannot be asked for together with tools: leave one out, or set tool_choice to \"none\"");
}

}  // namespace

std::variant<ChatApiRequest, ApiError> parse_chat_request(
    std::string_view body, const orchestration::turn::GenerationOptions& defaults) {
  auto parsed = parse_body(body);
  if (auto* error = std::get_if<ApiError>(&parsed)) return std::move(*error);
  const auto& object = std::get<JsonObject>(parsed);
  FieldReader fields(object);
  ChatApiRequest request;
  request.chat.messages = read_chat_messages(fields);
  request.generation = read_generation_fields(fields, defaults);
  request.chat.format = read_output_format(fields);
  read_logprobs(fields, request.generation.options.num_logprobs);
  request.server_tools = read_server_tools(fields);
  request.chat.tools = read_tool_offer(fields, request.server_tools);
  request.chat.continue_last = fields.optional_flag("continue_final_message").value_or(false);
  check_continuing(fields, request.chat);
  check_tools(fields, request);
  if (fields.error()) return invalid_field(*fields.error());
  request.chat.options = request.generation.options;
  return request;
}

}  // namespace parley::app::api
