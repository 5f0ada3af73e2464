#pragma once
// What a model's output consists of: prose, reasoning, tool calls. Plain values. Events are append-only: none
// is ever taken back, and their concatenation does not depend on how the output was split.

#include <cstdint>
#include <string>
#include <variant>

namespace parley::orchestration::calls {

struct ContentDelta {
  std::string text;
};

struct ReasoningDelta {
  std::string text;
};

// A call began. `index` counts the calls of the turn from 0; `id` is empty unless the model writes ids.
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
  std::string
      error;  // not empty: a short, precise sentence for the model ("the arguments are not valid JSON: …")
};

// Output is being held back since it may become a call without markers: show "preparing a call".
struct CallPending {};

// The text that has arrived is a call-shaped object with a name that was not offered, without the family's
// own markers. It is no event of the answer: the turn is to be sampled again with call openings banned.
struct UnknownLenientCall {
  std::string name;
};

using CallEvent = std::variant<ContentDelta, ReasoningDelta, CallBegin, ArgumentsDelta, CallEnd, CallPending,
                               UnknownLenientCall>;

}  // namespace parley::orchestration::calls
