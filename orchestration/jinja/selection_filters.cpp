// map, select, reject, selectattr, rejectattr: filters that apply another filter or a test to each item.

#include <utility>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/filters.h"
#include "orchestration/jinja/python_text.h"
#include "orchestration/jinja/value_tests.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

Arguments without_first(const Arguments& arguments, std::size_t count) {
  Arguments rest;
  rest.positional.assign(arguments.positional.begin() + static_cast<std::ptrdiff_t>(count),
                         arguments.positional.end());
  rest.keyword = arguments.keyword;
  return rest;
}

const Text& name_argument(Interpreter& interpreter, const Value& value) {
  if (!value.is(Kind::text)) interpreter.fail("the name of a filter or test is text");
  return value.as_text();
}

Value map_attribute(Interpreter& interpreter, const List& items, const Arguments& arguments) {
  Value path;
  Value fallback = Value::none();
  for (const auto& [name, value] : arguments.keyword) {
    if (name.view() == "attribute") {
      path = value;
    } else if (name.view() == "default") {
      fallback = value;
    } else {
      interpreter.fail("Unexpected keyword argument '" + std::string(name.view()) + "'");
    }
  }
  if (path.is(Kind::undefined)) interpreter.fail("map requires a filter argument");
  ValueList mapped;
  for (const Value& item : items.items) {
    interpreter.step();
    mapped.push_back(follow_path(interpreter, item, path, fallback));
  }
  return interpreter.make_list(std::move(mapped), Sequence::generator);
}

Value filter_map(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  if (!truthy(input)) return interpreter.make_list({}, Sequence::generator);  // none too, as in Jinja
  const auto items = iterate(interpreter, input);
  if (arguments.positional.empty()) return map_attribute(interpreter, *items, arguments);
  const Text& name = name_argument(interpreter, arguments.positional[0]);
  const Arguments rest = without_first(arguments, 1);
  ValueList mapped;
  for (const Value& item : items->items) mapped.push_back(apply_filter(interpreter, name.view(), item, rest));
  return interpreter.make_list(std::move(mapped), Sequence::generator);
}

struct Selection {
  bool by_attribute = false;
  bool wanted = true;
};

Value choose(Interpreter& interpreter, const Value& input, const Arguments& arguments, Selection selection) {
  if (!truthy(input)) return interpreter.make_list({}, Sequence::generator);
  const std::size_t offset = selection.by_attribute ? 1 : 0;
  if (arguments.positional.size() < offset) interpreter.fail("Missing parameter for attribute name");
  const bool tested = arguments.positional.size() > offset;
  const Text test = tested ? name_argument(interpreter, arguments.positional[offset]) : Text();
  const Arguments rest = tested ? without_first(arguments, offset + 1) : Arguments();
  ValueList chosen;
  const auto items = iterate(interpreter, input);
  for (const Value& item : items->items) {
    interpreter.step();
    const Value subject =
        selection.by_attribute ? follow_path(interpreter, item, arguments.positional[0]) : item;
    const bool passes = tested ? apply_test(interpreter, test.view(), subject, rest) : truthy(subject);
    if (passes == selection.wanted) chosen.push_back(item);
  }
  return interpreter.make_list(std::move(chosen), Sequence::generator);
}

Value filter_select(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  return choose(interpreter, input, arguments, {.by_attribute = false, .wanted = true});
}

Value filter_reject(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  return choose(interpreter, input, arguments, {.by_attribute = false, .wanted = false});
}

Value filter_selectattr(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  return choose(interpreter, input, arguments, {.by_attribute = true, .wanted = true});
}

Value filter_rejectattr(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  return choose(interpreter, input, arguments, {.by_attribute = true, .wanted = false});
}

}  // namespace

const FilterTable& selection_filters() {
  static const FilterTable kFilters = {
      {"map", filter_map},       {"reject", filter_reject},         {"rejectattr", filter_rejectattr},
      {"select", filter_select}, {"selectattr", filter_selectattr},
  };
  return kFilters;
}

}  // namespace parley::orchestration::jinja
