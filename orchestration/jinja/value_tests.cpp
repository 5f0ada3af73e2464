#include "orchestration/jinja/value_tests.h"

#include <string>
#include <unordered_map>

#include "orchestration/jinja/arithmetic.h"
#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/filters.h"
#include "orchestration/jinja/python_text.h"
#include "orchestration/jinja/text_test_methods.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;
using TestTable = std::unordered_map<std::string_view, Test>;

template <Kind kind>
bool is_kind(Interpreter&, const Value& input, const Arguments&) {
  return input.is(kind);
}

bool is_defined(Interpreter&, const Value& input, const Arguments&) { return !input.is(Kind::undefined); }

bool is_true(Interpreter&, const Value& input, const Arguments&) {
  return input.is(Kind::boolean) && input.as_boolean();
}

bool is_false(Interpreter&, const Value& input, const Arguments&) {
  return input.is(Kind::boolean) && !input.as_boolean();
}

bool is_any_number(Interpreter&, const Value& input, const Arguments&) { return is_number(input); }

bool is_iterable(Interpreter&, const Value& input, const Arguments&) { return iterable(input); }

bool is_sequence_value(Interpreter&, const Value& input, const Arguments&) {
  return iterable(input) && !(input.is(Kind::list) && input.as_list()->sequence > Sequence::tuple);
}

bool is_callable(Interpreter&, const Value& input, const Arguments&) {
  return input.is(Kind::object) && input.as_object()->callable();
}

bool is_escaped(Interpreter&, const Value&, const Arguments&) { return false; }

template <bool (*has_case)(std::string_view)>
bool is_in_case(Interpreter& interpreter, const Value& input, const Arguments&) {
  const Text text = to_text(interpreter, input);
  interpreter.work(8 * text.size());
  return has_case(text.view());
}

bool is_sameas(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"sameas", {"other"}, 1});
  const Value& other = bound[0];
  if (input.kind() != other.kind()) return false;
  if (input.is(Kind::list)) return input.as_list() == other.as_list();
  if (input.is(Kind::dict)) return input.as_dict() == other.as_dict();
  return equal(interpreter, input, other);
}

bool leaves_rest(Interpreter& interpreter, const Value& input, const Value& divisor, std::int64_t rest) {
  const Value found = calculate(interpreter, Arithmetic::modulo, input, divisor);
  return equal(interpreter, found, Value::integer(rest));
}

bool is_odd(Interpreter& interpreter, const Value& input, const Arguments&) {
  return leaves_rest(interpreter, input, Value::integer(2), 1);
}

bool is_even(Interpreter& interpreter, const Value& input, const Arguments&) {
  return leaves_rest(interpreter, input, Value::integer(2), 0);
}

bool is_divisible(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"divisibleby", {"num"}, 1});
  return leaves_rest(interpreter, input, bound[0], 0);
}

// A name that is long is hashed several times.
std::string_view name_of(Interpreter& interpreter, const Text& text) {
  interpreter.work(8 * text.size());
  return text.view();
}

bool is_filter(Interpreter& interpreter, const Value& input, const Arguments&) {
  return input.is(Kind::text) && find_filter(name_of(interpreter, input.as_text())) != nullptr;
}

bool is_test(Interpreter& interpreter, const Value& input, const Arguments&) {
  return input.is(Kind::text) && find_test(name_of(interpreter, input.as_text())) != nullptr;
}

template <Comparison comparison>
bool compares(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"this test", {"other"}, 1});
  return compare(interpreter, comparison, input, bound[0]);
}

const TestTable& comparison_tests() {
  static const TestTable kTests = {
      {"!=", compares<Comparison::not_equal>},     {"<", compares<Comparison::less>},
      {"<=", compares<Comparison::less_equal>},    {"==", compares<Comparison::equal>},
      {">", compares<Comparison::greater>},        {">=", compares<Comparison::greater_equal>},
      {"eq", compares<Comparison::equal>},         {"equalto", compares<Comparison::equal>},
      {"ge", compares<Comparison::greater_equal>}, {"greaterthan", compares<Comparison::greater>},
      {"gt", compares<Comparison::greater>},       {"in", compares<Comparison::in>},
      {"le", compares<Comparison::less_equal>},    {"lessthan", compares<Comparison::less>},
      {"lt", compares<Comparison::less>},          {"ne", compares<Comparison::not_equal>},
  };
  return kTests;
}

const TestTable& property_tests() {
  static const TestTable kTests = {
      {"boolean", is_kind<Kind::boolean>},
      {"callable", is_callable},
      {"defined", is_defined},
      {"divisibleby", is_divisible},
      {"escaped", is_escaped},
      {"even", is_even},
      {"false", is_false},
      {"filter", is_filter},
      {"float", is_kind<Kind::floating>},
      {"integer", is_kind<Kind::integer>},
      {"iterable", is_iterable},
      {"lower", is_in_case<is_lower_text>},
      {"mapping", is_kind<Kind::dict>},
      {"none", is_kind<Kind::none>},
      {"number", is_any_number},
      {"odd", is_odd},
      {"sameas", is_sameas},
      {"sequence", is_sequence_value},
      {"string", is_kind<Kind::text>},
      {"test", is_test},
      {"true", is_true},
      {"undefined", is_kind<Kind::undefined>},
      {"upper", is_in_case<is_upper_text>},
  };
  return kTests;
}

}  // namespace

Test find_test(std::string_view name) {
  for (const TestTable* table : {&property_tests(), &comparison_tests()}) {
    const auto found = table->find(name);
    if (found != table->end()) return found->second;
  }
  return nullptr;
}

bool apply_test(Interpreter& interpreter, std::string_view name, const Value& input,
                const Arguments& arguments) {
  const Test test = find_test(name);
  if (test == nullptr) interpreter.fail("No test named '" + std::string(name) + "'");
  interpreter.step();
  return test(interpreter, input, arguments);
}

}  // namespace parley::orchestration::jinja
