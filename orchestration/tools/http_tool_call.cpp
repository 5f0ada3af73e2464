#include "orchestration/tools/http_tool_call.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/fetch/request_rules.h"
#include "orchestration/tools/http_tool_url.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

HttpBody body_kind(const HttpToolConfig& config) {
  if (config.body != HttpBody::by_method) return config.body;
  const bool has_body = config.method == "POST" || config.method == "PUT" || config.method == "PATCH";
  return has_body ? HttpBody::json : HttpBody::none;
}

// Text with {names} replaced; nullopt: it is one {name} alone, whose argument is absent.
std::optional<JsonValue> filled_text(std::string_view text, const JsonObject& arguments) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    const JsonValue* value = arguments.if_contains(text.substr(open + 1, close - open - 1));
    const bool alone = filled.empty() && open == 0 && close + 1 == text.size();
    if (alone) return value == nullptr ? std::nullopt : std::optional(*value);
    filled += text.substr(0, open);
    if (value != nullptr && !value->is_null()) filled += text_of(*value);
    text.remove_prefix(close + 1);
  }
  return JsonValue(filled + std::string(text));
}

std::optional<JsonValue> filled_template(const JsonValue& part, const JsonObject& arguments) {
  if (part.is_string()) return filled_text(part.get_string(), arguments);
  if (part.is_array()) {
    JsonArray array;
    for (const JsonValue& element : part.get_array()) {
      if (auto value = filled_template(element, arguments)) array.push_back(std::move(*value));
    }
    return JsonValue(std::move(array));
  }
  if (!part.is_object()) return part;
  JsonObject object;
  for (const auto& [key, element] : part.get_object()) {
    if (auto value = filled_template(element, arguments)) object.emplace(key, std::move(*value));
  }
  return JsonValue(std::move(object));
}

class CallMaker {
 public:
  CallMaker(const HttpToolConfig& config, const JsonObject& arguments)
      : config_(config), arguments_(arguments), kind_(body_kind(config)) {}

  HttpCall make() {
    FilledUrl filled = fill_url(config_.url, arguments_);
    call_.url = std::move(filled.url);
    call_.problem = std::move(filled.problem);
    call_.headers = config_.headers;
    const std::vector<std::string> in_url = url_placeholders(config_.url);
    for (const auto& [name, value] : arguments_) {
      if (std::find(in_url.begin(), in_url.end(), name) == in_url.end()) place(name, value);
    }
    if (!query_.empty()) call_.url += (call_.url.find('?') == std::string::npos ? '?' : '&') + query_;
    add_body();
    add_header("Accept", "application/json, text/plain;q=0.9, */*;q=0.5");
    return std::move(call_);
  }

 private:
  void place(std::string_view name, const JsonValue& value) {
    const auto special = std::find_if(config_.arguments.begin(), config_.arguments.end(),
                                      [&](const HttpArgument& argument) { return argument.name == name; });
    if (special == config_.arguments.end()) return place_by_default(name, value);
    switch (special->place) {
      case HttpPlace::query:
        return append_pair(query_, special->sent_as, value);
      case HttpPlace::header:
        return place_in_header(*special, value);
      case HttpPlace::body:
        body_.insert_or_assign(special->sent_as, value);
        return;
      case HttpPlace::whole_body:
        whole_body_ = value;
    }
  }

  void place_by_default(std::string_view name, const JsonValue& value) {
    if (kind_ == HttpBody::none) return append_pair(query_, name, value);
    body_.insert_or_assign(name, value);  // a template takes from all arguments, and leaves the rest
  }

  void place_in_header(const HttpArgument& argument, const JsonValue& value) {
    if (value.is_null()) return;
    fetch::FetchRequest probe;
    probe.headers = {{argument.sent_as, text_of(value)}};
    if (!fetch::request_problem(probe).empty()) {
      call_.problem =
          "The argument \"" + argument.name + "\" is sent in a header and must be one short line.";
    }
    call_.argument_headers.push_back(std::move(probe.headers.front()));
  }

  void add_body() {
    if (kind_ == HttpBody::form) {
      for (const auto& [name, value] : body_) append_pair(call_.body, name, value);
      return add_header("Content-Type", "application/x-www-form-urlencoded");
    }
    if (kind_ == HttpBody::filled && config_.body_template.is_string()) {
      const auto text = filled_text(config_.body_template.get_string(), arguments_);
      call_.body = text ? text_of(*text) : std::string();
      return add_header("Content-Type", "text/plain; charset=utf-8");
    }
    const bool any = whole_body_ || !body_.empty();
    if (kind_ == HttpBody::json || (kind_ == HttpBody::json_if_any && any)) {
      call_.body = inference::json::to_json_text(whole_body_ ? *whole_body_ : JsonValue(body_));
    } else if (kind_ == HttpBody::filled) {
      const auto filled = filled_template(config_.body_template, arguments_);
      call_.body = inference::json::to_json_text(filled.value_or(JsonValue()));
    }
    if (!call_.body.empty()) add_header("Content-Type", "application/json");
  }

  void add_header(const char* name, const char* value) {
    if (fetch::header_value(call_.headers, fetch::lower_case(name)).empty())
      call_.headers.emplace_back(name, value);
  }

  const HttpToolConfig& config_;
  const JsonObject& arguments_;
  HttpBody kind_;
  HttpCall call_;
  std::string query_;
  JsonObject body_;
  std::optional<JsonValue> whole_body_;
};

}  // namespace

HttpCall make_http_call(const HttpToolConfig& config, const JsonObject& arguments) {
  return CallMaker(config, arguments).make();
}

}  // namespace parley::orchestration::tools
