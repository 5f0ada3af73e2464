#include <utility>

#include "app/api/answer_format.h"
#include "app/api/answer_parts.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::turn::ScoredToken;

class ChatFormat : public AnswerFormat {
 public:
  explicit ChatFormat(const AnswerOptions& options) : options_(options), head_("chatcmpl-", options) {}

  JsonObject whole(const WholeAnswer& answer) override {
    JsonObject message;
    message["role"] = "assistant";
    message["content"] = answer.text;
    message["refusal"] = nullptr;
    JsonObject object = head_.begin("chat.completion");
    object["choices"] = choice("message", std::move(message), logprobs(answer.scores), answer.finish_reason);
    object["usage"] = usage_object(answer.usage);
    return object;
  }

  std::optional<JsonObject> opening() override {
    JsonObject delta;
    delta["role"] = "assistant";
    delta["content"] = "";
    return chunk(choice("delta", std::move(delta), nullptr, {}));
  }

  JsonObject piece(const std::string& text, const std::vector<ScoredToken>& scores) override {
    JsonObject delta;
    delta["content"] = text;
    return chunk(choice("delta", std::move(delta), logprobs(scores), {}));
  }

  JsonObject closing(std::string_view finish_reason) override {
    return chunk(choice("delta", JsonObject(), nullptr, finish_reason));
  }

  JsonObject usage(const orchestration::sessions::Usage& usage) override {
    JsonObject object = chunk(JsonArray());
    object["usage"] = usage_object(usage);
    return object;
  }

 private:
  JsonValue logprobs(const std::vector<ScoredToken>& scores) const {
    return options_.scored ? JsonValue(chat_logprobs(scores)) : JsonValue(nullptr);
  }

  static JsonArray choice(std::string_view part, JsonObject content, JsonValue logprobs,
                          std::string_view finish_reason) {
    JsonObject object;
    object["index"] = 0;
    object[part] = std::move(content);
    object["logprobs"] = std::move(logprobs);
    object["finish_reason"] = nullptr;
    if (!finish_reason.empty()) object["finish_reason"] = finish_reason;
    JsonArray choices;
    choices.push_back(std::move(object));
    return choices;
  }

  JsonObject chunk(JsonArray choices) const {
    JsonObject object = head_.begin("chat.completion.chunk");
    object["choices"] = std::move(choices);
    if (options_.include_usage) object["usage"] = nullptr;
    return object;
  }

  AnswerOptions options_;
  AnswerHead head_;
};

}  // namespace

std::unique_ptr<AnswerFormat> make_chat_format(const AnswerOptions& options) {
  return std::make_unique<ChatFormat>(options);
}

}  // namespace parley::app::api
