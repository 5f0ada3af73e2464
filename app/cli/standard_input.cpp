#include "app/cli/standard_input.h"

#include <simdjson.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace parley::app::cli {
namespace {

using orchestration::prompt::ChatMessage;
using orchestration::prompt::Role;

ChatMessage parse_message(simdjson::dom::element item, const std::string& place) {
  std::string_view role, content;
  if (item["role"].get_string().get(role) != simdjson::SUCCESS)
    throw std::runtime_error(place + ": \"role\" is missing");
  if (item["content"].get_string().get(content) != simdjson::SUCCESS) {
    throw std::runtime_error(place + ": \"content\" is missing or not a string");
  }
  ChatMessage message;
  message.text = content;
  if (role == "system" || role == "developer") {
    message.role = Role::system;
  } else if (role == "user") {
    message.role = Role::user;
  } else if (role == "assistant") {
    message.role = Role::assistant;
  } else {
    throw std::runtime_error(place + ": role \"" + std::string(role) +
                             "\" is none of system, user, assistant");
  }
  return message;
}

}  // namespace

std::string read_standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw std::runtime_error("cannot read " + path.string() + "; check the path and its permissions");
  return {std::istreambuf_iterator<char>(stream), {}};
}

MessagesDocument parse_messages(const std::string& json, const std::string& source) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (const auto error = parser.parse(json).get(root); error != simdjson::SUCCESS) {
    throw std::runtime_error(source + " is not valid JSON (" + simdjson::error_message(error) + ")");
  }
  MessagesDocument document;
  simdjson::dom::array items;
  if (root.get_array().get(items) != simdjson::SUCCESS &&
      root["messages"].get_array().get(items) != simdjson::SUCCESS) {
    throw std::runtime_error(source + ": expected {\"messages\": […]} or a list of messages");
  }
  for (const simdjson::dom::element item : items) {
    const std::string place = source + ": message " + std::to_string(document.messages.size() + 1);
    document.messages.push_back(parse_message(item, place));
  }
  simdjson::dom::element tools;
  if (root.is_object() && root["tools"].get(tools) == simdjson::SUCCESS && !tools.is_null()) {
    if (!tools.is_array()) throw std::runtime_error(source + ": \"tools\" is not a list");
    document.tools_json = simdjson::minify(tools);
  }
  return document;
}

}  // namespace parley::app::cli
