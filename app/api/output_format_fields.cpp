#include "app/api/output_format_fields.h"

#include <string>
#include <utility>

namespace parley::app::api {
namespace {

using inference::json::JsonObject;
using inference::json::JsonValue;
using orchestration::turn::OutputFormat;
using orchestration::turn::UncheckedParts;
using protocol::FieldReader;

constexpr std::size_t kMaxPatternBytes = 16384;

void read_schema(FieldReader& format, OutputFormat& result) {
  const JsonObject* object = format.optional_object("json_schema");
  if (object == nullptr) return format.refuse("json_schema", "is missing: {\"name\": …, \"schema\": {…}}");
  FieldReader fields(*object, format.path_of("json_schema"));
  const JsonValue* schema = object->if_contains("schema");
  if (schema == nullptr || !(schema->is_object() || schema->is_bool())) {
    fields.refuse("schema", "must be a JSON Schema");
  } else {
    result.kind = OutputFormat::Kind::json_schema;
    result.schema = *schema;
  }
  const bool strict = fields.optional_flag("strict").value_or(true);
  result.unchecked = strict ? UncheckedParts::refuse : UncheckedParts::accept;
  format.adopt(fields.error());
}

void read_response_format(FieldReader& fields, OutputFormat& result) {
  const JsonObject* object = fields.optional_object("response_format");
  if (object == nullptr) return;
  FieldReader format(*object, fields.path_of("response_format"));
  const std::string type = format.text("type");
  if (type == "json_object") {
    result.kind = OutputFormat::Kind::json_object;
  } else if (type == "json_schema") {
    read_schema(format, result);
  } else if (type != "text" && !format.error()) {
    format.refuse("type", "must be text, json_object or json_schema");
  }
  fields.adopt(format.error());
}

}  // namespace

OutputFormat read_output_format(FieldReader& fields) {
  OutputFormat result;
  read_response_format(fields, result);
  auto pattern = fields.optional_text("guided_regex");
  if (!pattern) return result;
  if (result.kind != OutputFormat::Kind::free) {
    fields.refuse("guided_regex", "cannot be asked for together with a response_format");
  } else if (pattern->size() > kMaxPatternBytes) {
    fields.refuse("guided_regex", "must have at most 16384 bytes");
  } else {
    result.kind = OutputFormat::Kind::regex;
    result.pattern = std::move(*pattern);
  }
  return result;
}

}  // namespace parley::app::api
