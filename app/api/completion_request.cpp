#include "app/api/completion_request.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "app/api/json_body.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using protocol::FieldReader;
using Prompt = std::variant<std::string, std::vector<std::int32_t>>;

constexpr int kDefaultMaxTokens = 16;  // as OpenAI has it for this route

std::optional<std::int32_t> token_id(const JsonValue& value) {
  const auto* id = value.if_int64();
  if (id == nullptr || *id < 0 || *id > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return static_cast<std::int32_t>(*id);
}

std::optional<std::vector<std::int32_t>> token_ids(const JsonArray& array) {
  std::vector<std::int32_t> ids;
  ids.reserve(array.size());
  for (const JsonValue& value : array) {
    const auto id = token_id(value);
    if (!id) return std::nullopt;
    ids.push_back(*id);
  }
  return ids;
}

// A text, token ids, or an array of one of these.
void read_prompt(FieldReader& fields, Prompt& prompt) {
  const JsonValue* value = fields.find("prompt");
  const JsonArray* array = value == nullptr ? nullptr : value->if_array();
  if (array != nullptr && !array->empty() && (array->front().is_array() || array->front().is_string())) {
    if (array->size() > 1) return fields.refuse("prompt", "must be one prompt: send a request for each");
    value = &array->front();
    array = value->if_array();
  }
  if (value != nullptr && value->is_string()) {
    prompt = std::string(value->get_string());
    if (value->get_string().empty()) fields.refuse("prompt", "must not be empty");
    return;
  }
  auto ids = array == nullptr || array->empty() ? std::nullopt : token_ids(*array);
  if (!ids) return fields.refuse("prompt", "must be a text or an array of token ids, not empty");
  prompt = std::move(*ids);
}

}  // namespace

std::variant<CompletionApiRequest, ApiError> parse_completion_request(
    std::string_view body, const orchestration::turn::GenerationOptions& defaults) {
  auto parsed = parse_body(body);
  if (auto* error = std::get_if<ApiError>(&parsed)) return std::move(*error);
  const auto& object = std::get<JsonObject>(parsed);
  FieldReader fields(object);
  CompletionApiRequest request;
  read_prompt(fields, request.completion.prompt);
  for (const char* name : {"response_format", "guided_regex", "tools", "tool_choice", "parley"}) {
    if (fields.find(name) != nullptr) fields.refuse(name, "is for /v1/chat/completions: leave it out here");
  }
  auto own_defaults = defaults;
  if (own_defaults.max_tokens == 0) own_defaults.max_tokens = kDefaultMaxTokens;
  request.generation = read_generation_fields(fields, own_defaults);
  const auto logprobs = fields.optional_integer("logprobs", {.min = 0, .max = kMaxLogprobs});
  request.generation.options.num_logprobs = static_cast<int>(logprobs.value_or(-1));
  if (fields.error()) return invalid_field(*fields.error());
  request.completion.options = request.generation.options;
  return request;
}

}  // namespace parley::app::api
