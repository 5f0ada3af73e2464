#include "orchestration/turn/tool_desk.h"

#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>

#include "orchestration/tools/approvals_file.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {

namespace asio = boost::asio;

namespace {

constexpr const char* kWithdrawn = "withdrawn";  // in the log of calls

sessions::UnixMillis millis_of(tools::ApprovalTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

tools::AuditRecord record_of(const tools::GivenApproval& taken) {
  tools::AuditRecord record;
  record.time = std::chrono::system_clock::now();
  record.chat = taken.chat;
  record.tool = taken.answer.tool;
  record.source = taken.answer.source;
  record.decision = kWithdrawn;
  return record;
}

}  // namespace

ToolDesk::ToolDesk(const asio::any_io_executor& executor, ToolDeskParts parts)
    : freed(executor), parts_(std::move(parts)), threads_(parts_.threads) {
  if (parts_.approvals_file.empty()) return;
  auto loaded = tools::load_approvals(parts_.approvals_file);
  if (!loaded.problem.empty() && parts_.log) parts_.log(loaded.problem);
  approvals_ = tools::Approvals(tools::ToolPolicy(), std::move(loaded.always));
}

ToolDesk::~ToolDesk() {
  threads_.join();
  planning_threads_.join();
  files_.join();
}

tools::ToolLimits ToolDesk::limits() const {
  const auto now = state();
  return now->file ? now->file->limits : tools::ToolLimits();
}

void ToolDesk::follow_policy() {
  const auto file = state()->file;
  if (file == policy_of_) return;
  policy_of_ = file;
  approvals_.set_policy(file ? tools::ToolPolicy(file->permissions) : tools::ToolPolicy());
}

tools::Decision ToolDesk::decide(const tools::ToolSpec& spec, const std::string& chat) {
  follow_policy();
  return approvals_.decide(spec, chat);
}

void ToolDesk::approve(const tools::ToolSpec& spec, const std::string& chat, tools::ApprovalScope scope) {
  approvals_.approve(spec, chat, scope, std::chrono::system_clock::now());
  tell_approvals_changed();
  if (scope != tools::ApprovalScope::always || parts_.approvals_file.empty()) return;
  asio::post(files_, [this, always = approvals_.always()] {
    const auto problem = tools::save_approvals(parts_.approvals_file, always);
    if (problem && parts_.log) parts_.log(*problem);
  });
}

void ToolDesk::tell_approvals_changed() const {
  if (parts_.approvals_changed) parts_.approvals_changed();
}

std::vector<ToolApproval> ToolDesk::approvals() const {
  const auto now = state();
  std::vector<ToolApproval> shown;
  for (const tools::GivenApproval& given : approvals_.given()) {
    const tools::StandingApproval& answer = given.answer;
    ToolApproval& one = shown.emplace_back();
    one.tool = answer.tool;
    one.source = answer.source;
    one.chat = given.chat;
    if (answer.since) one.since = millis_of(*answer.since);
    const tools::ToolPointer tool = now->tools.find(answer.tool);
    one.holds = tool && tool->spec().source == answer.source &&
                tool->spec().definition_hash == answer.definition_hash;
  }
  return shown;
}

asio::awaitable<std::optional<std::string>> ToolDesk::withdraw(std::string tool) {
  const auto taken = approvals_.withdraw(tool);
  for (const tools::GivenApproval& one : taken) {
    record(record_of(one));
    file_is_behind_ = file_is_behind_ || one.chat.empty();
  }
  if (!taken.empty()) tell_approvals_changed();
  if (!file_is_behind_ || parts_.approvals_file.empty()) co_return std::nullopt;
  auto save = [this, always = approvals_.always()] {
    return tools::save_approvals(parts_.approvals_file, always);
  };
  std::optional<std::string> problem = co_await run_blocking(files_, save);
  if (!problem) file_is_behind_ = false;
  if (problem && parts_.log) parts_.log(*problem);
  co_return problem;
}

void ToolDesk::record(tools::AuditRecord record) {
  if (parts_.audit_file.empty()) return;
  asio::post(files_, [this, record = std::move(record)] {
    const auto problem = tools::append_audit_record(parts_.audit_file, record);
    if (problem && parts_.log) parts_.log(*problem);
  });
}

asio::awaitable<tools::AuditPage> ToolDesk::read_audit(std::optional<std::uint64_t> before,
                                                       std::size_t limit) {
  if (parts_.audit_file.empty()) co_return tools::AuditPage();
  auto work = [this, before, limit] { return tools::read_audit_page(parts_.audit_file, before, limit); };
  co_return co_await run_blocking(files_, work);
}

bool ToolDesk::try_take_place(const tools::ToolSpec& spec) {
  int& running = running_[spec.name];
  if (running >= spec.max_parallel) return false;
  ++running;
  return true;
}

void ToolDesk::free_place(const tools::ToolSpec& spec) {
  const auto found = running_.find(spec.name);
  if (found != running_.end() && --found->second <= 0) running_.erase(found);
  freed.notify();
}

}  // namespace parley::orchestration::turn
