#pragma once
// As whom programs run. Parley started as root does not run them as root: it takes the first user id from
// kFirstToolUser that neither passwd nor group knows. The range 60578 to 61183 is assigned to nobody by
// Debian or systemd, and within the 65536 ids that containers have. Started by anybody else, they run as
// Parley does. Any thread, throws nothing.

#include <sys/types.h>

namespace parley::orchestration::sandbox {

inline constexpr uid_t kFirstToolUser = 60600;
inline constexpr uid_t kLastToolUser = 61183;

struct ToolUser {
  uid_t user = 0;
  gid_t group = 0;
  bool changed = false;  // another one than Parley's own
};

ToolUser tool_user();

}  // namespace parley::orchestration::sandbox
