#include <cmath>
#include <sstream>

#include "app/cli/index_commands.h"
#include "inference/json/fields.h"
#include "orchestration/tools/clean_output.h"

namespace parley::app::cli {
namespace {

using inference::json::integer_field;
using inference::json::JsonObject;
using inference::json::text_field;

constexpr std::size_t kMaxReasons = 8;

std::string visible(const std::string& text) { return orchestration::tools::without_controls(text); }

std::string counted(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void put_passed_over(std::ostream& out, const JsonObject& collection) {
  const JsonObject* reasons = inference::json::object_field(collection, "passed_over");
  if (reasons == nullptr) return;
  std::size_t shown = 0;
  for (const auto& [reason, count] : *reasons) {
    if (++shown > kMaxReasons) {
      out << "\n  passed over: " << reasons->size() - kMaxReasons << " further reasons (--json lists them)";
      return;
    }
    out << "\n  passed over: " << count.to_number<std::int64_t>() << ", " << visible(std::string(reason));
  }
}

}  // namespace

std::string collection_text(const JsonObject& collection) {
  std::ostringstream out;
  const JsonObject empty;
  const JsonObject* found = inference::json::object_field(collection, "counts");
  const JsonObject& counts = found != nullptr ? *found : empty;
  const auto count = [&](const char* name) { return integer_field(counts, name).value_or(0); };
  out << visible(text_field(collection, "name")) << "  " << visible(text_field(collection, "folder"))
      << "\n  " << counted(count("ready"), "file", "files") << " searchable, "
      << counted(count("passages"), "passage", "passages");
  if (count("queued") > 0) out << ", " << count("queued") << " waiting";
  if (count("skipped") > 0) out << ", " << count("skipped") << " without text";
  if (count("failed") > 0) out << ", " << count("failed") << " failed";
  const std::string state = text_field(collection, "state");
  if (state != "active") out << "\n  " << state;
  const std::string reason = text_field(collection, "reason");
  if (!reason.empty()) out << "\n  " << visible(reason);
  const std::string limitation = text_field(collection, "limitation");
  if (!limitation.empty()) out << "\n  " << visible(limitation);
  put_passed_over(out, collection);
  return out.str();
}

}  // namespace parley::app::cli
