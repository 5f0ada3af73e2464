#include "orchestration/tools/read_other_entries.h"

#include <utility>

#include "orchestration/tools/read_headers.h"
#include "orchestration/tools/read_launch.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonObject;

constexpr IntRange kDiscoverOutputRange{.low = 256, .high = 16 << 20};

Launch read_call(EntryReader& reader, const Launch& list) {
  Launch call = read_launch(reader, "call");
  // What the listing program may see, the calling one may too: both come from one entry.
  call.access.readable.insert(call.access.readable.end(), list.access.readable.begin(),
                              list.access.readable.end());
  return call;
}

}  // namespace

std::optional<OpenApiEntry> read_openapi_entry(ReadingState& state, const JsonObject& object,
                                               std::size_t index, const std::string& place) {
  EntryReader reader(state, object, ObjectKind::openapi, place);
  if (reader.flag("disabled").value_or(false)) return std::nullopt;
  OpenApiEntry entry;
  entry.name = reader.plain_text("name").value_or("");
  entry.source = "openapi:" + (entry.name.empty() ? std::to_string(index + 1) : entry.name);
  if (reader.find("url") != nullptr) {
    entry.url = read_url(reader, "url");
  } else if (const auto file = reader.text("file")) {
    entry.document = (state.variables.folder() / *file).lexically_normal();
  } else {
    reader.refuse("", "nothing says where the description is; add \"url\" or \"file\"");
  }
  if (reader.find("baseUrl") != nullptr) entry.base_url = read_url(reader, "baseUrl");
  entry.include = reader.texts("include");
  entry.exclude = reader.texts("exclude");
  entry.headers = read_headers(reader, "headers");
  for (HttpHeader& header : read_auth(reader, "auth")) entry.headers.push_back(std::move(header));
  entry.approval = reader.decision("approval");
  entry.timeout = reader.milliseconds("timeout");
  if (reader.refused()) return std::nullopt;
  return entry;
}

std::optional<DiscoverEntry> read_discover_entry(ReadingState& state, const JsonObject& object,
                                                 std::size_t index, const std::string& place) {
  EntryReader reader(state, object, ObjectKind::discover, place);
  if (reader.flag("disabled").value_or(false)) return std::nullopt;
  DiscoverEntry entry;
  entry.source = "discover:" + std::to_string(index + 1);
  entry.list = read_launch(reader, "command");
  entry.call = read_call(reader, entry.list);
  entry.approval = reader.decision("approval");
  entry.timeout = reader.milliseconds("timeout");
  if (const auto bytes = reader.number("maxOutput", kDiscoverOutputRange)) {
    entry.max_output = static_cast<std::size_t>(*bytes);
  }
  if (reader.refused()) return std::nullopt;
  return entry;
}

std::optional<PermissionRule> read_permission(ReadingState& state, const JsonObject& object,
                                              const std::string& place) {
  EntryReader reader(state, object, ObjectKind::permission, place);
  PermissionRule rule;
  rule.tool = reader.plain_text("tool").value_or("");
  rule.source = reader.plain_text("source").value_or("");
  const auto decision = reader.decision("decision");
  if (rule.tool.empty())
    reader.refuse("tool", "expected the name of a tool, or a pattern such as \"shell_*\"");
  if (rule.tool.empty()) return std::nullopt;
  if (!decision) reader.refuse("decision", "expected \"auto\", \"ask\" or \"deny\"");
  // A rule that cannot be read might have been the one that forbids: until it is mended it does.
  rule.decision = reader.refused() ? Decision::deny : *decision;
  return rule;
}

ToolLimits read_limits(ReadingState& state, const JsonObject& object, const std::string& place) {
  // Each field by a reader of its own: one wrong limit must not lift the others.
  const auto one = [&](const JsonObject& fields) {
    return EntryReader(state, fields, ObjectKind::limits, place);
  };
  const auto count = [&](const char* key, IntRange range, int& target) {
    const auto* value = object.if_contains(key);
    if (value == nullptr) return;
    const JsonObject field{{key, *value}};
    if (const auto number = one(field).number(key, range)) target = static_cast<int>(*number);
  };
  const auto time = [&](const char* key, std::chrono::milliseconds& target) {
    const auto* value = object.if_contains(key);
    if (value == nullptr) return;
    const JsonObject field{{key, *value}};
    target = one(field).milliseconds(key).value_or(target);
  };
  one(object);  // warns of unknown keys
  ToolLimits limits;
  count("maxRounds", {.low = 1, .high = 1000}, limits.max_rounds);
  count("maxParallel", {.low = 1, .high = 64}, limits.max_parallel);
  time("callTimeout", limits.call_timeout);
  count("resultTokens", {.low = 16, .high = 1'000'000}, limits.result_tokens);
  count("repeatLimit", {.low = 1, .high = 1000}, limits.repeat_limit);
  time("loopWallTime", limits.loop_wall_time);
  return limits;
}

}  // namespace parley::orchestration::tools
