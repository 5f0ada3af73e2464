#include "orchestration/tools/command_result.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/mcp/plain_text.h"
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

const char* rest_words(const ProgramResult& ran) {
  return ran.still_ending ? " Some of its processes are still being ended." : "";
}

std::string_view tail_of_output(const ProgramResult& ran) {
  return std::string_view(ran.output).substr(ran.cut_bytes > 0 ? ran.cut_at : 0);
}

std::string without_begin(const std::string& text, std::size_t bytes) {
  return std::string(mcp::tail_of(text, text.size() - std::min(bytes, text.size())));
}

// The end of standard error, or else of the output: the reason is in the last lines.
std::string reason_of(const ProgramResult& ran, const ResultRules& rules) {
  constexpr std::size_t kMaxReason = 2000;
  const bool is_error = !ran.error.empty();
  const std::string_view said = is_error ? std::string_view(ran.error) : tail_of_output(ran);
  std::string reason = redacted(without_controls(said), rules.secrets);
  // Its begin may be the rest of a secret.
  const bool is_cut = (is_error ? ran.error_cut_bytes : ran.cut_bytes) > 0;
  if (is_cut) reason = without_begin(reason, cut_margin(rules.secrets));
  while (!reason.empty() && (reason.back() == '\n' || reason.back() == ' ')) reason.pop_back();
  if (reason.size() > kMaxReason) {
    reason = "\xE2\x80\xA6" + std::string(mcp::tail_of(reason, kMaxReason));
  }
  return reason;
}

ToolResult ended_badly(const ProgramResult& ran, const ResultRules& rules, const std::string& how) {
  const std::string reason = reason_of(ran, rules);
  return failed(ToolResult::Status::error,
                rules.program + ' ' + how + (reason.empty() ? "." : ": " + reason));
}

ToolResult json_result(const ProgramResult& ran, const ResultRules& rules) {
  if (ran.cut_bytes > 0 || ran.output.size() > rules.max_output) {
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
  const std::string_view head = std::string_view(ran.output).substr(0, ran.cut_at);
  CutText clean = ran.cut_bytes == 0 ? clean_output(ran.output, rules.max_output, rules.secrets)
                                     : clean_cut_output(head, tail_of_output(ran), ran.cut_bytes,
                                                        rules.max_output, rules.secrets);
  ToolResult result;
  result.text = std::move(clean.text);
  result.cut_bytes = clean.cut_bytes;
  return result;
}

}  // namespace

ToolResult command_result(const ProgramResult& ran, const ResultRules& rules) {
  switch (ran.end) {
    case ProgramResult::End::not_started:
      return failed(ToolResult::Status::error,
                    rules.program + " could not be started: " + reason_of(ran, rules));
    case ProgramResult::End::timed_out:
      return failed(ToolResult::Status::timed_out, rules.program + " timed out after " +
                                                       seconds_text(rules.timeout) + "." + rest_words(ran));
    case ProgramResult::End::stopped:
      return failed(ToolResult::Status::cancelled, rules.program + " was stopped." + rest_words(ran));
    case ProgramResult::End::signalled:
      return ended_badly(ran, rules, "was ended by signal " + std::to_string(ran.code));
    case ProgramResult::End::exited:
      break;
  }
  if (ran.code != 0) return ended_badly(ran, rules, "ended with exit status " + std::to_string(ran.code));
  return rules.output == CommandOutput::text ? text_result(ran, rules) : json_result(ran, rules);
}

}  // namespace parley::orchestration::tools
