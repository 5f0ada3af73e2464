#include "orchestration/tools/http_tool_call.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/fetch/request_rules.h"
#include "orchestration/tools/argument_text.h"
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

// A body's template: {name} is an argument where a parameter has that name, {{name}} those characters; every
// other brace is a character, since bodies are full of them (GraphQL).
class TemplateFiller {
 public:
  TemplateFiller(const std::vector<std::string>& names, const JsonObject& arguments)
      : names_(names), arguments_(arguments) {}

  // Nullopt: it is one {name} alone, whose argument is absent.
  std::optional<JsonValue> fill(std::string_view text) const {
    const std::string_view alone = name_at(text);
    if (!alone.empty() && alone.size() + 2 == text.size()) {
      const JsonValue* value = arguments_.if_contains(alone);
      return value == nullptr ? std::nullopt : std::optional(*value);
    }
    std::string filled;
    while (!text.empty()) {
      const std::size_t open = std::min(text.find('{'), text.size());
      filled += text.substr(0, open);
      text.remove_prefix(open);
      text.remove_prefix(add_brace(text, filled));
    }
    return JsonValue(std::string_view(filled));
  }

  std::optional<JsonValue> fill(const JsonValue& part) const {
    if (part.is_string()) return fill(std::string_view(part.get_string()));
    if (part.is_array()) {
      JsonArray array;
      for (const JsonValue& element : part.get_array()) {
        if (auto value = fill(element)) array.push_back(std::move(*value));
      }
      return JsonValue(std::move(array));
    }
    if (!part.is_object()) return part;
    JsonObject object;
    for (const auto& [key, element] : part.get_object()) {
      if (auto value = fill(element)) object.emplace(key, std::move(*value));
    }
    return JsonValue(std::move(object));
  }

 private:
  // The parameter's name in the braces that `text` begins with; empty: it begins with none.
  std::string_view name_at(std::string_view text) const {
    const std::size_t close = text.starts_with('{') ? text.find('}') : std::string_view::npos;
    if (close == std::string_view::npos) return {};
    const std::string_view name = text.substr(1, close - 1);
    return std::find(names_.begin(), names_.end(), name) == names_.end() ? std::string_view() : name;
  }

  // What the brace at the front stands for; the length of what was read.
  std::size_t add_brace(std::string_view text, std::string& filled) const {
    if (text.empty()) return 0;
    const std::string_view escaped = name_at(text.substr(1));
    if (!escaped.empty() && text.substr(escaped.size() + 3, 1) == "}") {
      filled += text.substr(1, escaped.size() + 2);
      return escaped.size() + 4;
    }
    const std::string_view name = name_at(text);
    if (name.empty()) {
      filled += '{';
      return 1;
    }
    const JsonValue* value = arguments_.if_contains(name);
    if (value != nullptr && !value->is_null()) filled += argument_text(*value);
    return name.size() + 2;
  }

  const std::vector<std::string>& names_;
  const JsonObject& arguments_;
};

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
    probe.headers = {{argument.sent_as, argument_text(value)}};
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
      const auto text = TemplateFiller(config_.properties, arguments_).fill(config_.body_template);
      call_.body = text ? argument_text(*text) : std::string();
      return add_header("Content-Type", "text/plain; charset=utf-8");
    }
    const bool any = whole_body_ || !body_.empty();
    if (kind_ == HttpBody::json || (kind_ == HttpBody::json_if_any && any)) {
      call_.body = inference::json::to_json_text(whole_body_ ? *whole_body_ : JsonValue(body_));
    } else if (kind_ == HttpBody::filled) {
      const auto filled = TemplateFiller(config_.properties, arguments_).fill(config_.body_template);
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
