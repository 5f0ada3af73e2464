#include "orchestration/turn/call_work.h"

#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

constexpr const char* kRepeated =
    "The same call was made before. Use its result, or answer without another call.";

}  // namespace

asio::awaitable<std::vector<CallPlan>> plan_calls(ToolDesk& desk, const tools::ToolSet& offered,
                                                  std::vector<prompt::MessageCall> calls) {
  std::vector<CallPlan> plans;
  auto work = [&] {
    for (const prompt::MessageCall& call : calls)
      plans.push_back(plan_call(offered, call.name, call.arguments));
  };
  co_await run_blocking(desk.threads(), work);
  co_return plans;
}

bool CallRepeats::add(const CallPlan& plan, int limit) {
  const std::string what = plan.tool->spec().name + "\n" + inference::json::to_json_text(plan.arguments);
  return ++counts_[what] < limit;
}

CallVerdict judge_call(ToolDesk& desk, CallRepeats& repeats, const CallPlan& plan, const std::string& broken,
                       const std::string& chat) {
  using Kind = CallVerdict::Kind;
  if (!broken.empty()) return {Kind::fail, broken};
  if (!plan.problem.empty()) return {Kind::fail, plan.problem};
  if (!repeats.add(plan, desk.limits().repeat_limit)) return {Kind::fail, kRepeated};
  switch (desk.decide(plan.tool->spec(), chat)) {
    case tools::Decision::deny:
      return {Kind::deny, std::string(kDeniedByRules)};
    case tools::Decision::ask:
      return {Kind::ask};
    case tools::Decision::automatic:
      break;
  }
  return {Kind::run};
}

CallPlaces::Place::Place(CallPlaces& places, tools::ToolPointer tool)
    : places_(places), tool_(std::move(tool)) {
  ++places_.taken_;
}

CallPlaces::Place::~Place() {
  if (!tool_) return;
  --places_.taken_;
  places_.desk_.free_place(tool_->spec());
}

asio::awaitable<std::optional<CallPlaces::Place>> CallPlaces::take(tools::ToolPointer tool,
                                                                   const std::function<bool()>& is_over) {
  while (!is_over()) {
    if (taken_ < desk_.limits().max_parallel && desk_.try_take_place(tool->spec()))
      co_return Place(*this, std::move(tool));
    co_await desk_.freed.wait_until(Clock::now() + std::chrono::milliseconds(200));
  }
  co_return std::nullopt;
}

asio::awaitable<CallRun> run_planned_call(ToolDesk& desk, const CallPlan& plan, tools::CallContext context,
                                          ResultLimit limit) {
  const tools::ToolLimits limits = desk.limits();
  const auto begin = Clock::now();
  context.deadline = begin + limits.call_timeout;
  limit.tokens = static_cast<std::size_t>(limits.result_tokens);
  auto work = [&] { return run_call(plan, context, limit); };
  CallRun run;
  run.outcome = co_await run_blocking(desk.threads(), work);
  run.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  co_return run;
}

std::string round_limit(const tools::ToolLimits& limits, int rounds, Clock::duration worked) {
  if (rounds >= limits.max_rounds)
    return "Tools were called in " + std::to_string(rounds) + " rounds, the limit for one answer.";
  if (worked <= limits.loop_wall_time) return "";
  return "The time limit for one answer with tools was reached.";
}

}  // namespace parley::orchestration::turn
