// Methods of dict and list.

#include <unordered_map>
#include <utility>

#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/container_operations.h"
#include "orchestration/jinja/methods.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

Value dict_get(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"dict.get()", {"key", "default"}, 1});
  if (!Dict::hashable(bound[0])) {
    if (bound[0].is(Kind::undefined)) return bound.has(1) ? bound[1] : Value::none();
    interpreter.fail("unhashable type: '" + std::string(type_name(bound[0])) + "'");
  }
  if (bound[0].is(Kind::text)) interpreter.work(2 * bound[0].as_text().size());
  if (const Value* found = receiver.as_dict()->find(bound[0])) return *found;
  return bound.has(1) ? bound[1] : Value::none();
}

Value dict_items(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"dict.items()", {}});
  return interpreter.make_list(items_of(interpreter, *receiver.as_dict()), Sequence::view);
}

Value dict_keys(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"dict.keys()", {}});
  ValueList keys;
  for (const auto& [key, value] : receiver.as_dict()->entries()) keys.push_back(key);
  return interpreter.make_list(std::move(keys), Sequence::view);
}

Value dict_values(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"dict.values()", {}});
  ValueList values;
  for (const auto& [key, value] : receiver.as_dict()->entries()) values.push_back(value);
  return interpreter.make_list(std::move(values), Sequence::view);
}

Value dict_copy(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"dict.copy()", {}});
  return interpreter.make_dict(*receiver.as_dict());
}

List& changeable(Interpreter& interpreter, const Value& receiver, std::string_view method) {
  List& list = *receiver.as_list();
  if (list.frozen || list.sequence != Sequence::list) {
    interpreter.fail("'" + std::string(method) + "' would change a value that was handed to the template");
  }
  return list;
}

Value list_append(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"list.append()", {"item"}, 1});
  interpreter.charge_items(1);
  changeable(interpreter, receiver, "append").items.push_back(bound[0]);
  return Value::none();
}

Value list_pop(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"list.pop()", {"index"}});
  ValueList& items = changeable(interpreter, receiver, "pop").items;
  std::int64_t index = bound.integer(0, -1);
  const auto size = static_cast<std::int64_t>(items.size());
  if (index < 0 && index >= -size) index += size;
  if (index < 0 || index >= size) interpreter.fail("pop index out of range");
  interpreter.work(items.size() * sizeof(Value));
  Value popped = items[static_cast<std::size_t>(index)];
  items.erase(items.begin() + index);
  return popped;
}

Value list_index(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"list.index()", {"item"}, 1});
  const ValueList& items = receiver.as_list()->items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (equal(interpreter, items[i], bound[0])) return Value::integer(static_cast<std::int64_t>(i));
  }
  interpreter.fail("the value is not in the list");
}

Value list_count(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"list.count()", {"item"}, 1});
  std::int64_t count = 0;
  for (const Value& item : receiver.as_list()->items) count += equal(interpreter, item, bound[0]) ? 1 : 0;
  return Value::integer(count);
}

Value list_copy(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"list.copy()", {}});
  return interpreter.make_list(receiver.as_list()->items);
}

using MethodTable = std::unordered_map<std::string_view, Method>;

Method look_up(const MethodTable& table, std::string_view name) {
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace

Method find_dict_method(std::string_view name) {
  static const MethodTable kMethods = {
      {"copy", dict_copy}, {"get", dict_get},       {"items", dict_items},
      {"keys", dict_keys}, {"values", dict_values},
  };
  return look_up(kMethods, name);
}

Method find_list_method(std::string_view name) {
  static const MethodTable kMethods = {
      {"append", list_append}, {"copy", list_copy}, {"count", list_count},
      {"index", list_index},   {"pop", list_pop},
  };
  return look_up(kMethods, name);
}

}  // namespace parley::orchestration::jinja
