#include <utility>

#include "app/api/answer_format.h"
#include "app/api/answer_parts.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::turn::ScoredToken;

class CompletionFormat : public AnswerFormat {
 public:
  explicit CompletionFormat(const AnswerOptions& options) : options_(options), head_("cmpl-", options) {}

  JsonObject whole(const WholeAnswer& answer) override {
    JsonObject object = begin(choice(answer.text, logprobs(answer.scores), answer.finish_reason));
    object["usage"] = usage_object(answer.usage);
    return object;
  }

  std::optional<JsonObject> opening() override { return std::nullopt; }

  JsonObject piece(const std::string& text, const std::vector<ScoredToken>& scores) override {
    return chunk(choice(text, logprobs(scores), {}));
  }

  JsonObject closing(std::string_view finish_reason) override {
    return chunk(choice("", nullptr, finish_reason));
  }

  JsonObject usage(const orchestration::sessions::Usage& usage) override {
    JsonObject object = begin(JsonArray());
    object["usage"] = usage_object(usage);
    return object;
  }

 private:
  JsonValue logprobs(const std::vector<ScoredToken>& scores) {
    return options_.scored ? JsonValue(completion_logprobs(scores, offset_)) : JsonValue(nullptr);
  }

  static JsonArray choice(const std::string& text, JsonValue logprobs, std::string_view finish_reason) {
    JsonObject object;
    object["text"] = text;
    object["index"] = 0;
    object["logprobs"] = std::move(logprobs);
    object["finish_reason"] = nullptr;
    if (!finish_reason.empty()) object["finish_reason"] = finish_reason;
    JsonArray choices;
    choices.push_back(std::move(object));
    return choices;
  }

  JsonObject begin(JsonArray choices) const {
    JsonObject object = head_.begin("text_completion");
    object["choices"] = std::move(choices);
    return object;
  }

  JsonObject chunk(JsonArray choices) const {
    JsonObject object = begin(std::move(choices));
    if (options_.include_usage) object["usage"] = nullptr;
    return object;
  }

  AnswerOptions options_;
  AnswerHead head_;
  std::size_t offset_ = 0;
};

}  // namespace

std::unique_ptr<AnswerFormat> make_completion_format(const AnswerOptions& options) {
  return std::make_unique<CompletionFormat>(options);
}

}  // namespace parley::app::api
