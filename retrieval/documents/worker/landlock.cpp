#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "retrieval/documents/owned_descriptor.h"
#include "retrieval/documents/worker/confinement.h"

namespace parley::retrieval::documents::worker {

namespace {

// From the kernel's interface (linux/landlock.h of 6.12); the installed headers are older.
struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};
struct [[gnu::packed]] PathAttributes {
  std::uint64_t allowed_access = 0;
  std::int32_t parent_fd = -1;
};

constexpr std::uint32_t kAskVersion = 1;
constexpr int kPathRule = 1;
constexpr std::uint64_t kReadFile = 1 << 2;
constexpr std::uint64_t kReadFolder = 1 << 3;

// All that a version of the interface knows to restrict.
RulesetAttributes everything(long version) {
  RulesetAttributes attributes;
  const int file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  attributes.handled_access_fs = (std::uint64_t{1} << file_rights) - 1;
  if (version >= 4) attributes.handled_access_net = 3;  // bind, connect
  if (version >= 6) attributes.scoped = 3;              // abstract sockets, signals
  return attributes;
}

void allow_reading(int ruleset, const char* folder) {
  const OwnedDescriptor opened(::open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return;  // not installed: nothing to read there
  PathAttributes path;
  path.allowed_access = kReadFile | kReadFolder;
  path.parent_fd = opened.number();
  syscall(SYS_landlock_add_rule, ruleset, kPathRule, &path, 0);
}

}  // namespace

FileAccess restrict_files() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  if (version < 1) return FileAccess::none;
  const RulesetAttributes attributes = everything(version);
  const std::size_t known = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const OwnedDescriptor ruleset(
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, known, 0)));
  if (!ruleset.is_open()) return FileAccess::none;
  for (const char* folder : {"/usr/share/poppler", "/usr/share/fonts"})
    allow_reading(ruleset.number(), folder);
  const bool restricted = syscall(SYS_landlock_restrict_self, ruleset.number(), 0) == 0;
  return restricted ? FileAccess::reference_data : FileAccess::none;
}

}  // namespace parley::retrieval::documents::worker
