#pragma once
// x.name, x[key], x[a:b:c] and iteration, in the order in which Jinja looks: a name is an attribute first and
// an item second, a key the other way round. What is missing is undefined; an attribute of undefined ends the
// render. On the render's thread.

#include <memory>
#include <optional>
#include <string_view>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

// `name` must last until the render ends.
Value attribute_of(Interpreter& interpreter, const Value& base, std::string_view name);
Value item_of(Interpreter& interpreter, const Value& base, const Value& key);

struct SliceBounds {
  Value start, stop,
      step;  // none or integers; undefined ends the render, anything else makes the slice undefined
};
Value slice_of(Interpreter& interpreter, const Value& base, const SliceBounds& bounds);

// What a for loop sees: items of lists, keys of dicts, code points of texts. Uses up generators.
// The result does not change when the template changes the list.
std::shared_ptr<const List> iterate(Interpreter& interpreter, const Value& value);
bool iterable(const Value& value);

// Number of items, keys or code points; absent for what has no length.
std::optional<std::size_t> length_of(Interpreter& interpreter, const Value& value);

// The path "a.b.0" that filters take as `attribute`, or a number. What is missing on the way is `fallback`,
// unless that is none.
Value follow_path(Interpreter& interpreter, const Value& base, const Value& path,
                  const Value& fallback = Value::none());

}  // namespace parley::orchestration::jinja
