#include "orchestration/jinja/comparison.h"

#include <algorithm>
#include <string>

#include "orchestration/jinja/arithmetic.h"
#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

// Wide enough for every 64-bit integer and every double.
long double exact_number(const Value& value) {
  if (value.is(Kind::floating)) return value.as_floating();
  return value.is(Kind::boolean) ? value.as_boolean() : value.as_integer();
}

bool equal_lists(Interpreter& interpreter, const List& left, const List& right) {
  if (left.sequence != right.sequence || left.items.size() != right.items.size()) return false;
  for (std::size_t i = 0; i < left.items.size(); ++i) {
    if (!equal(interpreter, left.items[i], right.items[i])) return false;
  }
  return true;
}

bool equal_dicts(Interpreter& interpreter, const Dict& left, const Dict& right) {
  if (left.size() != right.size()) return false;
  for (const auto& [key, value] : left.entries()) {
    if (key.is(Kind::text)) interpreter.work(2 * key.as_text().size());
    const Value* other = right.find(key);
    if (other == nullptr || !equal(interpreter, value, *other)) return false;
  }
  return true;
}

bool less_lists(Interpreter& interpreter, const List& left, const List& right) {
  const std::size_t common = std::min(left.items.size(), right.items.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (!equal(interpreter, left.items[i], right.items[i]))
      return less(interpreter, left.items[i], right.items[i]);
  }
  return left.items.size() < right.items.size();
}

bool equal_texts(Interpreter& interpreter, std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  interpreter.work(left.size());
  return left == right;
}

bool less_or_equal(Interpreter& interpreter, const Value& left, const Value& right) {
  return less(interpreter, left, right) || equal(interpreter, left, right);
}

}  // namespace

bool truthy(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
    case Kind::none:
      return false;
    case Kind::boolean:
      return value.as_boolean();
    case Kind::integer:
      return value.as_integer() != 0;
    case Kind::floating:
      return value.as_floating() != 0;
    case Kind::text:
      return !value.as_text().empty();
    case Kind::list:
      return value.as_list()->sequence == Sequence::generator || !value.as_list()->items.empty();
    case Kind::dict:
      return value.as_dict()->size() > 0;
    case Kind::object:
      return true;
  }
  return true;
}

bool equal(Interpreter& interpreter, const Value& left, const Value& right) {
  interpreter.step();
  if (is_number(left) && is_number(right)) return exact_number(left) == exact_number(right);
  if (left.kind() != right.kind()) return false;
  const Nesting nesting(interpreter);
  switch (left.kind()) {
    case Kind::text:
      return equal_texts(interpreter, left.as_text().view(), right.as_text().view());
    case Kind::list:
      return left.as_list() == right.as_list() || equal_lists(interpreter, *left.as_list(), *right.as_list());
    case Kind::dict:
      return left.as_dict() == right.as_dict() || equal_dicts(interpreter, *left.as_dict(), *right.as_dict());
    case Kind::object:
      return left.as_object() == right.as_object();
    default:
      return true;
  }
}

bool less(Interpreter& interpreter, const Value& left, const Value& right) {
  interpreter.step();
  if (is_number(left) && is_number(right)) return exact_number(left) < exact_number(right);
  if (left.is(Kind::text) && right.is(Kind::text)) {
    interpreter.work(left.as_text().size());
    return left.as_text().view() < right.as_text().view();
  }
  if (left.is(Kind::list) && right.is(Kind::list) && left.as_list()->sequence == right.as_list()->sequence) {
    const Nesting nesting(interpreter);
    return less_lists(interpreter, *left.as_list(), *right.as_list());
  }
  for (const Value* side : {&left, &right}) {
    if (side->is(Kind::undefined)) interpreter.fail(describe(side->as_undefined()));
  }
  interpreter.fail("'" + std::string(type_name(left)) + "' and '" + std::string(type_name(right)) +
                   "' cannot be ordered");
}

bool contains(Interpreter& interpreter, const Value& container, const Value& item) {
  switch (container.kind()) {
    case Kind::undefined:
      return false;
    case Kind::text:
      if (!item.is(Kind::text)) {
        interpreter.fail("'in <string>' requires string as left operand, not " +
                         std::string(type_name(item)));
      }
      interpreter.work(2 * container.as_text().size());
      return find_bytes(container.as_text().view(), item.as_text().view(), 0) != std::string_view::npos;
    case Kind::list:
      for (const Value& candidate : container.as_list()->items) {
        if (equal(interpreter, candidate, item)) return true;
      }
      return false;
    case Kind::dict:
      if (!Dict::hashable(item)) interpreter.fail("unhashable type: '" + std::string(type_name(item)) + "'");
      if (item.is(Kind::text)) interpreter.work(item.as_text().size());
      return container.as_dict()->find(item) != nullptr;
    default:
      interpreter.fail("argument of type '" + std::string(type_name(container)) + "' is not iterable");
  }
}

bool compare(Interpreter& interpreter, Comparison comparison, const Value& left, const Value& right) {
  switch (comparison) {
    case Comparison::equal:
      return equal(interpreter, left, right);
    case Comparison::not_equal:
      return !equal(interpreter, left, right);
    case Comparison::less:
      return less(interpreter, left, right);
    case Comparison::less_equal:
      return less_or_equal(interpreter, left, right);
    case Comparison::greater:
      return less(interpreter, right, left);
    case Comparison::greater_equal:
      return less_or_equal(interpreter, right, left);
    case Comparison::in:
      return contains(interpreter, right, left);
    case Comparison::not_in:
      return !contains(interpreter, right, left);
  }
  return false;
}

}  // namespace parley::orchestration::jinja
