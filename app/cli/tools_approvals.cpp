// parley tools approvals: what people have allowed for good, and taking it back. What was allowed in one chat
// lasts as long as the server and is shown in its page only.

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "app/cli/options.h"
#include "app/cli/tools_commands.h"
#include "app/config/load_config.h"
#include "inference/json/json_writer.h"
#include "orchestration/tools/approvals_file.h"
#include "orchestration/tools/audit_log.h"
#include "storage/sqlite/folder_lock.h"

namespace parley::app::cli {
namespace {

namespace tools = orchestration::tools;
using inference::json::JsonObject;
using tools::StandingApproval;

std::string since_text(const StandingApproval& answer) {
  if (!answer.since) return "";
  const std::time_t seconds = std::chrono::system_clock::to_time_t(*answer.since);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::ostringstream text;
  text << std::put_time(&utc, "%Y-%m-%dT%H:%M:%SZ");
  return text.str();
}

void print_approval(const StandingApproval& answer, bool as_json) {
  const std::string since = since_text(answer);
  if (as_json) {
    JsonObject object{
        {"tool", answer.tool}, {"source", answer.source}, {"definition", answer.definition_hash}};
    object["since"] = nullptr;
    if (!since.empty()) object["since"] = since;
    std::cout << inference::json::to_json_text(object) << "\n";
    return;
  }
  std::cout << std::left << std::setw(24) << answer.tool << "  " << std::setw(16) << answer.source
            << (since.empty() ? "" : "  since " + since) << "\n";
}

std::vector<StandingApproval> read_approvals(const std::filesystem::path& data) {
  tools::LoadedApprovals loaded = tools::load_approvals(data / "approvals.json");
  if (!loaded.problem.empty()) throw std::runtime_error(loaded.problem);
  return std::move(loaded.always);
}

int forget(const std::filesystem::path& data, const std::string& tool) {
  // A server that runs has its own copy of what is allowed, and would write it back.
  const storage::sqlite::FolderLock lock(data);
  std::vector<StandingApproval> kept = read_approvals(data);
  const auto taken = std::stable_partition(
      kept.begin(), kept.end(), [&](const StandingApproval& answer) { return answer.tool != tool; });
  if (taken == kept.end()) throw std::runtime_error("nothing is allowed of " + tool + " without asking");
  std::vector<tools::AuditRecord> records;
  for (auto answer = taken; answer != kept.end(); ++answer) {
    tools::AuditRecord& record = records.emplace_back();
    record.time = std::chrono::system_clock::now();
    record.tool = answer->tool;
    record.source = answer->source;
    record.decision = "withdrawn";
  }
  kept.erase(taken, kept.end());
  if (const auto problem = tools::save_approvals(data / "approvals.json", kept))
    throw std::runtime_error(*problem);
  for (const tools::AuditRecord& record : records) {
    if (const auto problem = tools::append_audit_record(data / "tools.log", record))
      std::cerr << *problem << "\n";
  }
  std::cout << tool << " is no longer always allowed\n";
  return 0;
}

}  // namespace

int run_tools_approvals(const Arguments& arguments) {
  Options options("tools approvals [--forget NAME] [--data DIR] [--json]",
                  "Lists the tools that people have always allowed, or takes that back for one.");
  options.add_value(
      "forget", "NAME",
      "have calls of this tool asked for again (while a server runs: in the tools panel of its page)");
  options.add_value("data", "DIR", "data folder");
  options.add_flag("json", "one JSON object a line");
  if (!options.parse(arguments)) return 0;

  const auto environment = config::process_environment();
  const std::filesystem::path data =
      options.text("data").value_or(config::default_data_dir(environment).string());
  if (const auto tool = options.text("forget")) return forget(data, *tool);
  const auto approvals = read_approvals(data);
  for (const StandingApproval& answer : approvals) print_approval(answer, options.has("json"));
  if (approvals.empty()) std::cerr << "no tool is always allowed\n";
  return 0;
}

}  // namespace parley::app::cli
