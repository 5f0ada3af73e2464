#pragma once
// Generated tokens in, prose, reasoning and calls out, with stop strings and the ids that belong to them. One
// object per generation, used on the I/O thread. Never fails.
//
// Without a parser all is prose, and ids are handed out as they come. With one, ids wait for what they make;
// those of text that is held back since it may be a call wait until that is decided.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inference/engine/engine.h"
#include "inference/text/text_stream.h"
#include "inference/tokenizer/tokenizer.h"
#include "orchestration/calls/call_parser.h"
#include "orchestration/turn/call_tail.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

enum class CallLimit : std::uint8_t { any, one };

struct AnswerReaderParts {
  const inference::tokenizer::Tokenizer* tokenizer = nullptr;
  std::unique_ptr<inference::text::TextStream> text;
  std::unique_ptr<calls::CallParser> parser;  // null: all is prose
  const calls::CallFormat* format = nullptr;  // with a parser
  CallLimit calls = CallLimit::any;
  bool scored = false;  // logprobs were asked for
};

class AnswerReader {
 public:
  enum class Want : std::uint8_t {
    more,
    end,    // the answer is complete, whatever the engine goes on to generate
    again,  // what is held back is a call of a tool that does not exist: none of it must be shown
  };

  explicit AnswerReader(AnswerReaderParts parts) : parts_(std::move(parts)) {}

  // Not after `want` has become something else than `more`.
  void take(const inference::engine::GeneratedToken& token, ChatDelta& delta);
  // The end of the output.
  void finish(calls::AnswerEnd end, ChatDelta& delta);

  Want want() const { return want_; }
  bool has_calls() const { return num_calls_ > 0; }
  bool matched_stop() const { return parts_.text->matched_stop().has_value(); }

  // Ids that spell what was shown behind the last id that was handed out. Generating anew goes on from there.
  std::vector<std::int32_t> ids_of_shown_rest() const;

 private:
  void take_plain(const inference::engine::GeneratedToken& token, ChatDelta& delta);
  void take_parsed(const inference::engine::GeneratedToken& token, ChatDelta& delta);
  void apply(std::vector<calls::CallEvent> events, ChatDelta& delta);
  void apply(calls::CallEvent event, ChatDelta& delta);
  void apply_text(const std::string& text, ChatDelta& delta);
  bool is_wanted(const calls::CallEvent& event) const;
  void release_before_held(ChatDelta& delta);
  void release(std::size_t count, ChatDelta& delta);
  ScoredToken score(const inference::engine::GeneratedToken& token) const;

  AnswerReaderParts parts_;
  std::vector<inference::engine::GeneratedToken> waiting_;  // made nothing yet
  std::string shown_rest_;                                  // the beginning of the first of them, prose
  std::string recent_;                                      // the last bytes of the call at hand
  std::optional<CallTail> tail_;                            // behind a call
  Want want_ = Want::more;
  int num_calls_ = 0;
  bool is_pending_ = false;  // held back, since it may be a call
};

}  // namespace parley::orchestration::turn
