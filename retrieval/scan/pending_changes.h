#pragma once
// Paths that changed and are waited for to be quiet. A value; one thread at a time; time is handed in.

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley::retrieval::scan {

class PendingChanges {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // A path is due `quiet` after its last change and `longest` after its first.
  PendingChanges(std::chrono::milliseconds quiet, std::chrono::milliseconds longest)
      : quiet_(quiet), longest_(longest) {}

  void touch(const std::string& path, Time now);
  void restart(const std::string& path, Time now);  // as if it were its first change
  std::optional<Time> next_due() const;
  // In the order of names; nothing below a folder that is among them.
  std::vector<std::string> take_due(Time now);

  bool contains(const std::string& path) const { return paths_.contains(path); }
  std::size_t size() const { return paths_.size(); }
  void clear();

 private:
  struct Times {
    Time first;
    Time due;
  };
  std::chrono::milliseconds quiet_;
  std::chrono::milliseconds longest_;
  std::unordered_map<std::string, Times> paths_;
  std::set<std::pair<Time, std::string>> by_due_;  // the same paths
};

}  // namespace parley::retrieval::scan
