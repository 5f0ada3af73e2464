#pragma once
// What a person can do to the calls of a turn that runs. The turn implements it and puts itself into
// LiveConversation::calls while it runs. I/O thread; neither function waits or throws.

#include <cstdint>
#include <string>

namespace parley::orchestration::turn {

enum class CallDecision : std::uint8_t {
  once,
  chat,    // this tool in this conversation from now on
  always,  // this tool from now on
  deny,
};

class CallControl {
 public:
  virtual ~CallControl() = default;
  // False: it has no such call that waits for approval.
  virtual bool decide(const std::string& call, CallDecision decision) = 0;
  // A call that has ended, or that it does not have, is left alone.
  virtual void cancel(const std::string& call) = 0;
};

}  // namespace parley::orchestration::turn
