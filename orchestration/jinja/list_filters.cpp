// Filters that make lists or pick items.

#include <algorithm>
#include <string>
#include <utility>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/container_operations.h"
#include "orchestration/jinja/filters.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

enum class LetterCases : bool { equal, differ };

bool given(const BoundArguments& bound, std::size_t index) {
  return bound.has(index) && !bound[index].is(Kind::none);
}

Value filter_list(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"list", {}});
  return interpreter.make_list(iterate(interpreter, input)->items);
}

Value filter_items(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"items", {}});
  if (input.is(Kind::undefined)) return interpreter.make_list({}, Sequence::generator);
  if (!input.is(Kind::dict)) interpreter.fail("Can only get item pairs from a mapping.");
  return interpreter.make_list(items_of(interpreter, *input.as_dict()), Sequence::generator);
}

Value filter_first(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"first", {}});
  if (input.is(Kind::text)) return item_of(interpreter, input, Value::integer(0));
  const auto items = iterate(interpreter, input);
  return items->items.empty() ? Value() : items->items.front();
}

Value filter_last(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"last", {}});
  if (input.is(Kind::text)) return item_of(interpreter, input, Value::integer(-1));
  const auto items = iterate(interpreter, input);
  return items->items.empty() ? Value() : items->items.back();
}

Value filter_reverse(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"reverse", {}});
  if (input.is(Kind::text)) {
    return slice_of(interpreter, input, {Value::none(), Value::none(), Value::integer(-1)});
  }
  ValueList items = iterate(interpreter, input)->items;
  std::reverse(items.begin(), items.end());
  return interpreter.make_list(std::move(items), Sequence::generator);
}

// The attributes "a,b" of an item, as one value to order by.
Value sort_key(Interpreter& interpreter, const Value& item, const ValueList& paths, LetterCases cases) {
  ValueList keys;
  for (const Value& path : paths) {
    const Value key = follow_path(interpreter, item, path);
    keys.push_back(cases == LetterCases::differ ? key : ignore_case(interpreter, key));
  }
  return interpreter.make_list(std::move(keys));
}

ValueList sort_paths(Interpreter& interpreter, const Value& attribute) {
  if (!attribute.is(Kind::text)) return {attribute};
  const Text& names = attribute.as_text();
  ValueList paths;
  for (std::size_t begin = 0; begin <= names.size();) {
    interpreter.step();
    const std::size_t end = std::min(names.view().find(',', begin), names.size());
    paths.emplace_back(names.substring(begin, end));
    begin = end + 1;
  }
  return paths;
}

Value filter_sort(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"sort", {"reverse", "case_sensitive", "attribute"}});
  const auto items = iterate(interpreter, input);
  const ValueList paths = given(bound, 2) ? sort_paths(interpreter, bound[2]) : ValueList();
  const LetterCases cases = bound.flag(1) ? LetterCases::differ : LetterCases::equal;
  ValueList keys;
  for (const Value& item : items->items) {
    if (paths.empty()) {
      keys.push_back(cases == LetterCases::differ ? item : ignore_case(interpreter, item));
    } else {
      keys.push_back(sort_key(interpreter, item, paths, cases));
    }
  }
  return interpreter.make_list(sorted_by(interpreter, items->items, keys, {.reverse = bound.flag(0)}));
}

Value filter_dictsort(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"dictsort", {"case_sensitive", "by", "reverse"}});
  if (!input.is(Kind::dict))
    interpreter.fail("dictsort needs a mapping, not '" + std::string(type_name(input)) + "'");
  const std::string by = bound.has(1) ? std::string(bound.text(1).view()) : "key";
  if (by != "key" && by != "value") interpreter.fail("You can only sort by either \"key\" or \"value\"");
  ValueList keys;
  for (const auto& [key, value] : input.as_dict()->entries()) {
    const Value& wanted = by == "key" ? key : value;
    keys.push_back(bound.flag(0) ? wanted : ignore_case(interpreter, wanted));
  }
  const ValueList pairs = items_of(interpreter, *input.as_dict());
  return interpreter.make_list(sorted_by(interpreter, pairs, keys, {.reverse = bound.flag(2)}));
}

// What makes two items the same for `unique`, for items that can be dictionary keys.
Value identity_of(Interpreter& interpreter, const Value& item, const BoundArguments& bound) {
  const Value key = given(bound, 1) ? follow_path(interpreter, item, bound[1]) : item;
  Value identity = bound.flag(0) ? key : ignore_case(interpreter, key);
  if (!Dict::hashable(identity) && !identity.is(Kind::undefined)) {
    interpreter.fail("unhashable type: '" + std::string(type_name(identity)) + "'");
  }
  return identity;
}

Value filter_unique(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"unique", {"case_sensitive", "attribute"}});
  Dict seen;
  bool seen_undefined = false;
  ValueList kept;
  const auto items = iterate(interpreter, input);
  for (const Value& item : items->items) {
    interpreter.step();
    const Value identity = identity_of(interpreter, item, bound);
    const bool undefined = identity.is(Kind::undefined);
    if (!undefined) interpreter.charge_entry(identity);
    const bool repeated = undefined ? std::exchange(seen_undefined, true) : seen.find(identity) != nullptr;
    if (repeated) continue;
    kept.push_back(item);
    if (!undefined) seen.set(identity, Value::none());
  }
  return interpreter.make_list(std::move(kept), Sequence::generator);
}

enum class Extreme : std::uint8_t { smallest, largest };

template <Extreme extreme>
Value filter_extreme(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments,
                             {extreme == Extreme::smallest ? "min" : "max", {"case_sensitive", "attribute"}});
  Value best;
  Value best_key;
  bool first = true;
  const auto items = iterate(interpreter, input);
  for (const Value& item : items->items) {
    Value key = given(bound, 1) ? follow_path(interpreter, item, bound[1]) : item;
    if (!bound.flag(0)) key = ignore_case(interpreter, key);
    const bool better = first || (extreme == Extreme::smallest ? less(interpreter, key, best_key)
                                                               : less(interpreter, best_key, key));
    if (!better) continue;
    first = false;
    best = item;
    best_key = key;
  }
  return best;
}

Value filter_batch(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"batch", {"linecount", "fill_with"}, 1});
  const auto size = static_cast<std::size_t>(std::clamp<std::int64_t>(bound.integer(0, 0), 1, 1'000'000));
  const auto items = iterate(interpreter, input);
  ValueList batches;
  for (std::size_t begin = 0; begin < items->items.size(); begin += size) {
    const std::size_t end = std::min(begin + size, items->items.size());
    ValueList batch(items->items.begin() + static_cast<std::ptrdiff_t>(begin),
                    items->items.begin() + static_cast<std::ptrdiff_t>(end));
    if (given(bound, 1)) {
      interpreter.charge_items(size);
      batch.resize(size, bound[1]);
    }
    batches.push_back(interpreter.make_list(std::move(batch)));
  }
  return interpreter.make_list(std::move(batches), Sequence::generator);
}

}  // namespace

const FilterTable& list_filters() {
  static const FilterTable kFilters = {
      {"batch", filter_batch},
      {"dictsort", filter_dictsort},
      {"first", filter_first},
      {"items", filter_items},
      {"last", filter_last},
      {"list", filter_list},
      {"max", filter_extreme<Extreme::largest>},
      {"min", filter_extreme<Extreme::smallest>},
      {"reverse", filter_reverse},
      {"sort", filter_sort},
      {"unique", filter_unique},
  };
  return kFilters;
}

}  // namespace parley::orchestration::jinja
