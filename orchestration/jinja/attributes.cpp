#include "orchestration/jinja/attributes.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/methods.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

std::optional<std::int64_t> index_from(const Value& key) {
  if (key.is(Kind::integer)) return key.as_integer();
  if (key.is(Kind::boolean)) return key.as_boolean() ? 1 : 0;
  return std::nullopt;
}

// Python's negative indices; absent when outside.
std::optional<std::size_t> position(std::int64_t index, std::size_t size) {
  if (index < 0) index += static_cast<std::int64_t>(size);
  if (index < 0 || index >= static_cast<std::int64_t>(size)) return std::nullopt;
  return static_cast<std::size_t>(index);
}

// Walks from the nearer end, so that text[0] and text[-1] cost the same for any length.
std::optional<Value> text_item(Interpreter& interpreter, const Text& text, std::int64_t index) {
  const std::string_view bytes = text.view();
  std::size_t begin = index < 0 ? bytes.size() : 0;
  for (; index > 0 && begin < bytes.size(); --index) begin += code_point_at(bytes, begin).size;
  for (; index < 0 && begin > 0; ++index) begin = start_of_last(bytes, 0, begin);
  interpreter.work(4 * std::min(begin, bytes.size() - begin));
  if (index != 0 || begin == bytes.size()) return std::nullopt;
  return text.substring(begin, begin + code_point_at(bytes, begin).size);
}

// base[key] alone, without falling back to attributes.
std::optional<Value> plain_item(Interpreter& interpreter, const Value& base, const Value& key) {
  if (base.is(Kind::dict)) {
    if (!Dict::hashable(key)) return std::nullopt;
    const Value* found = base.as_dict()->find(key);
    return found == nullptr ? std::nullopt : std::optional<Value>(*found);
  }
  const auto index = index_from(key);
  if (!index) return std::nullopt;
  if (base.is(Kind::text)) return text_item(interpreter, base.as_text(), *index);
  if (!base.is(Kind::list) || base.as_list()->sequence > Sequence::tuple) return std::nullopt;
  const ValueList& items = base.as_list()->items;
  const auto at = position(*index, items.size());
  return at ? std::optional<Value>(items[*at]) : std::nullopt;
}

std::optional<Value> plain_attribute(Interpreter& interpreter, const Value& base, std::string_view name) {
  if (base.is(Kind::object)) return base.as_object()->attribute(interpreter, name);
  return bound_method(interpreter, base, name);
}

void refuse_undefined(Interpreter& interpreter, const Value& base) {
  if (base.is(Kind::undefined)) interpreter.fail(describe(base.as_undefined()));
}

struct Range {
  std::int64_t start = 0, stop = 0, step = 1;
};

std::int64_t clamp_bound(const Value& bound, std::int64_t fallback, std::int64_t size, std::int64_t step) {
  const auto wanted = index_from(bound);
  if (!wanted) return fallback;
  std::int64_t index = *wanted;
  if (index < 0) index = index < -size ? -1 : index + size;
  const std::int64_t lowest = step < 0 ? -1 : 0;
  const std::int64_t highest = step < 0 ? size - 1 : size;
  return std::clamp(index, lowest, std::max(lowest, highest));
}

// An undefined bound is an error, any other that is no integer makes the slice undefined.
bool are_bounds(Interpreter& interpreter, const SliceBounds& bounds) {
  bool integers = true;
  for (const Value* bound : {&bounds.start, &bounds.stop, &bounds.step}) {
    refuse_undefined(interpreter, *bound);
    integers = integers && (bound->is(Kind::none) || index_from(*bound));
  }
  return integers;
}

Range resolve(Interpreter& interpreter, const SliceBounds& bounds, std::size_t num_items) {
  const auto size = static_cast<std::int64_t>(num_items);
  Range range;
  range.step = index_from(bounds.step).value_or(1);
  if (range.step == 0) interpreter.fail("slice step cannot be zero");
  // As far as it can matter, without overflow later.
  range.step = std::clamp(range.step, -size - 1, size + 1);
  range.start = clamp_bound(bounds.start, range.step < 0 ? size - 1 : 0, size, range.step);
  range.stop = clamp_bound(bounds.stop, range.step < 0 ? -1 : size, size, range.step);
  return range;
}

template <typename Visit>
void visit_range(const Range& range, Visit&& visit) {
  if (range.step > 0) {
    for (std::int64_t i = range.start; i < range.stop; i += range.step) visit(static_cast<std::size_t>(i));
  } else {
    for (std::int64_t i = range.start; i > range.stop; i += range.step) visit(static_cast<std::size_t>(i));
  }
}

Text slice_text(Interpreter& interpreter, const Text& text, const SliceBounds& bounds) {
  const std::string_view bytes = text.view();
  interpreter.work(3 * bytes.size());
  const Range range = resolve(interpreter, bounds, count_code_points(bytes));
  if (range.step == 1) {
    const std::size_t begin = offset_of_code_point(bytes, static_cast<std::size_t>(range.start));
    const std::size_t end = offset_of_code_point(bytes, static_cast<std::size_t>(range.stop));
    return text.substring(begin, std::max(begin, end));
  }
  const auto characters = iterate(interpreter, text);
  interpreter.charge(bytes.size());
  TextBuilder builder;
  visit_range(range, [&](std::size_t i) { builder.append(characters->items[i].as_text()); });
  return builder.take();
}

std::shared_ptr<const List> characters_of(Interpreter& interpreter, const Text& text) {
  interpreter.work(2 * text.size());
  interpreter.charge_items(count_code_points(text.view()));
  auto list = std::make_shared<List>();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = code_point_at(text.view(), at).size;
    list->items.emplace_back(text.substring(at, at + size));
    at += size;
  }
  return list;
}

std::shared_ptr<const List> items_of_list(Interpreter& interpreter, const std::shared_ptr<List>& list) {
  if (list->frozen) return list;
  auto copy = std::make_shared<List>();
  interpreter.charge_items(list->items.size());
  if (list->sequence == Sequence::generator) {
    copy->items.swap(list->items);
  } else {
    copy->items = list->items;
  }
  return copy;
}

// A part of a path: digits are an index.
Value path_part(const Text& name) {
  const std::string_view digits = name.view();
  std::int64_t index = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool number = !digits.empty() && digits[0] != '-' && parsed.ec == std::errc() &&
                      parsed.ptr == digits.data() + digits.size();
  return number ? Value::integer(index) : Value(name);
}

}  // namespace

Value attribute_of(Interpreter& interpreter, const Value& base, std::string_view name) {
  refuse_undefined(interpreter, base);
  if (auto found = plain_attribute(interpreter, base, name)) return *std::move(found);
  if (base.is(Kind::dict)) {
    if (const Value* found = base.as_dict()->find(name)) return *found;
  }
  Undefined missing;
  missing.owner = type_name(base);
  missing.name = name;
  return missing;
}

Value item_of(Interpreter& interpreter, const Value& base, const Value& key) {
  refuse_undefined(interpreter, base);
  if (key.is(Kind::text)) interpreter.work(2 * key.as_text().size());
  if (auto found = plain_item(interpreter, base, key)) return *std::move(found);
  if (key.is(Kind::text)) {
    const std::string_view name = interpreter.intern(key.as_text().view());
    if (auto found = plain_attribute(interpreter, base, name)) return *std::move(found);
    Undefined missing;
    missing.owner = type_name(base);
    missing.name = name;
    return missing;
  }
  Undefined missing;
  missing.owner = type_name(base);
  missing.name = interpreter.intern(to_text(interpreter, key).view());
  return missing;
}

Value slice_of(Interpreter& interpreter, const Value& base, const SliceBounds& bounds) {
  refuse_undefined(interpreter, base);
  const bool is_list = base.is(Kind::list) && base.as_list()->sequence <= Sequence::tuple;
  const bool sliceable = is_list || base.is(Kind::text);
  if (!sliceable || !are_bounds(interpreter, bounds)) return Undefined();
  if (base.is(Kind::text)) return slice_text(interpreter, base.as_text(), bounds);
  const List& list = *base.as_list();
  const Range range = resolve(interpreter, bounds, list.items.size());
  ValueList items;
  visit_range(range, [&](std::size_t i) { items.push_back(list.items[i]); });
  return interpreter.make_list(std::move(items), list.sequence);
}

bool iterable(const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
    case Kind::text:
    case Kind::list:
    case Kind::dict:
      return true;
    default:
      return false;
  }
}

std::shared_ptr<const List> iterate(Interpreter& interpreter, const Value& value) {
  if (value.is(Kind::list)) return items_of_list(interpreter, value.as_list());
  if (value.is(Kind::text)) return characters_of(interpreter, value.as_text());
  auto list = std::make_shared<List>();
  if (value.is(Kind::dict)) {
    interpreter.charge_items(value.as_dict()->size());
    for (const auto& [key, unused] : value.as_dict()->entries()) list->items.push_back(key);
  } else if (!value.is(Kind::undefined)) {
    interpreter.fail("'" + std::string(type_name(value)) + "' object is not iterable");
  }
  return list;
}

std::optional<std::size_t> length_of(Interpreter& interpreter, const Value& value) {
  switch (value.kind()) {
    case Kind::undefined:
      return 0;
    case Kind::text:
      interpreter.work(value.as_text().size());
      return count_code_points(value.as_text().view());
    case Kind::list:
      if (value.as_list()->sequence == Sequence::generator) return std::nullopt;
      return value.as_list()->items.size();
    case Kind::dict:
      return value.as_dict()->size();
    default:
      return std::nullopt;
  }
}

Value follow_path(Interpreter& interpreter, const Value& base, const Value& path, const Value& fallback) {
  Value value = base;
  const auto take = [&](const Value& key) {
    interpreter.step();
    value = item_of(interpreter, value, key);
    if (value.is(Kind::undefined) && !fallback.is(Kind::none)) value = fallback;
  };
  if (!path.is(Kind::text)) {
    take(path);
    return value;
  }
  const Text& names = path.as_text();
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.view().find('.', begin), names.size());
    take(path_part(names.substring(begin, end)));
    begin = end + 1;
  }
  return value;
}

}  // namespace parley::orchestration::jinja
