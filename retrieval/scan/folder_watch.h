#pragma once
// Tells which paths below a root have changed. A thread of its own calls the sink; nothing is told for a path
// before it has been quiet for a second, or ten seconds after its first change.
//
// Start it before the walk, so that nothing falls between: all watches are there when watch_folder returns.
// Where watching is not possible (network and FUSE file systems, no watches left) it says so and the root has
// to be walked again at intervals. So it has now and then anyway: what a program writes into a file that it
// keeps open or maps is told when it closes the file.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "retrieval/scan/ignore_rules.h"

namespace parley::retrieval::scan {

// Called on the watch's thread only, one at a time; they may be empty, must not throw and must not destroy
// the watch. While one runs events wait in the system's queue, which may overflow.
struct WatchEvents {
  // Relative to the root, "" is all of it; a folder stands for everything below it. Each path once. What is
  // not wanted (FolderRules, ignore files) is not told, but a folder whose ignore file changed is.
  std::function<void(std::vector<std::string> changed)> changed;
  // Events were lost (queue overflow): walk everything.
  std::function<void()> lost;
  // A file or folder was moved within the root; told before `changed` names both.
  std::function<void(std::string from, std::string to)> moved;
  // The root was unmounted, moved or deleted. Nothing more is told.
  std::function<void()> root_gone;
};

class FolderWatch {
 public:
  virtual ~FolderWatch() = default;  // joins the thread
  // Why some folders or all cannot be watched, a sentence for the user; empty: all are. Any thread.
  virtual std::string limitation() const = 0;
};

struct WatchOptions {
  std::chrono::milliseconds quiet{1'000};
  std::chrono::milliseconds longest{10'000};
  // At most so many of the watches that the system has for this user; the folders beyond are not watched.
  std::size_t max_watches = std::numeric_limits<std::size_t>::max();
};

// Throws std::system_error when the root cannot be opened.
std::unique_ptr<FolderWatch> watch_folder(const std::filesystem::path& root, const FolderRules& rules,
                                          WatchEvents events, const WatchOptions& options);

}  // namespace parley::retrieval::scan
