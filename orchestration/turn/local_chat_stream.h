#pragma once
// An answer of the in-process model, in up to three runs of the engine: a router that chooses a tool, the
// answer, and the answer once more where the first try must not be shown (a call of a tool that does not
// exist, or one that was answered already). The last try can only be prose, so it ends. I/O thread. What the
// engine fails at is ChatFinished::error.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orchestration/turn/answer_reader.h"
#include "orchestration/turn/chat_preparation.h"
#include "orchestration/turn/run_figures.h"
#include "orchestration/turn/token_stream.h"

namespace parley::orchestration::turn {

struct LocalStreamParts {
  std::shared_ptr<const LocalModelCore> core;  // shared with the model, which the stream may outlive
  GenerationOptions options;
  PreparedChat chat;
  ChatRequest request;              // with a route: the messages and the tools to choose from
  ToolMode mode = ToolMode::usual;  // ToolReport::mode
  std::chrono::steady_clock::time_point arrived;
};

class LocalChatStream : public ChatStream {
 public:
  explicit LocalChatStream(LocalStreamParts parts);

  // Once, first. What is returned says why the engine did not take the request; then there is no answer.
  std::optional<ChatRejection> begin();

  int left_out_turns() const override { return left_out_turns_; }
  std::optional<std::vector<std::int32_t>> continued_ids() const override { return continued_ids_; }
  boost::asio::awaitable<ChatEvent> next() override;
  void cancel() override;

 private:
  std::optional<ChatRejection> submit(inference::engine::Request request);
  std::optional<ChatRejection> begin_route();
  std::optional<ChatRejection> begin_answer(PreparedAnswer answer);
  std::unique_ptr<AnswerReader> make_reader(const ReadingPlan& plan) const;
  inference::engine::Request request_of(const PreparedAnswer& answer) const;

  boost::asio::awaitable<void> finish_route();
  std::variant<PreparedAnswer, ChatRejection> prepare_call(const std::string& tool) const;

  ChatDelta take(const std::vector<inference::engine::GeneratedToken>& tokens);
  void end_run(inference::engine::FinishedRequest result, ChatDelta& delta);
  bool is_to_be_tried_again(const inference::engine::FinishedRequest& result) const;
  bool repeats_a_call() const;
  std::optional<ChatRejection> try_again(const inference::engine::FinishedRequest& result, ChatDelta& delta);
  void hold(ChatDelta& delta);
  std::vector<std::int32_t> ids_shown(ChatDelta& delta) const;
  void fail(const std::string& sentence);

  ChatFinished finish();
  void name_reason(ChatFinished& result) const;

  LocalStreamParts parts_;
  std::unique_ptr<TokenStream> tokens_;  // of the run at hand
  std::unique_ptr<AnswerReader> reader_;
  std::optional<PreparedAnswer> again_;  // for the next try
  std::vector<AnsweredCall> answered_;
  std::optional<ChatDelta> held_;            // a call that may turn out to be one of those
  std::vector<std::int32_t> delivered_ids_;  // of the first try at the answer
  std::optional<inference::engine::FinishedRequest> finished_;
  std::string rest_text_;  // what comes with the end
  int left_out_turns_ = 0;
  std::optional<std::vector<std::int32_t>> continued_ids_;
  RunFigures figures_;
  ToolReport report_;
  bool is_second_try_ = false;
  bool continues_a_try_ = false;  // the second one goes on in the first one's prompt
  bool is_cancelled_ = false;
  bool has_ended_ = false;
};

}  // namespace parley::orchestration::turn
