#include "retrieval/scan/pending_changes.h"

#include <algorithm>

namespace parley::retrieval::scan {
namespace {

// Whether a folder above `path` is in the set; the root stands for everything.
bool has_folder_above(const std::set<std::string>& paths, const std::string& path) {
  if (path.empty()) {
    return false;
  }
  if (paths.contains("")) {
    return true;
  }
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    if (paths.contains(path.substr(0, slash))) {
      return true;
    }
  }
  return false;
}

}  // namespace

void PendingChanges::touch(const std::string& path, Time now) {
  const auto [found, is_new] = paths_.try_emplace(path, Times{.first = now, .due = {}});
  Times& times = found->second;
  if (!is_new) {
    by_due_.erase({times.due, path});
  }
  times.due = std::min(now + quiet_, times.first + longest_);
  by_due_.emplace(times.due, path);
}

void PendingChanges::restart(const std::string& path, Time now) {
  if (const auto found = paths_.find(path); found != paths_.end()) {
    by_due_.erase({found->second.due, path});
    paths_.erase(found);
  }
  touch(path, now);
}

std::optional<PendingChanges::Time> PendingChanges::next_due() const {
  return by_due_.empty() ? std::nullopt : std::optional(by_due_.begin()->first);
}

std::vector<std::string> PendingChanges::take_due(Time now) {
  std::set<std::string> due;
  while (!by_due_.empty() && by_due_.begin()->first <= now) {
    due.insert(by_due_.begin()->second);
    paths_.erase(by_due_.begin()->second);
    by_due_.erase(by_due_.begin());
  }
  std::vector<std::string> told;
  std::copy_if(due.begin(), due.end(), std::back_inserter(told),
               [&due](const std::string& path) { return !has_folder_above(due, path); });
  return told;
}

void PendingChanges::clear() {
  paths_.clear();
  by_due_.clear();
}

}  // namespace parley::retrieval::scan
