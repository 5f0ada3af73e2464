#include "orchestration/turn/call_work.h"

#include <utility>

#include "inference/json/json_writer.h"
#include "orchestration/tools/call_limits.h"
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
  co_await run_blocking(desk.planning_threads(), work);
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
    : places_(places), desk_(places.desk_.watch()), tool_(std::move(tool)) {
  ++places_.taken_;
}

CallPlaces::Place::~Place() {
  if (!tool_) return;
  --places_.taken_;
  if (const auto desk = desk_.lock()) desk->free_place(tool_->spec());
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
  auto work = [&] {
    const auto begin = Clock::now();
    tools::limit_call(context, plan.tool->spec(), limits, begin);
    CallRun run;
    run.outcome = run_call(plan, context, limit);
    run.elapsed_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    return run;
  };
  co_return co_await run_blocking(desk.threads(), work);
}

std::string round_limit(const tools::ToolLimits& limits, int rounds, Clock::duration worked) {
  if (rounds >= limits.max_rounds)
    return "Tools were called in " + std::to_string(rounds) + " rounds, the limit for one answer.";
  return worked < limits.loop_wall_time ? "" : std::string(kOutOfTime);
}

}  // namespace parley::orchestration::turn
