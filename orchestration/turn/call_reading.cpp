#include "orchestration/turn/call_reading.h"

#include <algorithm>
#include <string>

namespace parley::orchestration::turn {
namespace {

constexpr std::int64_t kTrustedParameters = 3'000'000'000;

bool may_reason(std::string_view chat_template, const calls::CallFormat& format) {
  if (format.encoding == calls::Encoding::channels) return true;
  const auto stands_in_template = [chat_template](const std::string& marker) {
    return chat_template.find(marker) != std::string_view::npos;
  };
  return std::any_of(format.reasoning_close.begin(), format.reasoning_close.end(), stands_in_template);
}

}  // namespace

CallReading call_reading(std::string_view chat_template, const calls::CallFormat* format) {
  if (format == nullptr) format = calls::format_of_template(chat_template);
  CallReading reading;
  if (format != nullptr) reading.format = format;
  if (may_reason(chat_template, *reading.format)) reading.reasoning = Reasoning::possible;
  return reading;
}

ToolProfile usual_tool_profile(std::string_view chat_template, std::int64_t num_parameters) {
  const bool shows_tools = chat_template.find("tools") != std::string_view::npos ||
                           calls::format_of_template(chat_template) != nullptr;
  if (!shows_tools) return ToolProfile::none;
  return num_parameters >= kTrustedParameters ? ToolProfile::native : ToolProfile::weak;
}

}  // namespace parley::orchestration::turn
