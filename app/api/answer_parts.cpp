#include "app/api/answer_parts.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/api/server_tools.h"
#include "app/protocol/frame_views.h"
#include "inference/json/json_writer.h"
#include "inference/tokenizer/utf8.h"
#include "orchestration/turn/uuid.h"

namespace parley::app::api {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using orchestration::turn::ScoredToken;

constexpr std::string_view kHex = "0123456789abcdef";

JsonArray bytes_of(const std::string& token) {
  JsonArray bytes;
  bytes.reserve(token.size());
  for (const char byte : token) bytes.push_back(static_cast<unsigned char>(byte));
  return bytes;
}

JsonObject scored(const std::string& token, float logprob) {
  JsonObject object;
  object["token"] = token;
  object["logprob"] = inference::json::json_number(logprob);
  object["bytes"] = bytes_of(token);
  return object;
}

// Tokens are keys here: those that are only part of a character must stay apart.
std::string readable(const std::string& token) {
  if (inference::tokenizer::is_valid_utf8(token)) return token;
  std::string text = "bytes:";
  for (const char byte : token) {
    text += "\\x";
    text += kHex[static_cast<unsigned char>(byte) >> 4];
    text += kHex[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

// Characters that begin in these bytes.
std::size_t num_characters(const std::string& token) {
  return static_cast<std::size_t>(
      std::count_if(token.begin(), token.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

}  // namespace

AnswerHead::AnswerHead(std::string_view id_prefix, const AnswerOptions& options)
    : id_(std::string(id_prefix) + orchestration::turn::make_uuid()),
      created_(std::chrono::duration_cast<std::chrono::seconds>(
                   std::chrono::system_clock::now().time_since_epoch())
                   .count()),
      model_(options.model) {}

JsonObject AnswerHead::begin(std::string_view object) const {
  JsonObject result;
  result["id"] = id_;
  result["object"] = object;
  result["created"] = created_;
  result["model"] = model_;
  return result;
}

JsonObject ran_calls_object(const AnswerEnd& end) {
  JsonObject object;
  JsonArray& array = object["calls"].emplace_array();
  for (const auto& call : end.ran_calls) array.push_back(protocol::view_of(call));
  if (!end.limit.empty()) object["limit"] = end.limit;
  return object;
}

JsonObject unenforced_object(const orchestration::turn::ToolReport& report) {
  JsonObject object;
  if (report.unenforced.empty()) return object;
  JsonArray& parts = object["unenforced"].emplace_array();
  for (const std::string& part : report.unenforced) parts.emplace_back(part);
  return object;
}

JsonObject tool_report_object(const orchestration::turn::ToolReport& report) {
  JsonObject object = unenforced_object(report);
  if (const std::string_view mode = name_of(report.mode); !mode.empty()) object["tool_mode"] = mode;
  object["constraint_woke"] = report.constraint_woke;
  if (!report.router.empty()) object["router"] = report.router;
  return object;
}

JsonObject usage_object(const orchestration::sessions::Usage& usage) {
  JsonObject object;
  object["prompt_tokens"] = usage.prompt_tokens;
  object["completion_tokens"] = usage.completion_tokens;
  object["total_tokens"] = usage.prompt_tokens + usage.completion_tokens;
  JsonObject& details = object["prompt_tokens_details"].emplace_object();
  details["cached_tokens"] = usage.cached_tokens;
  return object;
}

JsonObject chat_logprobs(const std::vector<ScoredToken>& scores) {
  JsonArray content;
  for (const ScoredToken& score : scores) {
    JsonObject token = scored(score.bytes, score.logprob);
    JsonArray top;
    for (const auto& [bytes, logprob] : score.top) top.push_back(scored(bytes, logprob));
    token["top_logprobs"] = std::move(top);
    content.push_back(std::move(token));
  }
  JsonObject object;
  object["content"] = std::move(content);
  return object;
}

JsonObject completion_logprobs(const std::vector<ScoredToken>& scores, std::size_t& offset) {
  JsonArray tokens, logprobs, tops, offsets;
  for (const ScoredToken& score : scores) {
    tokens.push_back(boost::json::string(readable(score.bytes)));
    logprobs.push_back(inference::json::json_number(score.logprob));
    JsonObject top;
    for (const auto& [bytes, logprob] : score.top)
      top[readable(bytes)] = inference::json::json_number(logprob);
    tops.push_back(std::move(top));
    offsets.push_back(offset);
    offset += num_characters(score.bytes);
  }
  JsonObject object;
  object["tokens"] = std::move(tokens);
  object["token_logprobs"] = std::move(logprobs);
  object["top_logprobs"] = std::move(tops);
  object["text_offset"] = std::move(offsets);
  return object;
}

}  // namespace parley::app::api
