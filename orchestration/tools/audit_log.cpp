#include "orchestration/tools/audit_log.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <deque>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/tools/last_error.h"
#include "orchestration/tools/private_file.h"
#include "orchestration/tools/sha256.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using std::chrono::milliseconds;
using std::chrono::system_clock;

constexpr std::size_t kMaxLine = 64 * 1024;

// RFC 3339 in UTC, with milliseconds: 2026-11-30T10:16:35.042Z.
std::string time_text(system_clock::time_point time) {
  const auto since = std::chrono::floor<milliseconds>(time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  const std::time_t whole = seconds.count();
  std::tm parts{};
  ::gmtime_r(&whole, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::string out(text.data(), size);
  const std::string digits = std::to_string(1000 + (since - seconds).count());
  return out + '.' + digits.substr(1) + 'Z';
}

std::optional<system_clock::time_point> read_time(const std::string& text) {
  std::tm parts{};
  int fraction = 0;
  int end = 0;
  const int fields =
      std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ%n", &parts.tm_year, &parts.tm_mon,
                  &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &fraction, &end);
  if (fields != 7 || end != static_cast<int>(text.size())) return std::nullopt;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return system_clock::from_time_t(::timegm(&parts)) + milliseconds(fraction);
}

std::string line_of(const AuditRecord& record) {
  const JsonObject object{{"time", time_text(record.time)},
                          {"chat", record.chat},
                          {"tool", record.tool},
                          {"source", record.source},
                          {"arguments", record.arguments_hash},
                          {"decision", record.decision},
                          {"end", record.end},
                          {"duration_ms", record.duration.count()}};
  return inference::json::to_json_text(object) + '\n';
}

std::optional<AuditRecord> read_line(std::string_view line) {
  const auto parsed = inference::json::parse_json(line, {.max_bytes = kMaxLine});
  const auto* value = std::get_if<JsonValue>(&parsed);
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const JsonObject& object = value->get_object();
  const auto text = [&](const char* key) {
    const JsonValue* field = object.if_contains(key);
    return field != nullptr && field->is_string() ? std::string(field->get_string()) : std::string();
  };
  const auto time = read_time(text("time"));
  const JsonValue* duration = object.if_contains("duration_ms");
  if (!time || duration == nullptr || !duration->is_int64()) return std::nullopt;
  return AuditRecord{.time = *time,
                     .chat = text("chat"),
                     .tool = text("tool"),
                     .source = text("source"),
                     .arguments_hash = text("arguments"),
                     .decision = text("decision"),
                     .end = text("end"),
                     .duration = milliseconds(duration->get_int64())};
}

}  // namespace

std::string arguments_hash(const JsonObject& arguments) {
  return sha256_hex(inference::json::to_json_text(arguments));
}

std::optional<std::string> append_audit_record(const std::filesystem::path& path, const AuditRecord& record) {
  return append_private_file(path, line_of(record));
}

AuditLog read_audit_log(const std::filesystem::path& path, const AuditFilter& filter) {
  AuditLog log;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return log;  // no call yet
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    log.problem = path.string() + " cannot be read (" + last_error_words() + "); check its permissions";
    return log;
  }
  std::deque<AuditRecord> last;
  for (std::string line; std::getline(stream, line);) {
    auto record = read_line(line);
    if (!record) {
      ++log.damaged_lines;
      continue;
    }
    const bool wanted = (filter.chat.empty() || record->chat == filter.chat) &&
                        (filter.tool.empty() || record->tool == filter.tool);
    if (wanted) last.push_back(std::move(*record));
    if (last.size() > filter.limit) last.pop_front();
  }
  log.records.assign(std::make_move_iterator(last.begin()), std::make_move_iterator(last.end()));
  return log;
}

}  // namespace parley::orchestration::tools
