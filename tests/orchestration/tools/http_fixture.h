#pragma once
// What the tests of HTTP tools share: a server that keeps what it was asked, JSON from text, a call's
// context.

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "inference/json/json.h"
#include "orchestration/tools/http_tool.h"
#include "tests/orchestration/fetch/local_server.h"

namespace parley::orchestration::tools {

inline inference::json::JsonValue json_of(std::string_view text) {
  auto parsed = inference::json::parse_json(text, {.max_bytes = text.size(), .max_depth = 64});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed))
    ADD_FAILURE() << text << error->message;
  auto* value = std::get_if<inference::json::JsonValue>(&parsed);
  return value == nullptr ? inference::json::JsonValue() : std::move(*value);
}

inline inference::json::JsonObject arguments_of(std::string_view text) { return json_of(text).as_object(); }

inline CallContext context_for(std::chrono::milliseconds time) {
  CallContext context;
  context.deadline = std::chrono::steady_clock::now() + time;
  return context;
}

inline ToolSpec spec_with(std::string_view properties) {
  ToolSpec spec;
  spec.name = "ticket";
  spec.parameters["type"] = "object";
  spec.parameters["properties"] = json_of(properties);
  spec.source = "http";
  return spec;
}

inline std::unique_ptr<Tool> http_tool(const HttpToolConfig& config, std::string_view properties = "{}") {
  auto made = make_http_tool(spec_with(properties), config, fetch::make_fetcher());
  if (const auto* problem = std::get_if<std::string>(&made)) {
    ADD_FAILURE() << *problem;
    return nullptr;
  }
  return std::get<std::unique_ptr<Tool>>(std::move(made));
}

inline ToolResult called(Tool& tool, std::string_view arguments) {
  return tool.run(arguments_of(arguments), context_for(std::chrono::seconds(20)));
}

inline fetch::LocalServer::Answer always(const std::string& answer) {
  return [answer](fetch::Connection& connection, const std::string&) { connection.write(answer); };
}

}  // namespace parley::orchestration::tools
