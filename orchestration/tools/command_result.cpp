#include "orchestration/tools/command_result.h"

#include <array>
#include <cstdio>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/tools/clean_output.h"
#include "orchestration/tools/tool_content.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonValue;
using sandbox::ProgramResult;

ToolResult failed(ToolResult::Status status, std::string text) {
  ToolResult result;
  result.status = status;
  result.text = std::move(text);
  return result;
}

// 60000 as "60 s", 1500 as "1.5 s".
std::string seconds_text(std::chrono::milliseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", static_cast<double>(time.count()) / 1000);
  return text.data();
}

// The end of standard error, or else of the output: the reason is in the last lines.
std::string reason_of(const ProgramResult& ran, const ResultRules& rules) {
  constexpr std::size_t kMaxReason = 2000;
  std::string reason = redacted(without_controls(ran.error.empty() ? ran.output : ran.error), rules.secrets);
  while (!reason.empty() && (reason.back() == '\n' || reason.back() == ' ')) reason.pop_back();
  if (reason.size() > kMaxReason) {
    std::size_t begin = reason.size() - kMaxReason;
    while ((static_cast<unsigned char>(reason[begin]) & 0xC0) == 0x80) ++begin;
    reason = "\xE2\x80\xA6" + reason.substr(begin);
  }
  return reason;
}

ToolResult ended_badly(const ProgramResult& ran, const ResultRules& rules, const std::string& how) {
  const std::string reason = reason_of(ran, rules);
  return failed(ToolResult::Status::error,
                rules.program + ' ' + how + (reason.empty() ? "." : ": " + reason));
}

ToolResult json_result(const ProgramResult& ran, const ResultRules& rules) {
  if (ran.cut_bytes > 0) {
    return failed(ToolResult::Status::error, rules.program + " printed more than " +
                                                 std::to_string(rules.max_output) +
                                                 " bytes, too much to be read as JSON.");
  }
  auto parsed = inference::json::parse_json(ran.output, {.max_bytes = ran.output.size() + 1});
  if (const auto* error = std::get_if<inference::json::JsonError>(&parsed)) {
    return failed(ToolResult::Status::error,
                  rules.program + " printed no JSON, as it should have. " + error->message);
  }
  const JsonValue& value = std::get<JsonValue>(parsed);
  if (rules.output == CommandOutput::mcp) return content_result(value, rules.max_output, rules.secrets);
  ToolResult result;
  result.structured = redacted_json(value, rules.secrets);
  result.text = inference::json::to_json_text(*result.structured);
  return result;
}

ToolResult text_result(const ProgramResult& ran, const ResultRules& rules) {
  constexpr std::size_t kRoomForTheCutLine = 128;  // the runner put one between head and tail already
  CutText clean = clean_output(ran.output, rules.max_output + kRoomForTheCutLine, rules.secrets);
  ToolResult result;
  result.text = std::move(clean.text);
  result.cut_bytes = ran.cut_bytes + clean.cut_bytes;
  return result;
}

}  // namespace

ToolResult command_result(const ProgramResult& ran, const ResultRules& rules) {
  switch (ran.end) {
    case ProgramResult::End::not_started:
      return failed(ToolResult::Status::error,
                    rules.program + " could not be started: " + reason_of(ran, rules));
    case ProgramResult::End::timed_out:
      return failed(ToolResult::Status::timed_out,
                    rules.program + " timed out after " + seconds_text(rules.timeout) + ".");
    case ProgramResult::End::stopped:
      return failed(ToolResult::Status::cancelled, rules.program + " was stopped.");
    case ProgramResult::End::signalled:
      return ended_badly(ran, rules, "was ended by signal " + std::to_string(ran.code));
    case ProgramResult::End::exited:
      break;
  }
  if (ran.code != 0) return ended_badly(ran, rules, "ended with exit status " + std::to_string(ran.code));
  return rules.output == CommandOutput::text ? text_result(ran, rules) : json_result(ran, rules);
}

}  // namespace parley::orchestration::tools
