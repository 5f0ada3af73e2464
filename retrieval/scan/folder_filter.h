#pragma once
// Says of each path in a folder why it is not wanted. Immutable, any thread.
//
// Filters form a chain from the root down, one link for each folder that has ignore files. Links are shared:
// those of the folders above are needed as long as any folder below is looked at.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/scan/ignore_rules.h"

namespace parley::retrieval::scan {

inline constexpr const char* kGitIgnore = ".gitignore";
inline constexpr const char* kOwnIgnore = ".parleyignore";

// A path to be judged. `folder` is the open folder that holds it, or -1: then a folder called "build" counts
// as wanted.
struct Candidate {
  std::string_view path;  // relative to the root
  PathKind kind = PathKind::file;
  int folder = -1;
};

class FolderFilter {
 public:
  explicit FolderFilter(const FolderRules& rules);

  // The filter for what lies in `folder`, whose ignore files have these contents.
  static std::shared_ptr<const FolderFilter> inside(std::shared_ptr<const FolderFilter> outer,
                                                    const std::string& folder, std::string_view git_ignore,
                                                    std::string_view own_ignore);

  // Why it is not wanted, in words; none: it is. Only what lies in wanted folders need be asked about.
  std::optional<std::string> refusal(const Candidate& candidate) const;
  std::size_t max_file_bytes() const { return rules_->max_file_bytes; }

 private:
  struct Rules {
    IgnoreFile include;
    IgnoreFile exclude;
    bool hidden = false;
    std::size_t max_file_bytes = 0;
  };

  FolderFilter() = default;
  bool is_included(std::string_view path) const;
  bool is_kept_by_name(const Candidate& candidate) const;
  std::optional<std::string> default_refusal(const Candidate& candidate, std::string_view name) const;

  std::shared_ptr<const Rules> rules_;  // of the root, shared by the whole chain
  std::shared_ptr<const FolderFilter> outer_;
  std::string folder_;
  std::optional<IgnoreFile> git_ignore_;
  std::optional<IgnoreFile> own_ignore_;
};

}  // namespace parley::retrieval::scan
