#include "app/models/tool_settings.h"

#include <stdexcept>
#include <string>

namespace parley::app::models {
namespace {

namespace calls = orchestration::calls;
using orchestration::turn::ToolProfile;

[[noreturn]] void refuse(const ToolWords& words, const std::string& key, std::string_view value,
                         const std::string& allowed) {
  throw std::runtime_error("config/models.json: model " + std::string(words.model) + ": \"" + key +
                           "\" is \"" + std::string(value) + "\"; allowed are " + allowed);
}

ToolProfile read_profile(const ToolWords& words) {
  if (*words.tools == "native") return ToolProfile::native;
  if (*words.tools == "weak") return ToolProfile::weak;
  if (*words.tools == "none") return ToolProfile::none;
  refuse(words, "tools", *words.tools, "native, weak and none");
}

const calls::CallFormat* read_format(const ToolWords& words) {
  if (const auto* format = calls::find_call_format(*words.call_format)) return format;
  std::string allowed;
  for (const calls::CallFormat& format : calls::call_formats()) {
    allowed += (allowed.empty() ? "" : ", ") + format.name;
  }
  refuse(words, "call_format", *words.call_format, allowed);
}

}  // namespace

ToolSettings read_tool_settings(const ToolWords& words) {
  ToolSettings settings;
  if (words.tools) settings.profile = read_profile(words);
  if (words.call_format) settings.format = read_format(words);
  if (!words.lenient_calls) settings.detection = calls::CallDetection::native;
  return settings;
}

}  // namespace parley::app::models
