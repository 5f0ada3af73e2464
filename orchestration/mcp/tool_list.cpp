#include "orchestration/mcp/tool_list.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "orchestration/mcp/fields.h"

namespace parley::orchestration::mcp {
namespace {

constexpr std::size_t kMaxCursor = 4096;
constexpr double kMaxFreshMilliseconds = 24.0 * 3600 * 1000;

class ToolCollector {
 public:
  explicit ToolCollector(ServerLog& log) : log_(log) {}

  // False when the bounds are reached.
  bool take(const JsonArray& tools) {
    for (const JsonValue& value : tools) {
      auto read = read_tool_definition(value);
      if (const auto* problem = std::get_if<std::string>(&read)) {
        log_.add(LogLine::Origin::note, *problem + "; left out");
        continue;
      }
      if (!add(std::get<ToolDefinition>(std::move(read)))) return false;
    }
    return true;
  }

  void take_freshness(const JsonObject& page) {
    const std::optional<double> milliseconds = number_field(page, "ttlMs");
    if (!milliseconds || std::isnan(*milliseconds)) return;
    const std::chrono::milliseconds fresh(
        static_cast<std::int64_t>(std::clamp(*milliseconds, 0.0, kMaxFreshMilliseconds)));
    list_.fresh_for = std::min(list_.fresh_for.value_or(fresh), fresh);
  }

  ToolList finish() {
    std::sort(list_.tools.begin(), list_.tools.end(),
              [](const ToolDefinition& a, const ToolDefinition& b) { return a.name < b.name; });
    return std::move(list_);
  }

 private:
  bool add(ToolDefinition tool) {
    if (!names_.insert(tool.name).second) {
      log_.add(LogLine::Origin::note, "tool \"" + tool.name + "\" is there twice; the second is left out");
      return true;
    }
    bytes_ += tool.canonical.size();
    if (list_.tools.size() == ToolList::kMaxTools || bytes_ > ToolList::kMaxBytes) {
      log_.add(LogLine::Origin::note,
               "it has too many tools (more than 1000, or 8 MiB); the rest is left out");
      return false;
    }
    list_.tools.push_back(std::move(tool));
    return true;
  }

  ServerLog& log_;
  ToolList list_;
  std::set<std::string> names_;
  std::size_t bytes_ = 0;
};

Request page_request(const std::string& cursor) {
  Request request;
  request.method = "tools/list";
  if (!cursor.empty()) request.params["cursor"] = cursor;
  return request;
}

}  // namespace

const ToolDefinition* ToolList::find(std::string_view name) const {
  const auto found = std::find_if(tools.begin(), tools.end(),
                                  [name](const ToolDefinition& tool) { return tool.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

std::variant<ToolList, std::string> list_tools(Session& session, ServerLog& log, const Wait& wait) {
  ToolCollector collector(log);
  std::set<std::string> cursors;
  std::string cursor;
  for (int page_index = 0; page_index < ToolList::kMaxPages; ++page_index) {
    const Reply reply = session.request(page_request(cursor), wait);
    if (const auto* failure = std::get_if<RequestFailure>(&reply)) {
      return "its tools cannot be listed: " + failure->message;
    }
    const auto& page = std::get<JsonObject>(reply);
    const JsonArray* tools = array_field(page, "tools");
    if (tools == nullptr) return "its tools cannot be listed: the answer has no list of tools";
    collector.take_freshness(page);
    if (!collector.take(*tools)) return collector.finish();
    cursor = text_field(page, "nextCursor");
    if (cursor.empty()) return collector.finish();
    if (cursor.size() > kMaxCursor || !cursors.insert(cursor).second) {
      log.add(LogLine::Origin::note, "its list of tools goes in circles; the rest is left out");
      return collector.finish();
    }
  }
  log.add(LogLine::Origin::note, "its list of tools has more than 128 pages; the rest is left out");
  return collector.finish();
}

}  // namespace parley::orchestration::mcp
