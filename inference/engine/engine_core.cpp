#include "inference/engine/engine_core.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace parley::inference::engine {
namespace {

constexpr const char* kNotFinite =
    "The model produced values that are not finite numbers for this request, so it was ended. Other "
    "requests are not affected. If it happens again, check the model file.";
constexpr const char* kDoesNotFit =
    "The context does not fit into the KV memory. Shorten the conversation or start the server with more KV "
    "memory.";

double seconds_of(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

int request_capacity(const EngineOptions& options) {
  const std::int64_t pool_tokens = std::int64_t{options.num_blocks} * backend::kBlockTokens;
  return static_cast<int>(std::min<std::int64_t>(options.max_context, pool_tokens));
}

EngineCore::EngineCore(std::unique_ptr<ModelRunner> runner, const EngineOptions& options, Now now)
    : vocab_size_(options.vocab_size),
      cache_root_(options.cache_root),
      forced_runs_(options.forced_runs),
      capacity_(request_capacity(options)),
      now_(std::move(now)),
      runner_(std::move(runner)),
      pool_(options.num_blocks),
      scheduler_(options.scheduling, pool_, stats_),
      ahead_(pool_, stats_),
      constrained_(options.vocab_size) {
  assert(capacity_ >= 2 && vocab_size_ > 0);
  stats_.total_blocks = options.num_blocks;
  stats_.max_context = capacity_;
  stats_.max_sequences = scheduler_.max_sequences();
}

void EngineCore::step() {
  ++stats_.steps;
  if (scheduler_.empty() && !ahead_.empty()) return read_ahead();
  ahead_.stand_aside();
  const std::span<const Chunk> chunks = scheduler_.next();
  if (chunks.empty()) return fail_stuck_request();
  commit(chunks, run(chunks));
}

// What arrives meanwhile waits for this one chunk at most.
void EngineCore::read_ahead() {
  const Sequence& sequence = ahead_.resume();
  if (!ReadAhead::is_done(sequence)) {
    const Chunk chunk = ahead_.next(scheduler_.prefill_in_step_time(sequence.num_computed));
    if (chunk.num_tokens == 0) return finish(sequence, {.reason = StopReason::failed, .error = kDoesNotFit});
    run(std::span(&chunk, 1));
    ahead_.commit(chunk);
  }
  if (ReadAhead::is_done(sequence)) finish(sequence, {.reason = StopReason::max_tokens});
}

std::vector<backend::SampledToken> EngineCore::run(std::span<const Chunk> chunks) {
  const Clock::time_point start = now_();
  for (const Chunk& chunk : chunks) {
    if (!chunk.sequence->has_run()) chunk.sequence->begin(start);
  }
  builder_.build(chunks);
  std::vector<backend::SampledToken> drawn = runner_->run(builder_.plan(), builder_.sampling());
  assert(drawn.size() == builder_.sampling().size());
  constrained_.correct(chunks, builder_.sampling(), *runner_, drawn);
  scheduler_.observe(load_of(chunks), seconds_of(now_() - start));
  return drawn;
}

void EngineCore::commit(std::span<const Chunk> chunks, std::vector<backend::SampledToken> drawn) {
  scheduled_.assign(chunks.begin(), chunks.end());  // finishing a request invalidates the scheduler's own
  auto next = drawn.begin();
  for (const Chunk& chunk : scheduled_) {
    if (!chunk.draws_token()) {
      scheduler_.commit(chunk);
    } else if (is_usable(*next)) {
      scheduler_.commit(chunk);
      accept(*chunk.sequence, std::move(*next++));
    } else {
      finish(*chunk.sequence, {.reason = StopReason::failed, .error = kNotFinite});
      ++next;
    }
  }
}

// An id outside of the vocabulary must never come back as a row of the embedding table.
bool EngineCore::is_usable(const backend::SampledToken& drawn) const {
  return drawn.finite && drawn.token_id >= 0 && drawn.token_id < vocab_size_;
}

void EngineCore::accept(Sequence& sequence, backend::SampledToken drawn) {
  if (sequence.first_token == Clock::time_point{}) sequence.first_token = now_();
  if (sequence.stops_at(drawn.token_id)) {
    return finish(sequence, {.reason = StopReason::stop_token});
  }
  sequence.append(drawn.token_id);
  note_token(sequence, {drawn.token_id, drawn.logprob, std::move(drawn.top)});
  if (const auto reason = reason_to_end(sequence)) return finish(sequence, {.reason = *reason});
  append_forced_run(sequence);
}

// An id that stops is left to be drawn: it is not delivered, and nothing comes behind it.
void EngineCore::append_forced_run(Sequence& sequence) {
  const bool is_wanted = forced_runs_ == ForcedRuns::appended && sequence.constraint != nullptr &&
                         sequence.request.num_logprobs < 0;
  if (!is_wanted) return;
  for (const std::int32_t token_id : sequence.constraint->forced_run(sequence.tokens)) {
    if (token_id < 0 || token_id >= vocab_size_ || sequence.stops_at(token_id)) return;
    sequence.append_forced(token_id);
    ++stats_.forced_tokens;
    note_token(sequence, {token_id, 0.0f, {}});
    if (const auto reason = reason_to_end(sequence)) return finish(sequence, {.reason = *reason});
  }
}

void EngineCore::note_token(const Sequence& sequence, GeneratedToken token) {
  ++stats_.generated_tokens;
  events_.push_back({sequence.sink, std::move(token)});
}

std::optional<StopReason> EngineCore::reason_to_end(const Sequence& sequence) const {
  if (sequence.constraint && sequence.constraint->is_complete()) return StopReason::stop_token;
  const int max_tokens = sequence.request.max_tokens;
  if (max_tokens > 0 && sequence.num_generated() >= max_tokens) return StopReason::max_tokens;
  if (sequence.num_tokens() >= capacity_) return StopReason::context_end;
  return std::nullopt;
}

void EngineCore::add(Submission submission) {
  const BlockKey root = root_key(cache_root_, submission.request.cache_salt);
  auto sequence = std::make_unique<Sequence>(std::move(submission), root);
  if (sequence->request.purpose == Purpose::read_ahead) {
    ahead_.add(std::move(sequence));
    if (const Sequence* oldest = ahead_.surplus()) finish(*oldest, {.reason = StopReason::cancelled});
    return;
  }
  ++stats_.accepted;
  scheduler_.add(std::move(sequence));
}

void EngineCore::cancel(RequestId id) {
  const Sequence* sequence = scheduler_.find(id);
  if (sequence == nullptr) sequence = ahead_.find(id);
  if (sequence != nullptr) finish(*sequence, {.reason = StopReason::cancelled});
}

void EngineCore::finish_all(StopReason reason, const std::string& error) {
  while (const Sequence* sequence = scheduler_.any()) finish(*sequence, {.reason = reason, .error = error});
  while (!ahead_.empty()) finish(*ahead_.sequences().back(), {.reason = reason, .error = error});
}

// A safety net: by submit's checks any request fits into an empty pool.
void EngineCore::fail_stuck_request() {
  if (const Sequence* sequence = scheduler_.stuck()) {
    finish(*sequence, {.reason = StopReason::failed, .error = kDoesNotFit});
  }
}

// KV rows of a failed request are not trusted and not kept for others.
void EngineCore::finish(const Sequence& sequence, FinishedRequest result) {
  const auto retention = result.reason == StopReason::failed ? Retention::discard : Retention::keep;
  const std::unique_ptr<Sequence> ended = take_out(sequence.id, retention);
  const Clock::time_point now = now_();
  result.prompt_tokens = ended->num_prompt;
  result.cached_tokens = ended->cached_at_admission;
  result.completion_tokens = ended->num_generated();
  result.constrained_draws = ended->num_constrained_draws;
  result.forced_tokens = ended->num_forced;
  result.queued = (ended->has_run() ? ended->first_scheduled : now) - ended->submitted;
  if (ended->first_token != Clock::time_point{}) result.first_token = ended->first_token - ended->submitted;
  result.total = now - ended->submitted;
  const bool is_counted = ended->request.purpose == Purpose::answer;
  if (is_counted) ++stats_.finished[static_cast<std::size_t>(result.reason)];
  events_.push_back({ended->sink, std::move(result)});
}

std::unique_ptr<Sequence> EngineCore::take_out(RequestId id, Retention retention) {
  if (auto sequence = scheduler_.remove(id, retention)) return sequence;
  return ahead_.remove(id, retention);
}

void EngineCore::deliver() noexcept {
  for (const Event& event : events_) {
    if (const auto* token = std::get_if<GeneratedToken>(&event.what)) {
      event.sink->on_token(*token);
    } else {
      event.sink->on_finish(std::get<FinishedRequest>(event.what));
    }
  }
  events_.clear();
}

EngineStats EngineCore::stats() const {
  EngineStats stats = stats_;
  stats.running = scheduler_.num_running();
  stats.waiting = scheduler_.num_waiting();
  stats.constrained_draws = constrained_.num_refused();
  stats.referenced_blocks = pool_.num_referenced();
  stats.cached_blocks = pool_.num_cached();
  return stats;
}

}  // namespace parley::inference::engine
