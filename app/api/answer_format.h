#pragma once
// The JSON of an answer in the two shapes of the OpenAI API: whole, or in pieces of a stream. One object per
// answer, used by one thread; never fails.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"
#include "orchestration/sessions/conversation.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

struct WholeAnswer {
  std::string text;
  std::vector<orchestration::turn::ScoredToken> scores;
  std::string finish_reason;
  orchestration::sessions::Usage usage;
};

struct AnswerOptions {
  std::string model;
  bool scored = false;         // logprobs were asked for
  bool include_usage = false;  // pieces carry "usage", null but in the last one
};

class AnswerFormat {
 public:
  virtual ~AnswerFormat() = default;

  virtual inference::json::JsonObject whole(const WholeAnswer& answer) = 0;

  // Pieces of a stream, in this order. The first: none in some shapes.
  virtual std::optional<inference::json::JsonObject> opening() = 0;
  virtual inference::json::JsonObject piece(const std::string& text,
                                            const std::vector<orchestration::turn::ScoredToken>& scores) = 0;
  virtual inference::json::JsonObject closing(std::string_view finish_reason) = 0;
  virtual inference::json::JsonObject usage(const orchestration::sessions::Usage& usage) = 0;
};

std::unique_ptr<AnswerFormat> make_chat_format(const AnswerOptions& options);
std::unique_ptr<AnswerFormat> make_completion_format(const AnswerOptions& options);

}  // namespace parley::app::api
