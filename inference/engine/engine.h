#pragma once
// The inference engine: token ids in, token ids out, many requests at once (continuous batching over a paged
// KV cache with a shared prefix index; Kwon et al. 2023, PagedAttention).
//
// submit, cancel and stats may be called from any thread. The sink is called on the engine thread and must
// not block or throw. Every accepted request ends with exactly one on_finish.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "inference/backend/step_plan.h"
#include "inference/grammar/token_constraint.h"

namespace parley::inference::engine {

using RequestId = std::uint64_t;

struct SamplingParameters {
  float temperature = 1.0f;     // 0: greedy
  int top_k = 0;                // 0: off
  float top_p = 1.0f;           // 1: off
  float min_p = 0.0f;           // 0: off
  float repeat_penalty = 1.0f;  // 1: off
  std::uint64_t seed = 0;
};

enum class Purpose : std::uint8_t {
  answer,
  // Only puts the prompt's KV blocks into the cache, as far as another request that begins with it can find
  // them: whole blocks, never the last token's. Gets a step, which takes about as long as one beside running
  // streams, only while no request for an answer is there. Draws nothing, ends with max_tokens; of many that
  // wait the oldest is cancelled. Not counted but in EngineStats::read_ahead_tokens.
  read_ahead,
};

struct Request {
  std::vector<std::int32_t> prompt;  // not empty
  SamplingParameters sampling;
  int max_tokens = 0;                  // 0: up to the context's end
  std::vector<std::int32_t> stop_ids;  // a set; the id that stops is not delivered
  int num_logprobs = -1;               // as SampleRow::num_logprobs
  int priority = 0;                    // higher goes first
  std::uint64_t cache_salt = 0;        // prefixes are shared only among equal salts
  // Null: any token. A constraint in its first state, which must know stop_ids as the ids that end. The
  // engine works on a copy, so requests of one engine may share it; but nobody else may use it after submit,
  // not even `allows`. When it allows nothing more, the answer ends. Runs of tokens that it forces are
  // appended without being drawn, unless logprobs are asked for, which only a draw gives.
  std::shared_ptr<const grammar::TokenConstraint> constraint;
  Purpose purpose = Purpose::answer;
};

enum class StopReason : std::uint8_t {
  stop_token,   // an id of stop_ids was drawn, or the constraint is complete
  max_tokens,   // the request's own limit
  context_end,  // the context length or the KV memory is used up
  cancelled,
  failed,  // FinishedRequest::error says why
};

struct GeneratedToken {
  std::int32_t token_id = 0;
  float logprob = 0.0f;                    // when asked for
  std::vector<backend::TokenLogprob> top;  // when asked for
};

struct FinishedRequest {
  StopReason reason = StopReason::failed;
  std::string error{};  // with failed: a sentence for the user
  int prompt_tokens = 0;
  int cached_tokens = 0;                   // of the prompt, found in the KV cache at first admission
  int completion_tokens = 0;               // delivered
  int constrained_draws = 0;               // tokens drawn again because the constraint refused the first
  int forced_tokens = 0;                   // of those delivered, appended undrawn because of the constraint
  std::chrono::nanoseconds queued{};       // submit to first scheduled
  std::chrono::nanoseconds first_token{};  // submit to first token (TTFT)
  std::chrono::nanoseconds total{};        // submit to finish
};

class TokenSink {
 public:
  virtual ~TokenSink() = default;
  virtual void on_token(const GeneratedToken& token) = 0;
  virtual void on_finish(const FinishedRequest& result) = 0;
};

// Why a request was not accepted. `limit` and `actual` are for prompt_too_long the longest prompt that is
// accepted and this one's length, for token_out_of_range the vocabulary's size and the id, for queue_full
// requests. shutting_down with a `failure` is an engine that ended by an error and stays so.
struct Rejection {
  enum class Kind : std::uint8_t {
    prompt_too_long,
    empty_prompt,
    token_out_of_range,
    queue_full,
    shutting_down
  };
  Kind kind = Kind::queue_full;
  std::int64_t limit = 0;
  std::int64_t actual = 0;
  std::string failure{};  // a sentence for the user
};

struct EngineStats {
  int running = 0;
  int waiting = 0;
  int block_tokens = backend::kBlockTokens;  // tokens of a KV block
  int total_blocks = 0;
  int referenced_blocks = 0;          // held by running requests
  int cached_blocks = 0;              // kept for reuse, evictable
  std::uint64_t steps = 0;            // heartbeat: rises while there is work
  std::uint64_t prompt_tokens = 0;    // of finished and running requests, as submitted
  std::uint64_t cached_tokens = 0;    // of those, not computed
  std::uint64_t computed_tokens = 0;  // prefilled, recomputation after preemption included
  std::uint64_t generated_tokens = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t finished[5] = {};  // by StopReason
  int max_context = 0;             // tokens a request may hold
  int max_sequences = 0;
  bool alive = true;                        // false: the engine loop ended by an error
  std::string failure{};                    // then: a sentence for the user
  std::uint64_t accepted = 0;               // requests; sum of finished + running + waiting
  std::uint64_t recomputed_tokens = 0;      // of computed_tokens, those computed before a preemption already
  std::uint64_t twin_waits = 0;             // requests that waited while another computed their prefix
  std::uint64_t constrained_draws = 0;      // tokens drawn again because a constraint refused the first
  std::uint64_t starvation_promotions = 0;  // requests passed over so often that they went to the front
  std::uint64_t read_ahead_tokens = 0;      // computed for requests to come (Purpose::read_ahead)
  std::uint64_t forced_tokens = 0;          // of generated_tokens, appended undrawn because of a constraint
};

class Engine {
 public:
  virtual ~Engine() = default;  // cancels what runs, delivers every on_finish, joins the engine thread

  // The engine keeps the sink until on_finish has returned. The sink may be called before submit returns.
  virtual std::variant<RequestId, Rejection> submit(Request request, std::shared_ptr<TokenSink> sink) = 0;
  // Takes effect within one step; on_finish follows. Unknown or finished ids are ignored.
  virtual void cancel(RequestId id) = 0;
  virtual EngineStats stats() const = 0;
};

}  // namespace parley::inference::engine
