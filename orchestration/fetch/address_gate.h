#pragma once
// Opens the sockets of one hop: libcurl asks it with the very address it is about to connect to, after all
// name resolution, so that no second look-up can lead elsewhere. Used by one thread. A refusal is a sentence.

#include <sys/socket.h>

#include <string>

#include "orchestration/fetch/origin_memory.h"
#include "orchestration/fetch/url.h"

namespace parley::orchestration::fetch {

enum class Trust : bool { none, operator_wrote_it };

class AddressGate {
 public:
  // Both outlive the gate.
  AddressGate(const Url& url, Trust trust, OriginMemory& memory)
      : url_(url), trust_(trust), memory_(memory) {}

  // A socket for that address, or -1.
  int open_socket(int type, int protocol, const sockaddr& address);

  // Why addresses were refused; empty if none was.
  const std::string& refusal() const { return refusal_; }
  // Whether some address was let through, so that a failure to connect is not the gate's doing.
  bool opened() const { return opened_; }

 private:
  bool allows(const sockaddr& address);

  const Url& url_;
  Trust trust_;
  OriginMemory& memory_;
  std::string refusal_;
  bool opened_ = false;
};

}  // namespace parley::orchestration::fetch
