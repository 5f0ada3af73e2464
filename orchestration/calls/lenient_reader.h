#pragma once
// Calls without the family's markers, as small models write them: a bare or fenced JSON object, an array, or
// several objects on separate lines, each with a string `name` and an object `arguments` or `parameters`. All
// of it is held back until it is decided. One object per attempt, used by one thread. Never fails. Linear.

#include <optional>
#include <string>
#include <vector>

#include "orchestration/calls/call_reader.h"
#include "orchestration/calls/json_value_reader.h"

namespace parley::orchestration::calls {

inline constexpr std::size_t kMaxHeldBytes = 65536;

// Whether text that may become such a call begins here: `{"`, `{{`, `[{`, after an optional fence (none,
// json, tool_call), <tools>, or the family's marker spelled out. Ask at the beginning of a line.
Match match_lenient_start(Ahead ahead, const Markers& spelled_openings);

enum class LenientStatus : std::uint8_t {
  more,
  prose,    // it is no call: what was taken has been written as content
  calls,    // it was calls, and they are closed; nothing more is expected
  unknown,  // it was a call with a name that was not offered
};

class LenientReader {
 public:
  // `spelled_openings` and the text that `match_lenient_start` found; white space before it included.
  LenientReader(const CallContext& context, const Markers& spelled_openings)
      : context_(context), spelled_openings_(spelled_openings) {}

  LenientStatus read(CallInput& input, EventWriter& writer);

  // What was taken opened a code block and did not close it.
  bool is_in_code_block() const { return frame_ == Frame::fence; }

 private:
  enum class Step : std::uint8_t { on, wait, prose, complete };
  enum class Frame : std::uint8_t { none, fence, closed_fence, echo };

  Step next(CallInput& input);
  Step before_objects(CallInput& input);
  Step between_objects(CallInput& input);
  Step read_object(CallInput& input);
  Step take(CallInput& input, std::size_t count);

  LenientStatus decide(EventWriter& writer);
  LenientStatus as_prose(EventWriter& writer);

  const CallContext context_;
  const Markers& spelled_openings_;
  Frame frame_ = Frame::none;
  std::optional<JsonValueReader> object_;
  std::string object_text_;
  std::vector<std::string> objects_;
  std::string raw_;  // all that was taken
  bool begun_ = false;
  bool in_list_ = false;
};

}  // namespace parley::orchestration::calls
