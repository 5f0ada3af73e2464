#pragma once
// Which files below a root are wanted: what version control, dependencies and builds leave, hidden files and
// binaries are out from the beginning; .gitignore and .parleyignore of each folder as gitignore(5) says; then
// the collection's own include and exclude globs. Not thread-safe; values.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/scan/glob.h"

namespace parley::retrieval::scan {

enum class PathKind { file, folder };

// One folder's ignore file, read once. Lines that cannot be read are passed over as git does. Immutable, any
// thread.
class IgnoreFile {
 public:
  // `folder` relative to the root, "" is the root itself.
  IgnoreFile(std::string_view text, std::string folder);
  enum class Verdict { none, ignore, keep };
  // `path` relative to the root, '/' between its parts; the last line that fits decides.
  Verdict judge(std::string_view path, PathKind kind) const;
  // Whether the line that keeps it names something ("!build/", "!*.png"), and not just everything ("!*/").
  bool keeps_by_name(std::string_view path, PathKind kind) const;
  bool is_empty() const { return patterns_.empty(); }

 private:
  struct Pattern {
    Glob glob;
    bool negated = false;
    bool folders_only = false;
    bool anchored = false;
  };
  void add_line(std::string_view line);
  const Pattern* deciding(std::string_view path, PathKind kind) const;

  std::string folder_;
  std::vector<Pattern> patterns_;
};

struct FolderRules {
  // Globs as in an ignore file of the root: "*.md", "docs/", "/notes/**". Empty: everything.
  std::vector<std::string> include = {};
  std::vector<std::string> exclude = {};
  bool hidden = false;  // also names that begin with a dot
  std::size_t max_file_bytes = std::size_t{100} << 20;
};

// As Glob, for a pattern that is used once.
bool matches_glob(std::string_view glob, std::string_view path);

}  // namespace parley::retrieval::scan
