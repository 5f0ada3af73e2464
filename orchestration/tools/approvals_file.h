#pragma once
// Where "always" answers are kept: approvals.json in the data folder, mode 0600, replaced as a whole. Blocks;
// any thread, one at a time per file.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "orchestration/tools/approvals.h"

namespace parley::orchestration::tools {

struct LoadedApprovals {
  std::vector<StandingApproval> always;
  std::string
      problem;  // not empty: the file is damaged or untrusted, nothing of it counts, and people are asked
};

LoadedApprovals load_approvals(const std::filesystem::path& path);  // no file: no answers, no problem

// Nullopt: saved; else a sentence.
std::optional<std::string> save_approvals(const std::filesystem::path& path,
                                          const std::vector<StandingApproval>& always);

}  // namespace parley::orchestration::tools
