#pragma once
// What the catalogue says about a model and tools. Plain values, any thread. A word that is none of those
// allowed throws std::runtime_error, which lists them.

#include <optional>
#include <string_view>

#include "orchestration/turn/call_reading.h"

namespace parley::app::models {

// As written in config/models.json.
struct ToolWords {
  std::string_view model;  // for errors
  std::optional<std::string_view> tools;
  std::optional<std::string_view> call_format;
  bool lenient_calls = true;
};

struct ToolSettings {
  std::optional<orchestration::turn::ToolProfile> profile;   // absent: by template and size
  const orchestration::calls::CallFormat* format = nullptr;  // null: by template
  orchestration::calls::CallDetection detection = orchestration::calls::CallDetection::lenient;
};

ToolSettings read_tool_settings(const ToolWords& words);

}  // namespace parley::app::models
