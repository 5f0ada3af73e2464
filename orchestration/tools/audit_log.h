#pragma once
// What tools were called, by whom it was allowed and how it ended: one JSON object a line, only ever appended
// to (tools.log in the data folder, mode 0600). A log of more than 8 MiB, some 30,000 calls, is put aside as
// tools.log.1, in place of the one before. Arguments are kept as a hash only: they may hold secrets. Blocks;
// any thread, several at once.

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
  // "auto", "once", "chat", "always", "denied", …; "withdrawn": no call, but an approval was taken back
  std::string decision;
  std::string end;  // "ok", "error", "timed_out", "cancelled", "interrupted", "denied"; empty: no call
  std::chrono::milliseconds duration{0};
};

// SHA-256 of the arguments as one JSON text.
std::string arguments_hash(const inference::json::JsonObject& arguments);

inline constexpr std::size_t kMaxAuditBytes = std::size_t{8} << 20;

// Nullopt: written; else a sentence.
std::optional<std::string> append_audit_record(const std::filesystem::path& path, const AuditRecord& record,
                                               std::size_t max_bytes = kMaxAuditBytes);

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

// None: the line is no record.
std::optional<AuditRecord> read_audit_line(std::string_view line);

// Of the log that was put aside, too.
AuditLog read_audit_log(const std::filesystem::path& path, const AuditFilter& filter);

}  // namespace parley::orchestration::tools
