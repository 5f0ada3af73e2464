#include "orchestration/tools/openapi_operation.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "inference/json/fields.h"
#include "orchestration/fetch/request_rules.h"
#include "orchestration/tools/http_tool_url.h"
#include "orchestration/tools/openapi_schema.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::is_true;
using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using inference::json::object_field;
using inference::json::text_view;

constexpr std::size_t kMaxParameters = 200;
constexpr std::size_t kMaxToolDescription = 1000;
constexpr std::size_t kMaxArgumentName = 64;

// What a {placeholder} can be called, too.
std::string plain_name(std::string_view name) {
  std::string plain(name.substr(0, kMaxArgumentName));
  for (char& c : plain) {
    const bool fits =
        (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!fits) c = '_';
  }
  return plain.empty() ? "_" : plain;
}

std::string description_of(const JsonObject& operation) {
  const std::string_view summary = text_view(operation, "summary");
  const std::string_view description = text_view(operation, "description");
  std::string both(summary);
  if (!summary.empty() && !description.empty()) both += ". ";
  if (description != summary) both += description;
  return short_description(both, kMaxToolDescription);
}

bool is_json_type(std::string_view type) {
  const std::string name = fetch::lower_case(type.substr(0, type.find(';')));
  return name == "application/json" || name == "*/*" || name.ends_with("+json");
}

class OperationReader {
 public:
  OperationReader(const OpenApiPlace& place, HttpToolConfig config)
      : place_(place), schemas_(place.document) {
    out_.config = std::move(config);
  }

  OpenApiOperation read() {
    out_.config.method = place_.method;
    std::transform(place_.method.begin(), place_.method.end(), out_.config.method.begin(),
                   [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    out_.config.body = HttpBody::none;
    if (place_.operation.contains("servers") || place_.path_item.contains("servers")) {
      refuse("it has a server of its own");
    }
    read_body_kind();
    read_parameters();
    read_path();
    read_body();
    if (out_.problem.empty()) out_.problem = schemas_.problem();
    out_.spec.description = description_of(place_.operation);
    out_.spec.parameters = JsonObject{{"type", "object"},
                                      {"properties", std::move(properties_)},
                                      {"required", std::move(required_)},
                                      {"additionalProperties", false}};
    return std::move(out_);
  }

 private:
  void refuse(std::string problem) {
    if (out_.problem.empty()) out_.problem = std::move(problem);
  }

  // The operation's own parameters win over those of its path.
  void read_parameters() {
    std::vector<std::string> seen;
    for (const JsonObject* owner : {&place_.operation, &place_.path_item}) {
      const JsonValue* list = owner->if_contains("parameters");
      if (list == nullptr || !list->is_array()) continue;
      if (list->get_array().size() > kMaxParameters) return refuse("it has too many parameters");
      for (const JsonValue& entry : list->get_array()) {
        const JsonValue* target = schemas_.target_of(entry);
        if (target == nullptr || !target->is_object()) return refuse("a parameter cannot be read");
        const JsonObject& parameter = target->get_object();
        std::string key =
            std::string(text_view(parameter, "in")) + ' ' + std::string(text_view(parameter, "name"));
        if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
        seen.push_back(std::move(key));
        read_parameter(parameter);
      }
    }
  }

  void read_parameter(const JsonObject& parameter) {
    const std::string name(text_view(parameter, "name"));
    const std::string_view in = text_view(parameter, "in");
    const bool required = is_true(parameter, "required");
    if (name.empty()) return refuse("a parameter has no name");
    if (in == "path") {
      path_names_.emplace_back(name, add_argument(name, "path", parameter, true));
    } else if (in == "query") {
      std::string argument = add_argument(name, "query", parameter, required);
      out_.config.arguments.push_back(
          {.name = std::move(argument), .sent_as = name, .place = HttpPlace::query});
    } else if (in == "header" && is_open_header(name)) {
      std::string argument = add_argument(name, "header", parameter, required);
      out_.config.arguments.push_back(
          {.name = std::move(argument), .sent_as = name, .place = HttpPlace::header});
    } else if (in != "header" && required) {
      refuse("it needs the " + std::string(in) + " parameter " + name + ", which cannot be sent");
    }
  }

  // OpenAPI itself leaves three out; those that the operator set are not the model's to change.
  bool is_open_header(const std::string& name) const {
    const std::string lower = fetch::lower_case(name);
    if (lower == "accept" || lower == "content-type" || lower == "authorization" || lower == "cookie")
      return false;
    const auto same = [&](const fetch::Header& header) { return fetch::lower_case(header.first) == lower; };
    if (std::any_of(out_.config.headers.begin(), out_.config.headers.end(), same)) return false;
    fetch::FetchRequest probe;
    probe.headers = {{name, ""}};
    return fetch::request_problem(probe).empty();
  }

  std::string add_argument(const std::string& name, std::string_view place, const JsonObject& parameter,
                           bool required) {
    JsonValue schema = schemas_.written_out(schema_of(parameter));
    const std::string_view description = text_view(parameter, "description");
    if (!description.empty() && schema.is_object()) {
      schema.get_object()["description"] = short_description(description, 300);
    }
    return add_property(name, place, std::move(schema), required);
  }

  static JsonValue schema_of(const JsonObject& parameter) {
    if (const JsonValue* schema = parameter.if_contains("schema")) return *schema;
    const JsonObject* content = object_field(parameter, "content");
    if (content == nullptr || content->empty() || !content->begin()->value().is_object()) return JsonObject();
    const JsonValue* schema = content->begin()->value().get_object().if_contains("schema");
    return schema == nullptr ? JsonValue(JsonObject()) : *schema;
  }

  // Gives it a name that is free.
  std::string add_property(const std::string& name, std::string_view place, JsonValue schema, bool required) {
    std::string argument = plain_name(name);
    if (properties_.contains(argument)) argument += '_' + std::string(place);
    while (properties_.contains(argument)) argument += '_';
    properties_.emplace(argument, std::move(schema));
    if (required) required_.push_back(JsonValue(argument));
    return argument;
  }

  void read_path() {
    if (!place_.path.starts_with('/') || place_.path.find_first_of("?#") != std::string_view::npos) {
      return refuse("its path is none");
    }
    std::string_view rest = place_.path;
    while (true) {
      const std::size_t open = rest.find('{');
      const std::size_t close = open == std::string_view::npos ? open : rest.find('}', open);
      out_.config.url += rest.substr(0, close == std::string_view::npos ? close : open);
      if (close == std::string_view::npos) break;
      out_.config.url += '{' + path_argument(std::string(rest.substr(open + 1, close - open - 1))) + '}';
      rest.remove_prefix(close + 1);
    }
    if (std::string problem = url_template_problem(out_.config.url); !problem.empty())
      refuse(std::move(problem));
  }

  std::string path_argument(const std::string& name) {
    const auto known = std::find_if(path_names_.begin(), path_names_.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (known != path_names_.end()) return known->second;
    path_names_.emplace_back(name, add_property(name, "path", JsonObject{{"type", "string"}}, true));
    return path_names_.back().second;
  }

  // Finds the body's schema and says how it is sent; arguments named alike come first, so it is read later.
  void read_body_kind() {
    const JsonValue* entry = place_.operation.if_contains("requestBody");
    const JsonValue* body = entry == nullptr ? nullptr : schemas_.target_of(*entry);
    if (body == nullptr || !body->is_object()) return;
    body_required_ = is_true(body->get_object(), "required");
    const JsonObject* content = object_field(body->get_object(), "content");
    if (content == nullptr) return;
    for (const auto& [type, media] : *content) {
      if (!media.is_object()) continue;
      const bool json = is_json_type(type);
      if (!json && std::string_view(type) != "application/x-www-form-urlencoded") continue;
      out_.config.body = !json ? HttpBody::form : body_required_ ? HttpBody::json : HttpBody::json_if_any;
      const JsonValue* schema = media.get_object().if_contains("schema");
      body_schema_ = schema == nullptr ? JsonValue(JsonObject()) : *schema;
      if (json) return;
    }
    if (out_.config.body == HttpBody::none && body_required_) refuse("its body is neither JSON nor a form");
  }

  void read_body() {
    if (out_.config.body == HttpBody::none) return;
    JsonValue schema = schemas_.written_out(body_schema_);
    const JsonObject* properties =
        schema.is_object() ? object_field(schema.get_object(), "properties") : nullptr;
    if (properties == nullptr || properties->empty()) {
      if (out_.config.body == HttpBody::form) return refuse("the fields of its form are not described");
      std::string argument = add_property("body", "json", std::move(schema), body_required_);
      out_.config.arguments.push_back(
          {.name = std::move(argument), .sent_as = "", .place = HttpPlace::whole_body});
      return;
    }
    for (const auto& [name, property] : *properties) {
      std::string argument =
          add_property(std::string(name), "body", property, is_required(schema.get_object(), name));
      out_.config.arguments.push_back(
          {.name = std::move(argument), .sent_as = std::string(name), .place = HttpPlace::body});
    }
  }

  bool is_required(const JsonObject& schema, std::string_view name) const {
    const JsonValue* required = schema.if_contains("required");
    if (!body_required_ || required == nullptr || !required->is_array()) return false;
    const JsonArray& names = required->get_array();
    return std::any_of(names.begin(), names.end(), [&](const JsonValue& entry) {
      return entry.is_string() && std::string_view(entry.get_string()) == name;
    });
  }

  const OpenApiPlace& place_;
  OpenApiSchemas schemas_;
  OpenApiOperation out_;
  JsonObject properties_;
  JsonArray required_;
  std::vector<std::pair<std::string, std::string>> path_names_;  // in the path, among the arguments
  JsonValue body_schema_;
  bool body_required_ = false;
};

}  // namespace

OpenApiOperation read_openapi_operation(const OpenApiPlace& place, HttpToolConfig config) {
  return OperationReader(place, std::move(config)).read();
}

std::string openapi_operation_name(const OpenApiPlace& place) {
  const std::string_view id = text_view(place.operation, "operationId");
  if (!id.empty()) return std::string(id);
  std::string name(place.method);
  for (const char c : place.path) {
    const bool word = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (word) {
      name += c;
    } else if (!name.ends_with('_')) {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  return name;
}

}  // namespace parley::orchestration::tools
