#include "orchestration/turn/local_chat_model.h"

#include <chrono>
#include <utility>
#include <vector>

#include "orchestration/turn/chat_preparation.h"
#include "orchestration/turn/local_chat_stream.h"
#include "orchestration/turn/local_model_core.h"
#include "orchestration/turn/run_blocking.h"
#include "orchestration/turn/token_stream.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using CorePointer =
    std::shared_ptr<const LocalModelCore>;  // shared with streams, which may outlive the model

// Calls without markers are not read of every model, and a router has nothing to choose where a call is
// demanded, or a beginning is gone on with.
ToolMode mode_had(const ToolOffer& offer, const PreparedChat& chat) {
  if (offer.tools.empty() || offer.choice == ToolChoice::none) return offer.mode;
  const bool reads_markers_only = chat.answer.reading.detection == calls::CallDetection::native;
  if (offer.mode == ToolMode::lenient && reads_markers_only) return ToolMode::raw;
  if (offer.mode == ToolMode::routed && !chat.route) return ToolMode::constrained;
  return offer.mode;
}

ChatStart start(LocalStreamParts parts) {
  auto stream = std::make_unique<LocalChatStream>(std::move(parts));
  if (auto rejection = stream->begin()) return *std::move(rejection);
  return stream;
}

class LocalReadAhead : public ReadAhead {
 public:
  explicit LocalReadAhead(CorePointer core)
      : core_(std::move(core)), tokens_(*core_->parts().engine, core_->executor()) {}

  // False: the engine does not take it.
  bool begin(std::vector<std::int32_t> prefix) {
    inference::engine::Request request;
    request.prompt = std::move(prefix);
    request.purpose = inference::engine::Purpose::read_ahead;
    return !tokens_.submit(std::move(request));
  }

 private:
  CorePointer core_;
  TokenStream tokens_;  // nobody reads it
};

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
    parts.mode = mode_had(request.tools, parts.chat);
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

  asio::awaitable<std::unique_ptr<ReadAhead>> read_ahead(ChatRequest request) override {
    CorePointer core = core_;
    auto work = [&] { return prepare_read_ahead(*core, request); };
    std::vector<std::int32_t> prefix = co_await run_blocking(core->workers(), work);
    if (prefix.empty()) co_return nullptr;
    auto reading = std::make_unique<LocalReadAhead>(core);
    if (!reading->begin(std::move(prefix))) co_return nullptr;
    co_return std::move(reading);
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
