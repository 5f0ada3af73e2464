// Filters that convert or replace whole values.

#include <string>

#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/filters.h"
#include "orchestration/jinja/json_text.h"
#include "orchestration/jinja/parse_json.h"
#include "orchestration/jinja/python_text.h"
#include "orchestration/jinja/text_operations.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

Value filter_default(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"default", {"default_value", "boolean"}});
  const bool replaced = input.is(Kind::undefined) || (bound.flag(1) && !truthy(input));
  if (!replaced) return input;
  return bound.has(0) ? bound[0] : Value(Text());
}

std::string json_indent(Interpreter& interpreter, const Value& indent) {
  if (indent.is(Kind::text)) {
    interpreter.charge(indent.as_text().size());
    return std::string(indent.as_text().view());
  }
  if (!indent.is(Kind::integer) && !indent.is(Kind::boolean))
    interpreter.fail("tojson: indent is a number or text");
  const std::int64_t width = indent.is(Kind::integer) ? indent.as_integer() : indent.as_boolean();
  return std::string(pad(interpreter, Text(), width, Side::left, " ").view());
}

void set_separators(Interpreter& interpreter, const Value& separators, JsonFormat& format) {
  const bool pair = separators.is(Kind::list) && separators.as_list()->items.size() == 2;
  if (!pair) interpreter.fail("tojson: separators is a pair of texts");
  const Text between_items = to_text(interpreter, separators.as_list()->items[0]);
  const Text behind_keys = to_text(interpreter, separators.as_list()->items[1]);
  interpreter.charge(between_items.size() + behind_keys.size());
  format.item_separator = between_items.view();
  format.key_separator = behind_keys.view();
}

Value filter_tojson(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments,
                             {"tojson", {"ensure_ascii", "indent", "separators", "sort_keys"}});
  JsonFormat format;
  format.ensure_ascii = bound.flag(0);
  format.sort_keys = bound.flag(3);
  if (bound.has(1) && !bound[1].is(Kind::none)) {
    format.indent = json_indent(interpreter, bound[1]);
    format.item_separator = ",";
  }
  if (bound.has(2) && !bound[2].is(Kind::none)) set_separators(interpreter, bound[2], format);
  return to_json_text(interpreter, input, format);
}

// Data stays data: every string of the result has the origin of the text's first byte that is not the
// template's.
Value filter_from_json(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"from_json", {}});
  if (!input.is(Kind::text))
    interpreter.fail("from_json needs text, not '" + std::string(type_name(input)) + "'");
  const Text& text = input.as_text();
  Origin origin = kTemplateOrigin;
  text.for_each_run(
      [&origin](std::string_view, Origin run) { origin = origin == kTemplateOrigin ? run : origin; });
  constexpr std::size_t kBytesPerByte = 40;  // of parsed values, for a byte of text such as "[0,0,0,"
  interpreter.charge(text.size(), kBytesPerByte);
  auto parsed = parse_json(text.view(), origin);
  if (!parsed) interpreter.fail("from_json: the text is not valid JSON");
  return *std::move(parsed);
}

}  // namespace

const FilterTable& value_filters() {
  static const FilterTable kFilters = {
      {"d", filter_default},          {"default", filter_default}, {"from_json", filter_from_json},
      {"fromjson", filter_from_json}, {"tojson", filter_tojson},
  };
  return kFilters;
}

}  // namespace parley::orchestration::jinja
