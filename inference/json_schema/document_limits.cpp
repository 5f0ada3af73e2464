#include "inference/json_schema/document_limits.h"

#include <string>
#include <vector>

namespace parley::inference::json_schema {
namespace {

using json::JsonValue;

struct Pending {
  const JsonValue* value = nullptr;
  std::size_t depth = 0;
};

void add_children(const Pending& parent, std::vector<Pending>& pending) {
  if (const auto* array = parent.value->if_array()) {
    for (const JsonValue& element : *array) pending.push_back({&element, parent.depth + 1});
  } else if (const auto* object = parent.value->if_object()) {
    for (const auto& member : *object) pending.push_back({&member.value(), parent.depth + 1});
  }
}

}  // namespace

std::optional<SchemaError> check_limits(const JsonValue& document, const SchemaOptions& options) {
  std::vector<Pending> pending{{&document, 0}};
  std::size_t seen = 0;
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    if (next.depth > options.max_schema_depth) {
      return SchemaError{.place = {},
                         .message = "The schema is nested deeper than " +
                                    std::to_string(options.max_schema_depth) + " levels."};
    }
    if (++seen > options.max_schema_values) {
      return SchemaError{
          .place = {},
          .message = "The schema holds more than " + std::to_string(options.max_schema_values) + " values."};
    }
    add_children(next, pending);
  }
  return std::nullopt;
}

}  // namespace parley::inference::json_schema
