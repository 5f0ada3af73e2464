#pragma once
// What tools were called, by whom it was allowed and how it ended: one JSON object a line, only ever appended
// to (tools.log in the data folder, mode 0600). Arguments are kept as a hash only: they may hold secrets.
// Blocks; any thread, several at once.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::tools {

struct AuditRecord {
  std::chrono::system_clock::time_point time;  // when it ended; kept in milliseconds
  std::string chat;
  std::string tool;
  std::string source;  // ToolSpec::source
  std::string arguments_hash;
  std::string decision;  // "auto", "once", "chat", "always", "denied", …
  std::string end;       // "ok", "error", "timed_out", "cancelled", "interrupted", "denied"
  std::chrono::milliseconds duration{0};
};

// SHA-256 of the arguments as one JSON text.
std::string arguments_hash(const inference::json::JsonObject& arguments);

// Nullopt: written; else a sentence.
std::optional<std::string> append_audit_record(const std::filesystem::path& path, const AuditRecord& record);

struct AuditFilter {
  std::size_t limit = 100;  // the last ones
  std::string chat;         // empty: all
  std::string tool;
};

struct AuditLog {
  std::vector<AuditRecord> records;  // oldest first
  std::size_t damaged_lines = 0;     // not readable, and skipped
  std::string problem;               // not empty: the file cannot be read
};

AuditLog read_audit_log(const std::filesystem::path& path, const AuditFilter& filter);

}  // namespace parley::orchestration::tools
