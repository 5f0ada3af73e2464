#include "orchestration/sandbox/keeper/landlock.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace parley::orchestration::sandbox::keeper {

namespace {

// From the kernel's interface; the installed headers are older.
struct RulesetAttributes {
  std::uint64_t handled_access_fs = 0;
  std::uint64_t handled_access_net = 0;
  std::uint64_t scoped = 0;
};

constexpr std::uint32_t kAskVersion = 1;
constexpr long kVersionWithScopes = 6;
constexpr std::uint64_t kScopeAbstractUnixSocket = 1;
constexpr std::uint64_t kScopeSignal = 2;

}  // namespace

void scope_to_own_processes() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  if (version < kVersionWithScopes) return;
  const RulesetAttributes attributes = {0, 0, kScopeAbstractUnixSocket | kScopeSignal};
  const long ruleset = syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (ruleset < 0) return;
  syscall(SYS_landlock_restrict_self, ruleset, 0);
  close(static_cast<int>(ruleset));
}

}  // namespace parley::orchestration::sandbox::keeper
