#include "orchestration/jinja/container_operations.h"

#include <algorithm>
#include <numeric>

#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/text_operations.h"

namespace parley::orchestration::jinja {

ValueList items_of(Interpreter& interpreter, const Dict& dict) {
  ValueList items;
  items.reserve(dict.size());
  for (const auto& [key, value] : dict.entries()) {
    items.push_back(interpreter.make_list({key, value}, Sequence::tuple));
  }
  return items;
}

Value ignore_case(Interpreter& interpreter, const Value& value) {
  return value.is(Value::Kind::text) ? Value(to_lower(interpreter, value.as_text())) : value;
}

ValueList sorted_by(Interpreter& interpreter, const ValueList& items, const ValueList& keys,
                    SortOrder order) {
  std::vector<std::size_t> places(items.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return order.reverse ? less(interpreter, keys[b], keys[a]) : less(interpreter, keys[a], keys[b]);
  });
  interpreter.charge_items(items.size());
  ValueList sorted;
  sorted.reserve(items.size());
  for (const std::size_t place : places) sorted.push_back(items[place]);
  return sorted;
}

}  // namespace parley::orchestration::jinja
