#include <utility>

#include "app/api/answer_format.h"
#include "app/api/answer_parts.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::sessions::Usage;
using orchestration::turn::ChatDelta;
using orchestration::turn::ScoredToken;

class CompletionFormat : public AnswerFormat {
 public:
  explicit CompletionFormat(const AnswerOptions& options) : options_(options), head_("cmpl-", options) {}

  JsonObject whole(const ChatDelta& answer, const AnswerEnd& end, const Usage& usage) override {
    JsonObject object = begin(choice(answer.text + end.text, logprobs(answer.scores), end.finish_reason));
    object["usage"] = usage_object(usage);
    return object;
  }

  JsonObjects opening() override { return {}; }

  JsonObjects pieces(const ChatDelta& delta) override {
    JsonObjects chunks;
    add_text(chunks, delta.text, delta.scores);
    return chunks;
  }

  JsonObjects closing(const AnswerEnd& end) override {
    JsonObjects chunks;
    add_text(chunks, end.text, {});
    chunks.push_back(chunk(choice("", nullptr, end.finish_reason)));
    return chunks;
  }

  JsonObject usage(const Usage& usage) override {
    JsonObject object = begin(JsonArray());
    object["usage"] = usage_object(usage);
    return object;
  }

 private:
  void add_text(JsonObjects& chunks, const std::string& text, const std::vector<ScoredToken>& scores) {
    if (!text.empty() || !scores.empty()) chunks.push_back(chunk(choice(text, logprobs(scores), {})));
  }

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
