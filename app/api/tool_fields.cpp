#include "app/api/tool_fields.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/api/tool_definitions.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::turn::ToolChoice;
using orchestration::turn::ToolOffer;
using protocol::FieldReader;

constexpr std::string_view kChoices =
    "must be \"none\", \"auto\", \"required\" or {\"type\": \"function\", \"function\": {\"name\": …}}";

// The name in {"type":"function","function":{"name":…}}, which the reader stands on.
std::string read_function_name(FieldReader& reference) {
  const JsonObject* object = reference.optional_object("function");
  if (object == nullptr) {
    reference.refuse("function", "is missing: {\"name\": …}");
    return {};
  }
  FieldReader function(*object, reference.path_of("function"));
  std::string name = function.text("name");
  reference.adopt(function.error());
  return name;
}

// A choice by a word, also inside allowed_tools.
void read_mode(FieldReader& fields, std::string_view field, std::string_view mode, ToolOffer& offer) {
  if (mode == "auto") {
    offer.choice = ToolChoice::automatic;
  } else if (mode == "required") {
    offer.choice = ToolChoice::required;
  } else {
    fields.refuse(field, field == "mode" ? "must be \"auto\" or \"required\"" : kChoices);
  }
}

void read_named(FieldReader& choice, const ServerToolChoice& server, ToolOffer& offer) {
  offer.choice = ToolChoice::named;
  offer.named = read_function_name(choice);
  if (!choice.error() && !has_tool(offer.tools, offer.named) && !server.may_include(offer.named))
    choice.refuse("function.name", "must be the name of one of the `tools`");
}

std::vector<std::string> read_allowed_names(FieldReader& allowed, const ToolList& tools) {
  std::vector<std::string> names;
  const JsonArray* array = allowed.optional_array("tools");
  if (array == nullptr || array->empty()) {
    allowed.refuse("tools", "must be an array that names at least one of the tools");
    return names;
  }
  allowed.each_object("tools", *array, [&](FieldReader& reference) {
    names.push_back(read_function_name(reference));
    if (!reference.error() && !has_tool(tools, names.back()))
      reference.refuse("function.name", "must be the name of one of the `tools`");
  });
  return names;
}

// The others are not offered.
void read_allowed(FieldReader& choice, const ServerToolChoice& server, ToolOffer& offer) {
  const JsonObject* object = choice.optional_object("allowed_tools");
  if (object == nullptr)
    return choice.refuse("allowed_tools", "is missing: {\"mode\": \"auto\", \"tools\": […]}");
  if (server.wanted())
    return choice.refuse("allowed_tools", "cannot be asked for together with parley.tools: name them there");
  FieldReader allowed(*object, choice.path_of("allowed_tools"));
  const std::string mode = allowed.text("mode");
  if (!allowed.error()) read_mode(allowed, "mode", mode, offer);
  const auto names = read_allowed_names(allowed, offer.tools);
  choice.adopt(allowed.error());
  std::erase_if(offer.tools, [&](const auto& tool) {
    return std::find(names.begin(), names.end(), tool->spec().name) == names.end();
  });
}

void read_choice_object(FieldReader& fields, const JsonObject& object, const ServerToolChoice& server,
                        ToolOffer& offer) {
  FieldReader choice(object, fields.path_of("tool_choice"));
  const std::string type = choice.text("type");
  if (type == "function") {
    read_named(choice, server, offer);
  } else if (type == "allowed_tools") {
    read_allowed(choice, server, offer);
  } else if (!choice.error()) {
    choice.refuse("type", "must be \"function\" or \"allowed_tools\"");
  }
  fields.adopt(choice.error());
}

void read_choice(FieldReader& fields, const JsonValue& value, const ServerToolChoice& server,
                 ToolOffer& offer) {
  if (value.is_object()) {
    read_choice_object(fields, value.get_object(), server, offer);
  } else if (value == "none") {
    offer.choice = ToolChoice::none;
  } else {
    read_mode(fields, "tool_choice", value.is_string() ? std::string_view(value.get_string()) : "", offer);
  }
  if (offer.choice == ToolChoice::required && offer.tools.empty() && !server.wanted())
    fields.refuse("tool_choice", "needs `tools`, and there are none");
}

}  // namespace

ToolOffer read_tool_offer(FieldReader& fields, const ServerToolChoice& server) {
  ToolOffer offer;
  offer.tools = read_tool_definitions(fields);
  offer.mode = server.mode;
  if (fields.error()) return offer;
  offer.parallel = fields.optional_flag("parallel_tool_calls").value_or(true);
  if (const JsonValue* choice = fields.find("tool_choice")) read_choice(fields, *choice, server, offer);
  return offer;
}

}  // namespace parley::app::api
