#pragma once
// What a model's output consists of: prose, reasoning, tool calls. Plain values. Events are append-only: none
// is ever taken back, and their concatenation does not depend on how the output was split. All text is UTF-8.

#include <string>
#include <variant>

namespace parley::orchestration::calls {

struct ContentDelta {
  std::string text;
};

struct ReasoningDelta {
  std::string text;
};

// A call began. `index` counts the calls of the turn from 0. `name` is as the model wrote it, offered or not;
// empty only when the call broke before one was read. `id` is empty unless the model wrote one by then.
struct CallBegin {
  int index = 0;
  std::string name;
  std::string id;
};

// The next part of the arguments: the parts of a call make one JSON text (an object, when it ends well).
struct ArgumentsDelta {
  int index = 0;
  std::string json;
};

struct CallEnd {
  int index = 0;
  // Not empty: a short, precise sentence for the model ("the arguments are not valid JSON: …"), and the
  // arguments are not complete.
  std::string error;
  std::string id;  // one that the model wrote after CallBegin was due (old Mistral); else empty
};

// Output is being held back since it may become a call without markers: show "preparing a call". Any event
// but this one ends that.
struct CallPending {};

// The text that has arrived is a call-shaped object with a name that was not offered, without the family's
// own markers. It is no event of the answer: the turn is to be sampled again with call openings banned. The
// last event of its parser.
struct UnknownLenientCall {
  std::string name;
};

using CallEvent = std::variant<ContentDelta, ReasoningDelta, CallBegin, ArgumentsDelta, CallEnd, CallPending,
                               UnknownLenientCall>;

}  // namespace parley::orchestration::calls
