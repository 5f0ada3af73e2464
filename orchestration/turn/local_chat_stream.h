#pragma once
// An answer of the in-process model: generated ids become text, stop strings end it. I/O thread.
// What the engine fails at is ChatFinished::error.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "inference/text/text_stream.h"
#include "inference/tokenizer/tokenizer.h"
#include "orchestration/turn/chat_model.h"
#include "orchestration/turn/token_stream.h"

namespace parley::orchestration::turn {

struct LocalStreamParts {
  std::shared_ptr<const void> model;  // keeps engine and tokenizer alive as long as the stream
  const inference::tokenizer::Tokenizer* tokenizer = nullptr;
  std::unique_ptr<TokenStream> tokens;  // submitted
  std::unique_ptr<inference::text::TextStream> text;
  bool scored = false;  // logprobs were asked for
  int left_out_turns = 0;
  std::optional<std::vector<std::int32_t>> continued_ids;
  std::chrono::nanoseconds before_submit{};  // from the command's arrival; part of what the user waits for
};

class LocalChatStream : public ChatStream {
 public:
  explicit LocalChatStream(LocalStreamParts parts) : parts_(std::move(parts)) {}

  int left_out_turns() const override { return parts_.left_out_turns; }
  std::optional<std::vector<std::int32_t>> continued_ids() const override { return parts_.continued_ids; }
  boost::asio::awaitable<ChatEvent> next() override;
  void cancel() override { parts_.tokens->cancel(); }

 private:
  ChatDelta take(const std::vector<inference::engine::GeneratedToken>& tokens);
  void take(const inference::engine::GeneratedToken& token, ChatDelta& delta);
  ScoredToken score(const inference::engine::GeneratedToken& token) const;
  ChatFinished finish();
  sessions::Timings timings() const;

  LocalStreamParts parts_;
  std::optional<inference::engine::FinishedRequest> finished_;
  int num_delivered_ = 0;
  bool ended_ = false;
};

}  // namespace parley::orchestration::turn
