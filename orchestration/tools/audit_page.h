#pragma once
// The log of calls (audit_log.h) page by page, the newest first. Reads from the end of the file, which may be
// long. Blocks; any thread, also while it is being appended to.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "orchestration/tools/audit_log.h"

namespace parley::orchestration::tools {

struct AuditEntry {
  std::uint64_t at =
      0;  // byte of the file where it begins: none other has it, and newer ones have larger ones
  AuditRecord record;
};

struct AuditPage {
  std::vector<AuditEntry> entries;      // newest first
  std::optional<std::uint64_t> before;  // the older ones are those before this byte; absent: there are none
  std::size_t damaged_lines = 0;        // of this page: not readable, and left out
  std::string problem;                  // not empty: the file cannot be read
};

// The newest `limit` lines, of those before a byte that another page has told.
AuditPage read_audit_page(const std::filesystem::path& path, std::optional<std::uint64_t> before,
                          std::size_t limit);

}  // namespace parley::orchestration::tools
