#pragma once
// What a watch told, to be waited for. Its sink is the watch's thread; the test reads from its own.

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "retrieval/scan/folder_watch.h"
#include "tests/fakes/eventually.h"

namespace parley::retrieval::scan {

class WatchRecorder {
 public:
  WatchEvents events() {
    WatchEvents events;
    events.changed = [this](const std::vector<std::string>& paths) {
      std::unique_lock lock(mutex_);
      threads_.insert(std::this_thread::get_id());
      for (const std::string& path : paths) {
        told_.push_back(path);
      }
      is_waiting_ = hold_;
      released_.wait(lock, [this] { return !hold_; });
      is_waiting_ = false;
    };
    events.lost = [this] {
      const std::lock_guard lock(mutex_);
      threads_.insert(std::this_thread::get_id());
      ++num_lost_;
    };
    events.moved = [this](const std::string& from, const std::string& to) {
      const std::lock_guard lock(mutex_);
      threads_.insert(std::this_thread::get_id());
      told_.push_back(from + " -> " + to);
    };
    events.root_gone = [this] {
      const std::lock_guard lock(mutex_);
      is_root_gone_ = true;
    };
    return events;
  }

  // Quick, so that tests are.
  static WatchOptions options() {
    WatchOptions options;
    options.quiet = std::chrono::milliseconds(40);
    options.longest = std::chrono::milliseconds(400);
    return options;
  }

  // Waits long: test machines are slow, and slower under a sanitizer.
  template <typename Condition>
  static bool eventually(Condition condition) {
    return tests::fakes::eventually(condition, std::chrono::milliseconds(60'000));
  }

  bool is_told(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    return std::find(told_.begin(), told_.end(), path) != told_.end();
  }
  bool will_tell(const std::string& path) const {
    return eventually([&] { return is_told(path); });
  }
  std::vector<std::string> told() const {
    const std::lock_guard lock(mutex_);
    return told_;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    told_.clear();
  }
  std::set<std::thread::id> threads() const {
    const std::lock_guard lock(mutex_);
    return threads_;
  }
  int num_lost() const {
    const std::lock_guard lock(mutex_);
    return num_lost_;
  }
  bool is_root_gone() const {
    const std::lock_guard lock(mutex_);
    return is_root_gone_;
  }

  // While held, `changed` does not return.
  void hold() {
    const std::lock_guard lock(mutex_);
    hold_ = true;
  }
  bool is_waiting() const {
    const std::lock_guard lock(mutex_);
    return is_waiting_;
  }
  void release() {
    {
      const std::lock_guard lock(mutex_);
      hold_ = false;
    }
    released_.notify_all();
  }

 private:
  mutable std::mutex mutex_;  // of all below
  std::condition_variable released_;
  std::vector<std::string> told_;
  std::set<std::thread::id> threads_;
  int num_lost_ = 0;
  bool is_root_gone_ = false;
  bool hold_ = false;
  bool is_waiting_ = false;
};

}  // namespace parley::retrieval::scan
