#include "orchestration/turn/local_chat_model.h"

#include <chrono>
#include <utility>

#include "orchestration/turn/chat_preparation.h"
#include "orchestration/turn/local_chat_stream.h"
#include "orchestration/turn/local_model_core.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using CorePointer =
    std::shared_ptr<const LocalModelCore>;  // shared with streams, which may outlive the model

ChatStart start(LocalStreamParts parts) {
  auto stream = std::make_unique<LocalChatStream>(std::move(parts));
  if (auto rejection = stream->begin()) return *std::move(rejection);
  return stream;
}

class LocalChatModel : public ChatModel {
 public:
  explicit LocalChatModel(CorePointer core) : core_(std::move(core)) {}

  const ModelInfo& info() const override { return core_->parts().info; }

  TokenCounter token_counter() const override {
    return [core = core_](std::string_view text) { return core->parts().tokenizer->encode(text).size(); };
  }

  asio::awaitable<ChatStart> start_chat(ChatRequest request) override {
    const auto arrived = Clock::now();
    CorePointer core = core_;
    auto work = [&] { return prepare_chat(*core, request); };
    auto prepared = co_await run_blocking(core->workers(), work);
    if (auto* rejection = std::get_if<ChatRejection>(&prepared)) co_return std::move(*rejection);
    LocalStreamParts parts;
    parts.core = core;
    parts.options = request.options;
    parts.chat = std::get<PreparedChat>(std::move(prepared));
    if (parts.chat.route) parts.request = std::move(request);
    parts.arrived = arrived;
    co_return start(std::move(parts));
  }

  asio::awaitable<ChatStart> start_completion(CompletionRequest request) override {
    const auto arrived = Clock::now();
    CorePointer core = core_;
    auto work = [&] { return prepare_completion(*core, request); };
    PreparedAnswer prepared = co_await run_blocking(core->workers(), work);
    LocalStreamParts parts;
    parts.core = core;
    parts.options = std::move(request.options);
    parts.chat.answer = std::move(prepared);
    parts.arrived = arrived;
    co_return start(std::move(parts));
  }

 private:
  CorePointer core_;
};

}  // namespace

std::shared_ptr<ChatModel> make_local_chat_model(LocalModelParts parts, asio::any_io_executor executor,
                                                 asio::thread_pool& workers) {
  auto core = std::make_shared<const LocalModelCore>(std::move(parts), std::move(executor), workers);
  return std::make_shared<LocalChatModel>(std::move(core));
}

}  // namespace parley::orchestration::turn
