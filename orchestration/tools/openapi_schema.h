#pragma once
// Schemas of an OpenAPI description as plain JSON Schema: local references written out, OpenAPI's own
// keywords translated or dropped, descriptions cut. One object per operation, used by one thread. A hostile
// description (references in circles, doubling at each level) ends at the budget; `problem` says so.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::tools {

class OpenApiSchemas {
 public:
  static constexpr std::size_t kMaxBytes = 65536;  // of all schemas of an operation, written out

  // `document` outlives the object.
  explicit OpenApiSchemas(const inference::json::JsonValue& document) : document_(document) {}

  // What a "$ref" leads to, or the value itself; null where it leads nowhere, with a problem.
  const inference::json::JsonValue* target_of(const inference::json::JsonValue& value);

  // Where a schema contains itself, only its type is told.
  inference::json::JsonValue written_out(const inference::json::JsonValue& schema);

  const std::string& problem() const { return problem_; }  // a sentence; empty while all is well

 private:
  inference::json::JsonValue reference(const inference::json::JsonObject& schema, std::string_view pointer);
  inference::json::JsonObject keywords(const inference::json::JsonObject& schema);
  inference::json::JsonValue keyword(std::string_view key, const inference::json::JsonValue& value);
  inference::json::JsonValue list(const inference::json::JsonValue& schemas);
  inference::json::JsonValue named(const inference::json::JsonValue& schemas);
  bool spend(std::size_t bytes);
  bool spend_on(const inference::json::JsonValue& value);

  const inference::json::JsonValue& document_;
  std::vector<std::string> open_references_;
  std::size_t depth_ = 0;
  std::size_t spent_ = 0;
  std::string problem_;
};

// A description for a model: at most that many bytes, whole characters, "…" where something was cut.
std::string short_description(std::string_view text, std::size_t max_bytes);

}  // namespace parley::orchestration::tools
