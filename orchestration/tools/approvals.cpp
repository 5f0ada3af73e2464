#include "orchestration/tools/approvals.h"

#include <utility>

namespace parley::orchestration::tools {
namespace {

StandingApproval identity_of(const ToolSpec& spec) {
  return {.source = spec.source, .tool = spec.name, .definition_hash = spec.definition_hash};
}

}  // namespace

Approvals::Approvals(ToolPolicy policy, std::vector<StandingApproval> always)
    : policy_(std::move(policy)), always_(always.begin(), always.end()) {}

Decision Approvals::decide(const ToolSpec& spec, std::string_view chat) const {
  const Decision rule = policy_.decide(spec);
  if (rule != Decision::ask || chat.empty()) return rule;
  const StandingApproval identity = identity_of(spec);
  if (identity.definition_hash.empty()) return Decision::ask;  // nothing to bind an answer to
  if (always_.contains(identity)) return Decision::automatic;
  const auto answers = by_chat_.find(chat);
  const bool approved = answers != by_chat_.end() && answers->second.contains(identity);
  return approved ? Decision::automatic : Decision::ask;
}

void Approvals::approve(const ToolSpec& spec, std::string_view chat, ApprovalScope scope, ApprovalTime now) {
  StandingApproval answer = identity_of(spec);
  if (answer.definition_hash.empty()) return;  // it would never count
  answer.since = now;
  auto& answers = scope == ApprovalScope::always ? always_ : by_chat_[std::string(chat)];
  answers.insert(std::move(answer));
}

std::vector<GivenApproval> Approvals::withdraw(std::string_view tool) {
  std::vector<GivenApproval> taken = given();
  std::erase_if(taken, [&](const GivenApproval& one) { return one.answer.tool != tool; });
  const auto names_it = [&](const StandingApproval& answer) { return answer.tool == tool; };
  std::erase_if(always_, names_it);
  for (auto& [chat, answers] : by_chat_) std::erase_if(answers, names_it);
  return taken;
}

void Approvals::forget_chat(std::string_view chat) {
  const auto found = by_chat_.find(chat);
  if (found != by_chat_.end()) by_chat_.erase(found);
}

std::vector<GivenApproval> Approvals::given() const {
  std::vector<GivenApproval> all;
  for (const StandingApproval& answer : always_) all.push_back({.chat = {}, .answer = answer});
  for (const auto& [chat, answers] : by_chat_) {
    for (const StandingApproval& answer : answers) all.push_back({.chat = chat, .answer = answer});
  }
  return all;
}

}  // namespace parley::orchestration::tools
