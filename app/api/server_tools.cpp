#include "app/api/server_tools.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "inference/json/nearest_name.h"
#include "orchestration/tools/builtin_names.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::turn::ToolChoice;
using orchestration::turn::ToolMode;
using protocol::FieldReader;

void read_names(FieldReader& parley, const JsonArray& array, ServerToolChoice& choice) {
  if (array.size() > kMaxClientTools) return parley.refuse("tools", "must hold at most 128 names");
  for (std::size_t i = 0; i < array.size(); ++i) {
    const auto* name = array[i].if_string();
    if (name == nullptr)
      return parley.refuse("tools[" + std::to_string(i) + "]", "must be the name of a tool of this server");
    if (!choice.may_include(*name)) choice.names.emplace_back(*name);
  }
}

constexpr auto kModes =
    std::to_array<std::pair<std::string_view, ToolMode>>({{"raw", ToolMode::raw},
                                                          {"lenient", ToolMode::lenient},
                                                          {"routed", ToolMode::routed},
                                                          {"constrained", ToolMode::constrained}});

ToolMode read_tool_mode(FieldReader& parley) {
  const auto word = parley.optional_text("tool_mode");
  if (!word) return ToolMode::usual;
  for (const auto& [name, mode] : kModes) {
    if (*word == name) return mode;
  }
  parley.refuse("tool_mode", "must be \"raw\", \"lenient\", \"routed\" or \"constrained\"");
  return ToolMode::usual;
}

constexpr auto kParleyKeys = std::to_array<std::string_view>({"tools", "tool_mode"});

// A slip that was ignored would be a request that does something else. Empty: all keys are known.
std::string unknown_key_problem(std::string_view key) {
  if (std::find(kParleyKeys.begin(), kParleyKeys.end(), key) != kParleyKeys.end()) return "";
  const std::string_view near = inference::json::nearest_name(key, kParleyKeys);
  if (near.empty()) return "is not known here: there are `parley.tools` and `parley.tool_mode`";
  return "is not known here: the nearest is `parley." + std::string(near) + "`";
}

void read_parley(FieldReader& parley, const JsonObject& object, ServerToolChoice& choice) {
  for (const auto& field : object) {
    if (const std::string problem = unknown_key_problem(field.key()); !problem.empty())
      return parley.refuse(field.key(), problem);
  }
  choice.mode = read_tool_mode(parley);
  const JsonValue* tools = parley.find("tools");
  if (tools == nullptr) return;
  if (const bool* all = tools->if_bool()) {
    choice.all = *all;
  } else if (const JsonArray* names = tools->if_array()) {
    read_names(parley, *names, choice);
  } else {
    parley.refuse("tools", "must be true, false or an array of names");
  }
}

ApiError refused(std::string param, const std::string& problem) {
  ApiError error;
  error.message = "`" + param + "` " + problem + ".";
  error.param = std::move(param);
  error.code = "invalid_value";
  return error;
}

// Names at most a few of them.
std::string names_of(const ToolList& tools) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, tools.size()); ++i)
    text += (i == 0 ? "" : ", ") + tools[i]->spec().name;
  return tools.size() > kMost ? text + ", …" : text;
}

std::optional<ApiError> missing_name(const ServerToolChoice& choice, const ToolList& available) {
  for (std::size_t i = 0; i < choice.names.size(); ++i) {
    if (has_tool(available, choice.names[i])) continue;
    return refused("parley.tools", "names \"" + choice.names[i] +
                                       "\", which this server does not have. It has: " + names_of(available));
  }
  return std::nullopt;
}

}  // namespace

bool ServerToolChoice::may_include(std::string_view name) const {
  return all || std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view name_of(ToolMode mode) {
  for (const auto& [name, one] : kModes) {
    if (one == mode) return name;
  }
  return "";
}

ServerToolChoice read_server_tools(FieldReader& fields) {
  ServerToolChoice choice;
  const JsonObject* object = fields.optional_object("parley");
  if (object == nullptr) return choice;
  FieldReader parley(*object, fields.path_of("parley"));
  read_parley(parley, *object, choice);
  fields.adopt(parley.error());
  return choice;
}

bool has_server_tools(const orchestration::turn::ToolDesk& desk) {
  const auto state = desk.state();
  const bool was_read = state->file && !state->file->content_hash.empty();
  return was_read || !state->tools.tools().empty() || !state->starting.empty();
}

ToolList available_tools(orchestration::turn::ToolDesk& desk, const ServerToolChoice& choice) {
  using orchestration::tools::Decision;
  ToolList list;
  for (const auto& tool : desk.state()->tools.tools()) {
    const auto& spec = tool->spec();
    if (spec.name == orchestration::tools::kOutputReader) continue;  // reads what chats have kept
    const Decision decision = desk.decide(spec, "");
    if (choice.all ? decision == Decision::automatic : decision != Decision::deny) list.push_back(tool);
  }
  return list;
}

std::optional<ApiError> add_server_tools(orchestration::turn::ToolOffer& offer,
                                         const ServerToolChoice& choice, const ToolList& available) {
  if (auto error = missing_name(choice, available)) return error;
  const std::size_t num_own = offer.tools.size();
  for (const auto& tool : available) {
    const std::string& name = tool->spec().name;
    if (!choice.may_include(name)) continue;
    const auto end = offer.tools.begin() + static_cast<std::ptrdiff_t>(num_own);
    const auto same =
        std::find_if(offer.tools.begin(), end, [&](const auto& own) { return own->spec().name == name; });
    if (same != end) {
      return refused(
          "tools[" + std::to_string(same - offer.tools.begin()) + "].function.name",
          "is also the name of a tool of this server: rename one, or leave it out of parley.tools");
    }
    offer.tools.push_back(tool);
  }
  if (offer.choice == ToolChoice::named && !has_tool(offer.tools, offer.named))
    return refused("tool_choice.function.name", "is not one of the tools: " + names_of(offer.tools));
  if (offer.choice == ToolChoice::required && offer.tools.empty())
    return refused("tool_choice", "needs a tool that can be called, and this server has none");
  return std::nullopt;
}

ApiError no_server_tools() {
  ApiError error = refused(
      "parley.tools",
      "cannot be honoured: this server has no tools, or they are off since other machines can reach it "
      "without an access_key. Start it with a tools file (--tools FILE) and, where it is reached from "
      "elsewhere, with an access_key, or send `tools` and run them yourself");
  error.code = "unavailable";
  return error;
}

}  // namespace parley::app::api
