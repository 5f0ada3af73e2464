#include "app/api/generation_fields.h"

#include <limits>

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using protocol::FieldReader;

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
constexpr std::size_t kMaxStops = 16;
constexpr std::size_t kMaxStopBytes = 1024;

bool is_number(const JsonValue& value, double wanted) {
  if (const auto* number = value.if_double()) return *number == wanted;
  if (const auto* number = value.if_int64()) return static_cast<double>(*number) == wanted;
  return false;
}

bool is_empty(const JsonValue& value) {
  if (const auto* array = value.if_array()) return array->empty();
  if (const auto* object = value.if_object()) return object->empty();
  if (const auto* text = value.if_string()) return text->empty();
  return false;
}

bool is_zero(const JsonValue& value) { return is_number(value, 0); }
bool is_one(const JsonValue& value) { return is_number(value, 1); }
bool is_false(const JsonValue& value) { return value.is_bool() && !value.get_bool(); }
bool chooses_no_tool(const JsonValue& value) { return value == "none" || value == "auto"; }
bool is_text_only(const JsonValue& value) {
  const auto* modes = value.if_array();
  return modes != nullptr && modes->size() == 1 && modes->front() == "text";
}
bool never(const JsonValue&) { return false; }

// Fields that change the answer in a way that is not implemented; `harmless` values ask for nothing.
struct Unsupported {
  std::string_view name;
  bool (*harmless)(const JsonValue&);
  std::string_view problem;
};

constexpr Unsupported kUnsupported[] = {
    {"n", is_one, "must be 1: this server gives one answer to a request"},
    {"best_of", is_one, "must be 1: this server gives one answer to a request"},
    {"functions", is_empty,
     "is the older form of `tools`: send tools, each {\"type\": \"function\", \"function\": {…}}"},
    {"function_call", chooses_no_tool, "is the older form of `tool_choice`: send tools and tool_choice"},
    {"modalities", is_text_only, "must be [\"text\"]: this server writes text only"},
    {"audio", never, "is not supported: this server writes text only"},
    {"web_search_options", never, "is not supported: leave it out"},
    {"logit_bias", is_empty, "is not supported: leave it out"},
    {"presence_penalty", is_zero, "is not supported: use repeat_penalty, or leave it out"},
    {"frequency_penalty", is_zero, "is not supported: use repeat_penalty, or leave it out"},
    {"chat_template", never, "cannot be changed by a request: leave it out"},
    {"chat_template_kwargs", is_empty, "cannot be changed by a request: leave it out"},
    {"echo", is_false, "is not supported: leave it out"},
    {"suffix", is_empty, "is not supported: leave it out"},
};

void refuse_unsupported(FieldReader& fields) {
  for (const Unsupported& field : kUnsupported) {
    const JsonValue* value = fields.find(field.name);
    if (value != nullptr && !field.harmless(*value)) fields.refuse(field.name, field.problem);
  }
}

void read_sampling(FieldReader& fields, orchestration::turn::Sampling& sampling) {
  const auto number = [&](std::string_view name, double min, double max, float& target) {
    if (const auto value = fields.optional_number(name, {.min = min, .max = max}))
      target = static_cast<float>(*value);
  };
  number("temperature", 0, 2, sampling.temperature);
  number("top_p", 0, 1, sampling.top_p);
  number("min_p", 0, 1, sampling.min_p);
  number("repetition_penalty", 0.1, 10, sampling.repeat_penalty);  // another name in use
  number("repeat_penalty", 0.1, 10, sampling.repeat_penalty);
  // -1 means off elsewhere; here 0 does.
  if (const auto top_k = fields.optional_integer("top_k", {.min = -1, .max = kMaxInt})) {
    sampling.top_k = *top_k < 0 ? 0 : static_cast<int>(*top_k);
  }
  if (const auto seed = fields.optional_integer("seed", {}))
    sampling.seed = static_cast<std::uint64_t>(*seed);
}

void add_stop(FieldReader& fields, const JsonValue& value, std::vector<std::string>& stops) {
  const auto* text = value.if_string();
  if (text == nullptr || text->size() > kMaxStopBytes) {
    fields.refuse("stop", "must be a string, or an array of strings, of at most 1024 bytes each");
  } else if (!text->empty()) {
    stops.emplace_back(*text);
  }
}

void read_stop(FieldReader& fields, std::vector<std::string>& stops) {
  const JsonValue* value = fields.find("stop");
  if (value == nullptr) return;
  stops.clear();
  const JsonArray* array = value->if_array();
  if (array == nullptr) return add_stop(fields, *value, stops);
  if (array->size() > kMaxStops) return fields.refuse("stop", "must hold at most 16 strings");
  for (const JsonValue& stop : *array) add_stop(fields, stop, stops);
}

void read_streaming(FieldReader& fields, GenerationFields& result) {
  result.stream = fields.optional_flag("stream").value_or(false);
  const JsonObject* options = fields.optional_object("stream_options");
  if (options == nullptr) return;
  if (!result.stream) return fields.refuse("stream_options", "is for requests with \"stream\": true");
  FieldReader inner(*options, "stream_options");
  result.include_usage = inner.optional_flag("include_usage").value_or(false);
  fields.adopt(inner.error());
}

}  // namespace

GenerationFields read_generation_fields(FieldReader& fields,
                                        const orchestration::turn::GenerationOptions& defaults) {
  GenerationFields result;
  result.options = defaults;
  result.model = fields.optional_text("model").value_or("");
  refuse_unsupported(fields);
  read_sampling(fields, result.options.sampling);
  read_stop(fields, result.options.stop);
  read_streaming(fields, result);
  // The newer name wins.
  for (const char* name : {"max_tokens", "max_completion_tokens"}) {
    const auto tokens = fields.optional_integer(name, {.min = 1, .max = kMaxInt});
    if (tokens) result.options.max_tokens = static_cast<int>(*tokens);
  }
  return result;
}

}  // namespace parley::app::api
