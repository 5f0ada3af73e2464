#pragma once
// Which calls may run without asking: the operator's rules, and what people have answered. Answers are bound
// to a tool's definition: a changed description, schema or command asks again. A value; `decide` is pure. One
// thread, or a copy each.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "orchestration/tools/tool.h"
#include "orchestration/tools/tool_policy.h"

namespace parley::orchestration::tools {

// "Once" and "no" are about one call and are not kept here.
enum class ApprovalScope : std::uint8_t { chat, always };

using ApprovalTime = std::chrono::system_clock::time_point;

// Somebody said "always" to this very definition.
struct StandingApproval {
  std::string source;
  std::string tool;
  std::string definition_hash;
  std::optional<ApprovalTime> since = {};  // absent: it was not written down

  // By what was allowed, whenever that was.
  bool operator<(const StandingApproval& other) const {
    return std::tie(source, tool, definition_hash) <
           std::tie(other.source, other.tool, other.definition_hash);
  }
  bool operator==(const StandingApproval& other) const = default;
};

// An answer that holds until it is taken back.
struct GivenApproval {
  std::string chat;  // empty: in every chat
  StandingApproval answer;

  bool operator==(const GivenApproval& other) const = default;
};

class Approvals {
 public:
  Approvals() = default;
  Approvals(ToolPolicy policy, std::vector<StandingApproval> always);

  // A rule that says deny cannot be answered away; one that says automatic needs no answer.
  // `chat` empty: a program calls. What people have allowed was meant for chats, so the rules alone count.
  Decision decide(const ToolSpec& spec, std::string_view chat) const;

  // What was allowed already keeps its time.
  void approve(const ToolSpec& spec, std::string_view chat, ApprovalScope scope, ApprovalTime now);
  // Takes every answer about this tool back, of whichever definition and in whichever chat.
  std::vector<GivenApproval> withdraw(std::string_view tool);
  void forget_chat(std::string_view chat);
  void set_policy(ToolPolicy policy) { policy_ = std::move(policy); }

  std::vector<StandingApproval> always() const { return {always_.begin(), always_.end()}; }
  std::vector<GivenApproval> given() const;  // those for every chat first

 private:
  ToolPolicy policy_;
  std::set<StandingApproval> always_;
  std::map<std::string, std::set<StandingApproval>, std::less<>> by_chat_;
};

}  // namespace parley::orchestration::tools
