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

#include "inference/json/fields.h"
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
  const auto text = [&](const char* key) { return inference::json::text_field(object, key); };
  const auto time = read_time(text("time"));
  const auto duration = inference::json::integer_field(object, "duration_ms");
  if (!time || !duration) return std::nullopt;
  return AuditRecord{.time = *time,
                     .chat = text("chat"),
                     .tool = text("tool"),
                     .source = text("source"),
                     .arguments_hash = text("arguments"),
                     .decision = text("decision"),
                     .end = text("end"),
                     .duration = milliseconds(*duration)};
}

class LogReader {
 public:
  explicit LogReader(const AuditFilter& filter) : filter_(filter) {}

  void read(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return;  // no call yet
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
      log_.problem = path.string() + " cannot be read (" + last_error_words() + "); check its permissions";
    for (std::string line; std::getline(stream, line);) take_line(line);
  }

  AuditLog take() {
    log_.records.assign(std::make_move_iterator(last_.begin()), std::make_move_iterator(last_.end()));
    return std::move(log_);
  }

 private:
  void take_line(const std::string& line) {
    auto record = read_line(line);
    if (!record) {
      ++log_.damaged_lines;
      return;
    }
    const bool wanted = (filter_.chat.empty() || record->chat == filter_.chat) &&
                        (filter_.tool.empty() || record->tool == filter_.tool);
    if (wanted) last_.push_back(std::move(*record));
    if (last_.size() > filter_.limit) last_.pop_front();
  }

  const AuditFilter& filter_;
  AuditLog log_;
  std::deque<AuditRecord> last_;
};

}  // namespace

std::string arguments_hash(const JsonObject& arguments) {
  return sha256_hex(inference::json::to_json_text(arguments));
}

std::optional<std::string> append_audit_record(const std::filesystem::path& path, const AuditRecord& record,
                                               std::size_t max_bytes) {
  put_aside_private_file(path, max_bytes);
  return append_private_file(path, line_of(record));
}

std::optional<AuditRecord> read_audit_line(std::string_view line) { return read_line(line); }

AuditLog read_audit_log(const std::filesystem::path& path, const AuditFilter& filter) {
  LogReader reader(filter);
  reader.read(path.string() + ".1");
  reader.read(path);
  return reader.take();
}

}  // namespace parley::orchestration::tools
