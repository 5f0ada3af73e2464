// parley tools log: the audit log, newest last.

#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "app/cli/options.h"
#include "app/cli/tools_commands.h"
#include "app/config/load_config.h"
#include "inference/json/json_writer.h"
#include "orchestration/tools/audit_log.h"

namespace parley::app::cli {
namespace {

namespace tools = orchestration::tools;

std::string time_text(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::ostringstream text;
  text << std::put_time(&utc, "%Y-%m-%dT%H:%M:%SZ");
  return text.str();
}

inference::json::JsonObject object_of(const tools::AuditRecord& record) {
  inference::json::JsonObject object;
  object["time"] = time_text(record.time);
  object["chat"] = record.chat;
  object["tool"] = record.tool;
  object["source"] = record.source;
  object["arguments_hash"] = record.arguments_hash;
  object["decision"] = record.decision;
  object["end"] = record.end;
  object["milliseconds"] = record.duration.count();
  return object;
}

void print(const tools::AuditRecord& record) {
  std::cout << time_text(record.time) << "  " << std::left << std::setw(24) << record.tool << "  "
            << std::setw(12) << record.decision << "  " << std::setw(11) << record.end;
  if (!record.end.empty()) std::cout << "  " << record.duration.count() << " ms";  // else it was no call
  std::cout << (record.chat.empty() ? "" : "  chat " + record.chat) << "\n";
}

}  // namespace

int run_tools_log(const Arguments& arguments) {
  Options options(
      "tools log [--data DIR] [--limit N] [--chat ID] [--tool NAME] [--json]",
      "Prints what tools were called, who allowed it, and how it ended. Arguments are kept as a hash only.");
  options.add_value("data", "DIR", "data folder");
  options.add_value("limit", "N", "the last N records; else 100");
  options.add_value("chat", "ID", "of one conversation only");
  options.add_value("tool", "NAME", "of one tool only");
  options.add_flag("json", "one JSON object a line");
  if (!options.parse(arguments)) return 0;

  const auto environment = config::process_environment();
  const std::filesystem::path data =
      options.text("data").value_or(config::default_data_dir(environment).string());
  tools::AuditFilter filter;
  filter.limit = static_cast<std::size_t>(options.integer("limit", 100, 1, 1'000'000));
  filter.chat = options.text("chat").value_or("");
  filter.tool = options.text("tool").value_or("");
  const tools::AuditLog log = tools::read_audit_log(data / "tools.log", filter);
  if (!log.problem.empty()) throw std::runtime_error(log.problem);
  for (const tools::AuditRecord& record : log.records) {
    if (options.has("json")) {
      std::cout << inference::json::to_json_text(object_of(record)) << "\n";
    } else {
      print(record);
    }
  }
  if (log.damaged_lines > 0) std::cerr << log.damaged_lines << " lines of the log cannot be read\n";
  return 0;
}

}  // namespace parley::app::cli
