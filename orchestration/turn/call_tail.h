#pragma once
// What follows the body of a call: the markers that close it and its section. It says where an answer of one
// call, or of one section, is over, so that nothing is generated behind it. One object per call, used by one
// thread. Never fails.

#include <cstdint>
#include <string>
#include <string_view>

#include "orchestration/calls/call_format.h"

namespace parley::orchestration::turn {

class CallTail {
 public:
  enum class State : std::uint8_t {
    open,     // a marker may still come
    closed,   // no marker is missing
    foreign,  // something else came: the call was not closed, or another one began
  };

  // `recent`: the last bytes of the call. Some of them may be the tail's: a token can hold the end of one and
  // the beginning of the other, and a parser looks ahead.
  CallTail(const calls::CallFormat& format, std::string_view recent);

  State state() const { return state_; }
  State push(std::string_view bytes);

 private:
  void read();
  // Whether one of the markers stands first, in which case it is taken.
  bool take(const calls::Markers& markers);
  bool may_begin(const calls::Markers& markers) const;

  const calls::CallFormat* format_;
  std::string text_;
  bool call_closed_ = false;
  State state_ = State::open;
};

}  // namespace parley::orchestration::turn
