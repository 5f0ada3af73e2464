#include "orchestration/turn/model_slot.h"

#include <algorithm>
#include <utility>

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;

class Slot : public ModelSlot {
 public:
  explicit Slot(ModelInfo info) : info_(std::move(info)) {}

  State state() const override { return state_; }
  double progress() const override { return progress_; }
  const std::string& failure() const override { return failure_; }
  const ModelInfo& info() const override { return model_ ? model_->info() : info_; }

  TokenCounter token_counter() const override {
    if (model_) return model_->token_counter();
    return rough_token_count;
  }

  void set_progress(double share) override { progress_ = std::clamp(share, 0.0, 1.0); }

  void set_ready(std::shared_ptr<ChatModel> model) override {
    model_ = std::move(model);
    progress_ = 1.0;
    state_ = State::ready;
  }

  void set_failed(std::string why) override {
    failure_ = std::move(why);
    model_.reset();
    state_ = State::failed;
  }

  asio::awaitable<ChatStart> start_chat(ChatRequest request) override {
    auto model = model_;  // kept while it works, whatever happens to the slot
    if (!model) co_return rejection();
    co_return co_await model->start_chat(std::move(request));
  }

  asio::awaitable<ChatStart> start_completion(CompletionRequest request) override {
    auto model = model_;
    if (!model) co_return rejection();
    co_return co_await model->start_completion(std::move(request));
  }

  asio::awaitable<std::unique_ptr<ReadAhead>> read_ahead(ChatRequest request) override {
    auto model = model_;
    if (!model) co_return nullptr;
    co_return co_await model->read_ahead(std::move(request));
  }

 private:
  ChatRejection rejection() const {
    ChatRejection result;
    if (state_ == State::failed) {
      result.kind = ChatRejection::Kind::model_failed;
      result.message = "The model " + info_.name + " could not be loaded: " + failure_;
    } else {
      result.kind = ChatRejection::Kind::model_loading;
      result.message = "The model " + info_.name + " is still being loaded (" +
                       std::to_string(static_cast<int>(progress_ * 100)) + " %). Try again in a moment.";
    }
    return result;
  }

  ModelInfo info_;
  State state_ = State::loading;
  double progress_ = 0;
  std::string failure_;
  std::shared_ptr<ChatModel> model_;  // shared with the requests that it is working on
};

}  // namespace

std::shared_ptr<ModelSlot> make_model_slot(ModelInfo info) { return std::make_shared<Slot>(std::move(info)); }

}  // namespace parley::orchestration::turn
