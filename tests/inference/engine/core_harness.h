#pragma once
// An EngineCore over the toy model with a fake clock, advanced step by step, every step checked. One thread.

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inference/engine/engine_core.h"
#include "tests/fakes/recording_sink.h"
#include "tests/fakes/toy_model.h"

namespace parley::inference::engine {

namespace fakes = tests::fakes;

class CoreHarness {
 public:
  struct Options {
    EngineOptions engine{.num_blocks = 64, .max_context = 1024, .vocab_size = 101};
    fakes::ToyModel model{};
    // Seconds a step takes on the fake clock.
    double step_seconds = 0.01;
    double prefill_token_seconds = 0.001;
  };

  explicit CoreHarness(const Options& options)
      : options_(options),
        runner_(new fakes::ToyRunner(options.model, options.engine.num_blocks,
                                     options.engine.scheduling.max_step_tokens)),
        core_(std::unique_ptr<ModelRunner>(runner_), options.engine, [this] { return now_; }) {
    runner_->is_published = [this](BlockId block) { return core_.pool().is_published(block); };
    runner_->before_step = [this](const backend::StepPlan& plan) { observe(plan); };
  }

  RequestId submit(Request request) {
    const RequestId id = ++last_id_;
    sinks_[id] = std::make_shared<fakes::RecordingSink>();
    requests_[id] = request;
    core_.add({id, std::move(request), sinks_[id], now_});
    return id;
  }
  void cancel(RequestId id) {
    core_.cancel(id);
    core_.deliver();
  }
  // One step; the first thing wrong with it, or nothing.
  std::string step() {
    const std::vector<Before> before = decoding();
    const EngineStats earlier = core_.stats();
    core_.step();
    core_.deliver();
    if (!runner_->error.empty()) return runner_->error;
    if (std::string wrong = find_wrong_progress(before); !wrong.empty()) return wrong;
    if (std::string wrong = find_wrong_counter(earlier, core_.stats()); !wrong.empty()) return wrong;
    return core_.pool().find_inconsistency(tables());
  }
  std::string run(int max_steps = 100000) {
    for (int i = 0; core_.has_work(); ++i) {
      if (i == max_steps) return "no end after " + std::to_string(max_steps) + " steps";
      if (std::string wrong = step(); !wrong.empty()) return wrong;
    }
    return {};
  }
  // Compares an ended request with the oracle; nothing if it is right.
  std::string find_wrong_answer(RequestId id) {
    const fakes::RecordingSink& sink = this->sink(id);
    if (sink.num_finishes != 1) return name(id) + "ended " + std::to_string(sink.num_finishes) + " times";
    if (sink.told_after_end) return name(id) + "a token after the end";
    if (sink.result->completion_tokens != static_cast<int>(sink.tokens.size()))
      return name(id) + "wrong count";
    if (requests_.at(id).purpose == Purpose::read_ahead) {
      return sink.tokens.empty() ? "" : name(id) + "a token from what is only read ahead";
    }
    const fakes::ToyAnswer right = answer(id);
    // What was forced is delivered before the values that it follows from are looked at.
    const bool may_go_on = right.reason == StopReason::failed && sink.result->forced_tokens > 0;
    if (may_go_on && begins_with(sink.tokens, right.tokens)) return {};
    if (sink.result->reason == StopReason::cancelled) {
      return begins_with(right.tokens, sink.tokens) ? "" : name(id) + "wrong tokens before the cancellation";
    }
    if (sink.tokens != right.tokens) return name(id) + "wrong tokens";
    return sink.result->reason == right.reason ? "" : name(id) + "wrong reason";
  }
  fakes::ToyAnswer answer(RequestId id) const {
    return fakes::toy_answer(options_.model, requests_.at(id), request_capacity(options_.engine));
  }

  EngineCore& core() { return core_; }
  EngineStats stats() const { return core_.stats(); }
  fakes::ToyRunner& runner() { return *runner_; }
  fakes::RecordingSink& sink(RequestId id) { return *sinks_.at(id); }
  RequestId last_id() const { return last_id_; }
  const backend::StepPlan& last_plan() const { return last_plan_; }
  const Sequence* find(RequestId id) const { return core_.scheduler().find(id); }
  bool is_running(RequestId id) const {
    const auto running = core_.scheduler().running();
    return std::any_of(running.begin(), running.end(), [id](const auto& s) { return s->id == id; });
  }

 private:
  struct Before {
    RequestId id;
    int num_computed;
    int num_preemptions;
  };

  static std::string name(RequestId id) { return "request " + std::to_string(id) + ": "; }

  static bool begins_with(const std::vector<std::int32_t>& tokens, const std::vector<std::int32_t>& prefix) {
    return tokens.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), tokens.begin());
  }

  void observe(const backend::StepPlan& plan) {
    last_plan_ = plan;
    double seconds = options_.step_seconds;
    for (const auto& rows : plan.sequences) {
      if (rows.num_rows > 1) seconds += options_.prefill_token_seconds * rows.num_rows;
    }
    now_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  std::vector<Before> decoding() const {
    std::vector<Before> found;
    for (const auto& s : core_.scheduler().running()) {
      if (s->is_decoding()) found.push_back({s->id, s->num_computed, s->num_preemptions});
    }
    return found;
  }
  // Every running decode row is in every step; who was preempted in a step is not readmitted in it.
  std::string find_wrong_progress(const std::vector<Before>& before) const {
    for (const auto& [id, num_computed, num_preemptions] : before) {
      const Sequence* sequence = find(id);
      if (sequence == nullptr || sequence->num_computed > num_computed) continue;
      if (sequence->num_preemptions == num_preemptions) return name(id) + "a decode row was left out";
      if (is_running(id)) return name(id) + "preempted and admitted in one step";
    }
    if (core_.stats().running > core_.stats().max_sequences) return "too many requests run";
    for (const auto& s : core_.scheduler().waiting()) {
      if (s->num_passes > options_.engine.scheduling.ranking.starvation_bound) return name(s->id) + "starved";
    }
    return {};
  }
  static std::string find_wrong_counter(const EngineStats& a, const EngineStats& b) {
    const bool monotone = b.steps == a.steps + 1 && b.prompt_tokens >= a.prompt_tokens &&
                          b.cached_tokens >= a.cached_tokens && b.computed_tokens >= a.computed_tokens &&
                          b.generated_tokens >= a.generated_tokens && b.preemptions >= a.preemptions &&
                          b.recomputed_tokens >= a.recomputed_tokens && b.forced_tokens >= a.forced_tokens;
    if (!monotone) return "a counter went back";
    std::uint64_t finished = 0;
    for (const std::uint64_t count : b.finished) finished += count;
    if (finished + static_cast<std::uint64_t>(b.running + b.waiting) != b.accepted)
      return "requests are miscounted";
    return {};
  }
  std::vector<std::vector<BlockId>> tables() const {
    std::vector<std::vector<BlockId>> all;
    for (const auto& s : core_.scheduler().running()) all.push_back(s->blocks);
    for (const auto& s : core_.scheduler().waiting()) all.push_back(s->blocks);
    for (const auto& s : core_.ahead().sequences()) all.push_back(s->blocks);
    return all;
  }

  const Options options_;
  Clock::time_point now_{std::chrono::hours(1)};
  fakes::ToyRunner* runner_;  // owned by core_
  EngineCore core_;
  RequestId last_id_ = 0;
  std::map<RequestId, std::shared_ptr<fakes::RecordingSink>> sinks_;
  std::map<RequestId, Request> requests_;
  backend::StepPlan last_plan_;
};

// `count` tokens that depend on `seed`.
inline std::vector<std::int32_t> toy_tokens(int count, std::uint64_t seed, int vocab_size = 101) {
  std::vector<std::int32_t> tokens;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t drawn = fakes::toy_mix(seed, static_cast<std::uint64_t>(i));
    tokens.push_back(static_cast<std::int32_t>(drawn % static_cast<std::uint64_t>(vocab_size)));
  }
  return tokens;
}

// What many prompts may begin with, read ahead.
inline Request toy_read_ahead(std::vector<std::int32_t> prompt) {
  Request request;
  request.prompt = std::move(prompt);
  request.purpose = Purpose::read_ahead;
  return request;
}

// A greedy request for `max_tokens`.
inline Request toy_request(std::vector<std::int32_t> prompt, int max_tokens) {
  Request request;
  request.prompt = std::move(prompt);
  request.sampling.temperature = 0.0f;
  request.max_tokens = max_tokens;
  return request;
}

}  // namespace parley::inference::engine
