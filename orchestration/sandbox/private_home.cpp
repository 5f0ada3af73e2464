#include "orchestration/sandbox/private_home.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::orchestration::sandbox {

namespace {

namespace fs = std::filesystem;

bool give_to(const fs::path& path, const ToolUser& user) {
  return ::lchown(path.c_str(), user.user, user.group) == 0;
}

// A home kept from a start as somebody else. Links are not followed.
bool give_tree_to(const fs::path& folder, const ToolUser& user) {
  std::error_code error;
  bool given = give_to(folder, user);
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    given = give_to(entry->path(), user) && given;
  }
  return given && !error;
}

// Also where the program took its own right to list or change a folder away.
void remove_tree(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) ::chmod(entry->path().c_str(), 0700);
  }
  fs::remove_all(folder, error);
}

}  // namespace

PrivateHome::PrivateHome(const Access& access, const ToolUser& user) {
  if (!access.home.empty()) {
    keep(access.home, user);
  } else if (access.fence == Fence::none) {
    make_temporary(user);
  }
}

PrivateHome::~PrivateHome() {
  if (temporary_) remove_tree(path_);
}

void PrivateHome::keep(const fs::path& home, const ToolUser& user) {
  path_ = home;
  std::error_code error;
  fs::create_directories(home.parent_path(), error);
  if (::mkdir(home.c_str(), 0700) != 0 && errno != EEXIST) {
    problem_ = "the home " + home.string() + " cannot be made: " + std::generic_category().message(errno);
    return;
  }
  struct stat status = {};
  if (::lstat(home.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    problem_ = "the home " + home.string() + " is not a folder";
  } else if (user.changed && status.st_uid != user.user && !give_tree_to(home, user)) {
    problem_ = "the home " + home.string() + " cannot be given to user id " + std::to_string(user.user);
  }
}

void PrivateHome::make_temporary(const ToolUser& user) {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "parley-home-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    problem_ = "no private home can be made in " + fs::path(pattern).parent_path().string() + ": " +
               std::generic_category().message(errno);
    return;
  }
  path_ = pattern;
  temporary_ = true;
  if (user.changed && !give_to(path_, user)) problem_ = "the home " + pattern + " cannot be given away";
}

}  // namespace parley::orchestration::sandbox
