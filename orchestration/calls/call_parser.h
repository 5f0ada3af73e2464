#pragma once
// Takes a model's output apart into prose, reasoning and tool calls while it is generated. One object per
// generation, used by one thread. Never throws and never fails a turn for what a model writes: a broken call
// ends with an error, its siblings are kept. Linear in the output.
//
// Events do not depend on how the output was split into tokens; no byte is emitted that may still be markup.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orchestration/calls/call_event.h"
#include "orchestration/calls/call_format.h"
#include "orchestration/calls/marker_symbols.h"
#include "orchestration/calls/prose_markup.h"
#include "orchestration/calls/tool_schemas.h"

namespace parley::orchestration::calls {

// What the prompt has done about reasoning already: found by comparing rendered prompts, never by name.
enum class ReasoningStart : std::uint8_t {
  model_opens,   // nothing: the model may write the opening marker
  opened,        // it ends inside a block that is empty yet
  inside,        // it ends inside the text of a block: an answer that was cut there is carried on
  closed,        // it opened and closed one
  only_closing,  // nothing, and the model writes only the closing marker
};

enum class AnswerEnd : std::uint8_t {
  complete,
  cut,  // by a limit: it may go on, so an unfinished character is left out
};

struct ParserOptions {
  std::vector<OfferedTool> tools;  // none: as CallDetection::off
  CallDetection detection = CallDetection::lenient;
  ReasoningStart reasoning = ReasoningStart::model_opens;
  MarkerVocabulary vocabulary;
};

class CallParser {
 public:
  virtual ~CallParser() = default;

  // One generated token with its bytes; of special tokens the name. Leave out those that ended the turn.
  virtual std::vector<CallEvent> push(TokenId id, std::string_view bytes) = 0;

  // The end of the output; once.
  virtual std::vector<CallEvent> finish(AnswerEnd end) = 0;

  // A call without markers was read, and its end is the end of the turn: stop generating. What is pushed
  // after that is ignored.
  virtual bool closed() const = 0;

  // How often it has looked at what was pending: what reading costs, linear in the output.
  virtual std::size_t num_looks() const = 0;
};

std::unique_ptr<CallParser> make_call_parser(const CallFormat& format, ParserOptions options);

}  // namespace parley::orchestration::calls
