#include "orchestration/tools/approvals_file.h"

#include <chrono>
#include <cstdint>
#include <system_error>
#include <utility>

#include "inference/json/json.h"
#include "inference/json/json_writer.h"
#include "orchestration/tools/private_file.h"
#include "orchestration/tools/trusted_file.h"

namespace parley::orchestration::tools {
namespace {

using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;

constexpr std::size_t kMaxApprovalBytes = std::size_t{4} << 20;
constexpr std::int64_t kLatestTime = 9'000'000'000'000;  // ms since 1970, in 2255: what the clock can hold

std::optional<std::string> text_if_there(const JsonObject& object, const char* key) {
  const JsonValue* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

// Absent in files of earlier versions. False: it is there, and is no time.
bool read_since(const JsonObject& object, StandingApproval& answer) {
  const JsonValue* value = object.if_contains("since");
  if (value == nullptr) return true;
  if (!value->is_int64() || value->get_int64() < 0 || value->get_int64() > kLatestTime) return false;
  answer.since = ApprovalTime(std::chrono::milliseconds(value->get_int64()));
  return true;
}

std::optional<StandingApproval> read_answer(const JsonValue& value) {
  if (!value.is_object()) return std::nullopt;
  auto source = text_if_there(value.get_object(), "source");
  auto tool = text_if_there(value.get_object(), "tool");
  auto hash = text_if_there(value.get_object(), "definition");
  if (!source || !tool || !hash) return std::nullopt;
  StandingApproval answer{
      .source = std::move(*source), .tool = std::move(*tool), .definition_hash = std::move(*hash)};
  if (!read_since(value.get_object(), answer)) return std::nullopt;
  return answer;
}

JsonObject object_of(const StandingApproval& answer) {
  JsonObject object{{"source", answer.source}, {"tool", answer.tool}, {"definition", answer.definition_hash}};
  if (answer.since) {
    using std::chrono::milliseconds;
    object["since"] = std::chrono::duration_cast<milliseconds>(answer.since->time_since_epoch()).count();
  }
  return object;
}

std::optional<std::vector<StandingApproval>> read_answers(std::string_view text) {
  const auto parsed = inference::json::parse_json(text, {.max_bytes = kMaxApprovalBytes});
  const auto* root = std::get_if<JsonValue>(&parsed);
  const JsonValue* list =
      root != nullptr && root->is_object() ? root->get_object().if_contains("always") : nullptr;
  if (list == nullptr || !list->is_array()) return std::nullopt;
  std::vector<StandingApproval> answers;
  for (const JsonValue& item : list->get_array()) {
    auto answer = read_answer(item);
    if (!answer) return std::nullopt;
    answers.push_back(std::move(*answer));
  }
  return answers;
}

}  // namespace

LoadedApprovals load_approvals(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  const TrustedFile file = read_trusted_file(path, kMaxApprovalBytes);
  if (!file.problem.empty()) return {.always = {}, .problem = file.problem + "; people are asked again"};
  auto answers = read_answers(file.bytes);
  if (!answers) {
    return {.always = {},
            .problem = path.string() + " is damaged; people are asked again, and it is replaced then"};
  }
  return {.always = std::move(*answers), .problem = {}};
}

std::optional<std::string> save_approvals(const std::filesystem::path& path,
                                          const std::vector<StandingApproval>& always) {
  JsonArray list;
  for (const StandingApproval& answer : always) list.push_back(object_of(answer));
  return replace_private_file(path,
                              inference::json::to_json_text(JsonObject{{"always", std::move(list)}}) + "\n");
}

}  // namespace parley::orchestration::tools
