#pragma once
// Remembers of each origin the operator wrote down whether it meant a public address when it was first
// connected to, so that a name that moves to a private one later (DNS rebinding) is noticed. Thread-safe;
// never fails. At most kMaxOrigins are remembered: they come from the operator's file.

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace parley::orchestration::fetch {

enum class AddressKind : bool { closed, open };  // not of the public internet; of it

class OriginMemory {
 public:
  static constexpr std::size_t kMaxOrigins = 4096;

  // False: this origin was public, and `kind` says it no longer is.
  bool allows(const std::string& trusted_origin, AddressKind kind);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, AddressKind> first_kinds_;
};

}  // namespace parley::orchestration::fetch
