#include "orchestration/turn/tool_desk.h"

#include <utility>

#include <boost/asio/post.hpp>

#include "orchestration/tools/approvals_file.h"

namespace parley::orchestration::turn {

namespace asio = boost::asio;

ToolDesk::ToolDesk(const asio::any_io_executor& executor, ToolDeskParts parts)
    : freed(executor), parts_(std::move(parts)), threads_(parts_.threads) {
  if (parts_.approvals_file.empty()) return;
  auto loaded = tools::load_approvals(parts_.approvals_file);
  if (!loaded.problem.empty() && parts_.log) parts_.log(loaded.problem);
  approvals_ = tools::Approvals(tools::ToolPolicy(), std::move(loaded.always));
}

ToolDesk::~ToolDesk() {
  threads_.join();
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
  approvals_.approve(spec, chat, scope);
  if (scope != tools::ApprovalScope::always || parts_.approvals_file.empty()) return;
  asio::post(files_, [this, always = approvals_.always()] {
    const auto problem = tools::save_approvals(parts_.approvals_file, always);
    if (problem && parts_.log) parts_.log(*problem);
  });
}

void ToolDesk::record(tools::AuditRecord record) {
  if (parts_.audit_file.empty()) return;
  asio::post(files_, [this, record = std::move(record)] {
    const auto problem = tools::append_audit_record(parts_.audit_file, record);
    if (problem && parts_.log) parts_.log(*problem);
  });
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
