#include "retrieval/scan/folder_watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <stop_token>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

#include "retrieval/scan/folder_handle.h"
#include "retrieval/scan/pending_changes.h"
#include "retrieval/scan/watched_folders.h"

namespace parley::retrieval::scan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxPending = 100'000;  // beyond, everything is walked
constexpr std::size_t kMaxOpenMoves = 10'000;
constexpr std::chrono::seconds kMoveLimit{1};  // both ends of a move are told at once

std::system_error open_failure(int error, const std::filesystem::path& root) {
  return {error, std::generic_category(), "the folder " + root.string() + " cannot be opened"};
}

// Wakes the thread when it is to end.
class WakeUp {
 public:
  WakeUp() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) {
      throw std::system_error(errno, std::generic_category(), "eventfd");
    }
  }
  ~WakeUp() { ::close(descriptor_); }
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  void signal() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);  // it is signalled then
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

class InotifyWatch final : public FolderWatch {
 public:
  InotifyWatch(const std::filesystem::path& root, struct stat status, const FolderRules& rules,
               WatchEvents events, const WatchOptions& options)
      : root_(root),
        status_(status),
        events_(std::move(events)),
        options_(options),
        folders_(std::filesystem::canonical(root), rules, options.max_watches),
        pending_(options.quiet, options.longest) {
    folders_.watch_all({});
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  ~InotifyWatch() override {
    thread_.request_stop();
    wake_up_.signal();
  }

  std::string limitation() const override { return folders_.limitation(); }

 private:
  void run(const std::stop_token& stop) {
    next_root_check_ = Clock::now() + options_.longest;
    while (wait_for_events(), !stop.stop_requested()) {
      for (const FolderEvent& event : folders_.inotify().read()) {
        if ((event.mask & IN_Q_OVERFLOW) != 0) {
          lose_everything(stop);
          break;  // the events behind it are of watches that are no more
        }
        handle(event, stop);
        if (is_root_gone_ || stop.stop_requested()) {
          break;
        }
      }
      if (Clock::now() >= next_root_check_) {
        next_root_check_ = Clock::now() + options_.longest;
        is_root_gone_ = is_root_gone_ || !is_root_there();
      }
      if (is_root_gone_) {
        if (events_.root_gone) {
          events_.root_gone();
        }
        return;
      }
      if (!stop.stop_requested()) {
        tell_due(stop);
      }
    }
  }

  void wait_for_events() const {
    Clock::time_point until = next_root_check_;
    if (const auto due = pending_.next_due()) {
      until = std::min(until, *due + options_.quiet / 10);  // several paths at a time
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    pollfd watched[2] = {{.fd = wake_up_.descriptor(), .events = POLLIN, .revents = 0},
                         {.fd = folders_.inotify().descriptor(), .events = POLLIN, .revents = 0}};
    ::poll(watched, 2, static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000)));
  }

  // Also finds out what no event tells: that a folder above it was moved, or a file system mounted over it.
  bool is_root_there() const {
    const FolderHandle handle = FolderHandle::open_root(root_);
    const auto status = handle.is_open() ? handle.stat_self() : std::nullopt;
    return status && is_same_file(*status, status_);
  }

  void handle(const FolderEvent& event, const std::stop_token& stop) {
    const WatchedFolder* const found = folders_.find(event.watch);
    if (found == nullptr) {
      return;
    }
    const WatchedFolder folder = *found;  // the table may change
    if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) != 0 && folder.path.empty()) {
      is_root_gone_ = true;
    } else if ((event.mask & IN_UNMOUNT) != 0) {
      pending_.touch(folder.path, Clock::now());
    } else if ((event.mask & IN_IGNORED) != 0) {
      folders_.forget(event.watch);
    } else if (event.name == kGitIgnore || event.name == kOwnIgnore) {
      stale_.insert(folder.path);
      pending_.touch(folder.path, Clock::now());
    } else if (!event.name.empty()) {
      const std::string path = folder.path.empty() ? event.name : folder.path + "/" + event.name;
      const bool is_folder = (event.mask & IN_ISDIR) != 0;
      const bool is_wanted =
          !folder.filter->refusal({.path = path, .kind = is_folder ? PathKind::folder : PathKind::file});
      if (is_wanted && is_folder) {
        follow_folder(event, path, stop);
      } else if (is_wanted) {
        follow_file(event, path);
      } else {
        open_moves_.erase(event.cookie);
      }
    }
  }

  void follow_file(const FolderEvent& event, const std::string& path) {
    if ((event.mask & IN_MOVED_FROM) != 0) {
      begin_move(event, path);
    } else {
      end_move(event, path);
      pending_.touch(path, Clock::now());
    }
  }

  void follow_folder(const FolderEvent& event, const std::string& path, const std::stop_token& stop) {
    if ((event.mask & IN_MOVED_FROM) != 0) {
      folders_.forget_below(path);
      begin_move(event, path);
    } else if ((event.mask & IN_DELETE) != 0) {
      folders_.forget_below(path);
      pending_.touch(path, Clock::now());
    } else if (folders_.watch_below(path, stop)) {
      end_move(event, path);
      pending_.touch(path, Clock::now());
    } else {
      open_moves_.erase(event.cookie);
    }
  }

  struct OpenMove {
    std::string from;
    Clock::time_point begun;
  };

  // The other end may be outside of the root, or come with the next read.
  void begin_move(const FolderEvent& event, const std::string& from) {
    const auto now = Clock::now();
    if (open_moves_.size() >= kMaxOpenMoves) {
      open_moves_.clear();
    }
    std::erase_if(open_moves_, [now](const auto& move) { return now - move.second.begun > kMoveLimit; });
    open_moves_[event.cookie] = {.from = from, .begun = now};
    pending_.restart(from, now);  // not due before the move is told
  }

  void end_move(const FolderEvent& event, const std::string& to) {
    const auto move = (event.mask & IN_MOVED_TO) != 0 ? open_moves_.find(event.cookie) : open_moves_.end();
    if (move == open_moves_.end()) {
      return;
    }
    const std::string from = std::move(move->second.from);
    open_moves_.erase(move);
    pending_.restart(to, Clock::now());
    if (events_.moved) {
      events_.moved(from, to);
    }
  }

  void tell_due(const std::stop_token& stop) {
    if (pending_.size() > kMaxPending) {
      lose_everything(stop);
      return;
    }
    std::vector<std::string> due = pending_.take_due(Clock::now());
    renew_stale(stop);
    if (!due.empty() && events_.changed) {
      events_.changed(std::move(due));
    }
  }

  // Once for all the events that saving an ignore file makes, and before its folder is told and walked.
  void renew_stale(const std::stop_token& stop) {
    std::erase_if(stale_, [&](const std::string& path) {
      if (pending_.contains(path)) {
        return false;
      }
      folders_.forget_below(path);
      folders_.watch_below(path, stop);
      return true;
    });
  }

  // Folders may have come, gone and been moved meanwhile: all watches are made anew.
  void lose_everything(const std::stop_token& stop) {
    pending_.clear();
    open_moves_.clear();
    stale_.clear();
    folders_.watch_all(stop);
    if (events_.lost && !stop.stop_requested()) {
      events_.lost();
    }
  }

  const std::filesystem::path root_;
  const struct stat status_;  // of the root when it began
  const WatchEvents events_;
  const WatchOptions options_;
  WatchedFolders folders_;
  PendingChanges pending_;
  std::set<std::string> stale_;                             // folders whose ignore file changed, pending too
  std::unordered_map<std::uint32_t, OpenMove> open_moves_;  // by their cookies
  Clock::time_point next_root_check_;
  bool is_root_gone_ = false;
  WakeUp wake_up_;
  std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace

std::unique_ptr<FolderWatch> watch_folder(const std::filesystem::path& root, const FolderRules& rules,
                                          WatchEvents events, const WatchOptions& options) {
  const FolderHandle handle = FolderHandle::open_root(root);
  const auto status = handle.is_open() ? handle.stat_self() : std::nullopt;
  if (!status) {
    throw open_failure(handle.is_open() ? errno : handle.error(), root);
  }
  return std::make_unique<InotifyWatch>(root, *status, rules, std::move(events), options);
}

}  // namespace parley::retrieval::scan
