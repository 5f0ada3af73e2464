#pragma once
// A model one can talk to: messages in, a stream of text out. Used on the I/O thread only.
// What can be expected to go wrong is a ChatRejection; a broken environment throws.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "inference/json/json.h"
#include "orchestration/calls/call_event.h"
#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/sessions/conversation.h"
#include "orchestration/tools/tool.h"

namespace parley::orchestration::turn {

struct Sampling {
  float temperature = 0.7f;
  int top_k = 40;
  float top_p = 0.95f;
  float min_p = 0.05f;
  float repeat_penalty = 1.0f;
  std::optional<std::uint64_t> seed;  // absent: drawn at random
};

struct GenerationOptions {
  Sampling sampling;
  int max_tokens = 0;             // 0: up to the context's end
  std::vector<std::string> stop;  // stop strings
  int num_logprobs = -1;          // -1: none; 0: of the chosen tokens; k: also of the k best
};

enum class ToolChoice : std::uint8_t {
  automatic,
  none,      // no call, whatever the model would like
  required,  // one of the tools
  named,     // ToolOffer::named
};

// What is done to get calls, and to find them. All but `usual` are for measuring what each does.
enum class ToolMode : std::uint8_t {
  usual,        // as the model's profile says
  raw,          // the family's markers are calls, and nothing is enforced
  lenient,      // also calls without markers; nothing is enforced
  routed,       // the router goes first, whatever the profile
  constrained,  // calls are held to the family's grammar, without the router
};

// The tools a model may call. How they are put to it, and how calls are found in what it writes, is the
// model's affair.
struct ToolOffer {
  std::vector<std::shared_ptr<tools::Tool>> tools;  // shared with calls that run while the set is replaced
  ToolChoice choice = ToolChoice::automatic;
  std::string named;
  bool parallel = true;  // more than one call in an answer
  ToolMode mode = ToolMode::usual;
  int max_calls = 4;  // in an answer that has to call: as many as run at once (tools::ToolLimits)
};

// Parts of a schema that cannot be enforced while the answer is generated.
enum class UncheckedParts : std::uint8_t { refuse, accept };

// What the whole answer must look like. Not together with tools.
struct OutputFormat {
  enum class Kind : std::uint8_t { free, json_object, json_schema, regex };
  Kind kind = Kind::free;
  inference::json::JsonValue schema;  // with json_schema
  UncheckedParts unchecked = UncheckedParts::refuse;
  std::string pattern;  // with regex
};

struct ChatRequest {
  std::vector<prompt::ChatMessage> messages;
  bool continue_last = false;
  prompt::Overflow overflow = prompt::Overflow::refuse;
  // Turns left out of the previous answer's prompt; leaving out the same ones again keeps the cached prefix.
  int left_out_before = 0;
  GenerationOptions options;
  ToolOffer tools;
  OutputFormat format;
};

struct CompletionRequest {
  std::variant<std::string, std::vector<std::int32_t>> prompt;  // raw text (special tokens not parsed) or ids
  GenerationOptions options;
};

struct ChatRejection {
  enum class Kind : std::uint8_t {
    model_loading,
    model_failed,
    prompt_too_long,  // `limit` and `actual` in tokens
    invalid_prompt,   // empty, unknown token id, or refused by the chat template
    invalid_format,   // a schema or pattern that cannot be enforced
    queue_full,
    shutting_down,
  };
  Kind kind = Kind::model_loading;
  std::string message;  // a sentence for the user, with what to do
  std::int64_t limit = 0;
  std::int64_t actual = 0;
  OutputFormat::Kind format = OutputFormat::Kind::free;  // with invalid_format: of what was asked for
};

struct ScoredToken {
  std::int32_t token_id = 0;
  std::string bytes;
  float logprob = 0.0f;
  std::vector<std::pair<std::string, float>> top;  // bytes and logprob, best first
};

// What came since the last call: at least one token, or CallPending alone. Text is whole UTF-8, stop strings
// removed. Token ids come with the text or call that they made, or after it, never before: what is held back
// may be generated anew.
struct ChatDelta {
  std::string text;                     // prose
  std::string reasoning;                // not part of the answer
  std::vector<calls::CallEvent> calls;  // CallBegin, ArgumentsDelta, CallEnd, CallPending
  std::vector<std::int32_t> token_ids;
  std::vector<ScoredToken> scores;  // when num_logprobs >= 0, one for each of token_ids
};

// What was done about tools while an answer was generated.
struct ToolReport {
  int constraint_woke = 0;          // tokens drawn again, because the first did not fit what is enforced
  std::string router;               // what it chose; empty: it was not asked
  ToolMode mode = ToolMode::usual;  // what came of ToolOffer::mode, which may not be had
  // Parts of the tools' schemas that could not be enforced while the call was generated; sentences.
  std::vector<std::string> unenforced;
};

struct ChatFinished {
  std::string text;  // what was held back until the end; of a cut answer without unfinished characters
  // "stop" (end of turn or stop string), "tool_calls" (end of turn, with calls), "length", "stopped"
  // (cancelled)
  std::string stop_reason;
  std::string error;  // not empty: generation failed; a sentence for the user
  sessions::Usage usage;
  sessions::Timings timings;
  std::chrono::nanoseconds queued{};      // waited for the engine, before its first step for the request
  std::vector<sessions::ToolCall> calls;  // those that ran on the server, where that was asked for
  std::string limit;  // not empty: why the model was not given their results; a sentence for the user
  ToolReport tool_report;
};

using ChatEvent = std::variant<ChatDelta, ChatFinished>;

// An answer being generated. Dropping it cancels the request and frees its KV blocks.
class ChatStream {
 public:
  virtual ~ChatStream() = default;
  // Of the prompt. Where a router decides about tools, certain only when the first text or call has come.
  virtual int left_out_turns() const = 0;
  // With continue_last: the ids that stand for the answer's text in the prompt, which take the place of the
  // stored ones; those may spell more than the text, or be another model's. Absent: the stored ones stay.
  virtual std::optional<std::vector<std::int32_t>> continued_ids() const = 0;
  // The next event; tokens that arrive while nobody waits are merged into one delta. After ChatFinished:
  // none.
  virtual boost::asio::awaitable<ChatEvent> next() = 0;
  // ChatFinished with "stopped" follows.
  virtual void cancel() = 0;
};

// How far a model can be trusted with tools; from config/models.json.
enum class ToolProfile : std::uint8_t {
  native,  // calls when it should: the tools that are switched on are in every prompt
  weak,    // calls too readily: a router decides first, tools are off until the user switches them on
  none,    // cannot call
};

struct ModelInfo {
  std::string name;  // as in the catalogue, or the file's name
  std::string architecture;
  std::string quantisation;
  std::int64_t file_bytes = 0;
  int max_context = 0;  // tokens of prompt and answer together
  ToolProfile tool_profile = ToolProfile::weak;
};

// Tokens of a text, about; for any thread, and as long as it is kept.
using TokenCounter = std::function<std::size_t(std::string_view)>;
// Where no tokenizer is at hand.
inline std::size_t rough_token_count(std::string_view text) { return text.size() / 4; }

using ChatStart = std::variant<std::unique_ptr<ChatStream>, ChatRejection>;

// The beginning of prompts to come, being read. Dropping it ends that.
class ReadAhead {
 public:
  virtual ~ReadAhead() = default;
};

class ChatModel {
 public:
  virtual ~ChatModel() = default;
  virtual const ModelInfo& info() const = 0;
  virtual TokenCounter token_counter() const = 0;
  virtual boost::asio::awaitable<ChatStart> start_chat(ChatRequest request) = 0;
  virtual boost::asio::awaitable<ChatStart> start_completion(CompletionRequest request) = 0;
  // Reads what all next questions of a chat begin with, so that the first one waits for its own words only.
  // `request` has the messages before it, and the tools. At nobody's expense: in pauses between answers, and
  // for nothing where it has been read already. Null: there is nothing to read, or no cache to keep it in.
  virtual boost::asio::awaitable<std::unique_ptr<ReadAhead>> read_ahead(ChatRequest) { co_return nullptr; }
};

}  // namespace parley::orchestration::turn
