#include "orchestration/sandbox/tool_user.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <array>

namespace parley::orchestration::sandbox {

namespace {

// A buffer too small for the entry means that there is one.
bool in_use(uid_t id) {
  std::array<char, 4096> buffer;
  passwd user = {};
  passwd* found_user = nullptr;
  if (::getpwuid_r(id, &user, buffer.data(), buffer.size(), &found_user) == ERANGE || found_user != nullptr) {
    return true;
  }
  group members = {};
  group* found_group = nullptr;
  return ::getgrgid_r(id, &members, buffer.data(), buffer.size(), &found_group) == ERANGE ||
         found_group != nullptr;
}

}  // namespace

ToolUser tool_user() {
  if (::geteuid() != 0) return {::geteuid(), ::getegid(), false};
  uid_t id = kFirstToolUser;
  while (id < kLastToolUser && in_use(id)) ++id;
  return {id, id, true};
}

}  // namespace parley::orchestration::sandbox
