#pragma once
// Makes events of what the parser finds, numbers the calls, and joins neighbouring deltas. Belongs to one
// parser, used by one thread. Never fails but for memory.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/calls/call_event.h"

namespace parley::orchestration::calls {

class EventWriter {
 public:
  void content(std::string_view text);
  void reasoning(std::string_view text);

  void begin_call(std::string name, std::string id);
  void arguments(std::string_view json);
  void end_call(std::string id = {});
  // The end of a call that went wrong, which may not have begun. `problem` is a short sentence.
  void fail_call(std::string problem);

  void pending() { events_.emplace_back(CallPending{}); }
  void unknown_call(std::string name) { events_.emplace_back(UnknownLenientCall{std::move(name)}); }

  bool in_call() const { return in_call_; }

  std::vector<CallEvent> take() { return std::exchange(events_, {}); }

 private:
  std::vector<CallEvent> events_;
  int num_calls_ = 0;
  bool in_call_ = false;
};

}  // namespace parley::orchestration::calls
