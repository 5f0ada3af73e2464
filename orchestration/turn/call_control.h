#pragma once
// What a user can do about the calls of an answer that is being worked on. I/O thread; never fails.

#include <cstdint>
#include <string>

namespace parley::orchestration::turn {

enum class CallDecision : std::uint8_t {
  once,
  chat,    // this tool, as it is defined now, in this conversation
  always,  // this tool, as it is defined now
  deny,
};

class CallControl {
 public:
  virtual ~CallControl() = default;
  // False: no such call waits for a decision.
  virtual bool decide(const std::string& call, CallDecision decision) = 0;
  // False: no such call waits or runs.
  virtual bool cancel(const std::string& call) = 0;
};

}  // namespace parley::orchestration::turn
