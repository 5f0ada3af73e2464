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

bool tells_run(const AnswerEnd& end) { return !end.ran_calls.empty() || !end.limit.empty(); }

class ChatFormat : public AnswerFormat {
 public:
  explicit ChatFormat(AnswerOptions options)
      : options_(std::move(options)), head_("chatcmpl-", options_), calls_(options_.known_calls) {}

  JsonObject whole(const ChatDelta& answer, const AnswerEnd& end, const Usage& usage) override {
    for (const auto& event : answer.calls) calls_.take(event);
    JsonObject message = message_of(answer, end);
    JsonObject object = head_.begin("chat.completion");
    object["choices"] = choice("message", std::move(message), logprobs(answer.scores),
                               client_finish_reason(end.finish_reason, calls_));
    object["usage"] = usage_object(usage);
    add_report(object, end);
    return object;
  }

  // Where tools are offered, the first piece waits: only then is known whether there is a text.
  JsonObjects opening() override {
    JsonObjects chunks;
    if (!options_.may_call) open(chunks, "");
    return chunks;
  }

  JsonObjects pieces(const ChatDelta& delta) override {
    JsonObjects chunks;
    add_reasoning(chunks, delta.reasoning);
    add_text(chunks, delta.text, delta.scores);
    add_calls(chunks, delta);
    return chunks;
  }

  JsonObjects closing(const AnswerEnd& end) override {
    JsonObjects chunks;
    add_text(chunks, end.text, {});
    open(chunks, "");
    JsonObject delta;
    if (tells_run(end)) delta["parley"] = ran_calls_object(end);
    const std::string reason = client_finish_reason(end.finish_reason, calls_);
    chunks.push_back(chunk(choice("delta", std::move(delta), nullptr, reason)));
    add_report(chunks.back(), end);
    return chunks;
  }

  JsonObject usage(const Usage& usage) override {
    JsonObject object = chunk(JsonArray());
    object["usage"] = usage_object(usage);
    return object;
  }

 private:
  void add_report(JsonObject& object, const AnswerEnd& end) const {
    JsonObject report =
        options_.tells_tools ? tool_report_object(end.tool_report) : unenforced_object(end.tool_report);
    if (!report.empty()) object["parley"] = std::move(report);
  }

  JsonObject message_of(const ChatDelta& answer, const AnswerEnd& end) const {
    const std::string text = answer.text + end.text;
    JsonObject message;
    message["role"] = "assistant";
    message["content"] = text;
    if (text.empty() && !calls_.empty()) message["content"] = nullptr;
    message["refusal"] = nullptr;
    if (!answer.reasoning.empty()) message["reasoning_content"] = answer.reasoning;
    if (!calls_.empty()) message["tool_calls"] = calls_.whole();
    if (tells_run(end)) message["parley"] = ran_calls_object(end);
    return message;
  }

  // The piece with the role, before all others.
  void open(JsonObjects& chunks, const JsonValue& content) {
    if (std::exchange(open_, true)) return;
    JsonObject delta;
    delta["role"] = "assistant";
    delta["content"] = content;
    chunks.push_back(chunk(choice("delta", std::move(delta), nullptr, {})));
  }

  void add(JsonObjects& chunks, std::string_view field, JsonValue value, JsonValue logprobs) {
    JsonObject delta;
    delta[field] = std::move(value);
    chunks.push_back(chunk(choice("delta", std::move(delta), std::move(logprobs), {})));
  }

  void add_reasoning(JsonObjects& chunks, const std::string& text) {
    if (text.empty()) return;
    open(chunks, nullptr);
    add(chunks, "reasoning_content", JsonValue(text), nullptr);
  }

  void add_text(JsonObjects& chunks, const std::string& text, const std::vector<ScoredToken>& scores) {
    if (text.empty() && scores.empty()) return;
    open(chunks, "");
    add(chunks, "content", JsonValue(text), logprobs(scores));
  }

  void add_calls(JsonObjects& chunks, const ChatDelta& delta) {
    for (const auto& event : delta.calls) {
      auto part = calls_.take(event);
      if (!part) continue;
      open(chunks, nullptr);
      JsonArray parts;
      parts.push_back(std::move(*part));
      add(chunks, "tool_calls", std::move(parts), nullptr);
    }
  }

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
  AnswerCalls calls_;
  bool open_ = false;  // the piece with the role was sent
};

}  // namespace

std::unique_ptr<AnswerFormat> make_chat_format(AnswerOptions options) {
  return std::make_unique<ChatFormat>(std::move(options));
}

}  // namespace parley::app::api
