// Methods of str that return text, numbers or parts.

#include <string>
#include <unordered_map>
#include <utility>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/methods.h"
#include "orchestration/jinja/percent_format.h"
#include "orchestration/jinja/split_methods.h"
#include "orchestration/jinja/text_operations.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;
constexpr std::size_t kNotFound = std::string_view::npos;

const Text& required_text(Interpreter& interpreter, const Value& value) {
  if (!value.is(Kind::text)) {
    interpreter.fail("must be str, not " + std::string(type_name(value)));
  }
  return value.as_text();
}

Value strip_side(Interpreter& interpreter, const Value& receiver, const Arguments& arguments, Side side) {
  const BoundArguments bound(interpreter, arguments, {"str.strip()", {"chars"}});
  std::optional<Text> characters;
  if (bound.has(0) && !bound[0].is(Kind::none)) characters = required_text(interpreter, bound[0]);
  return strip(interpreter, receiver.as_text(), characters, side);
}

template <Side side>
Value text_strip(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  return strip_side(interpreter, receiver, arguments, side);
}

enum class End : std::uint8_t { front, back };

bool has_affix(Interpreter& interpreter, std::string_view text, std::string_view affix, End end) {
  interpreter.work(affix.size());
  return end == End::front ? text.starts_with(affix) : text.ends_with(affix);
}

template <End end>
Value text_has_affix(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(
      interpreter, arguments,
      {end == End::front ? "str.startswith()" : "str.endswith()", {"affix", "start", "end"}, 1});
  Text text = receiver.as_text();
  if (bound.has(1)) {
    const SliceBounds bounds = {bound[1], bound.has(2) ? bound[2] : Value::none(), Value::none()};
    const Value part = slice_of(interpreter, receiver, bounds);
    if (!part.is(Kind::text)) interpreter.fail("slice indices must be integers or None");
    text = part.as_text();
  }
  if (bound[0].is(Kind::list) && bound[0].as_list()->sequence == Sequence::tuple) {
    for (const Value& affix : bound[0].as_list()->items) {
      interpreter.step();
      const std::string_view wanted = required_text(interpreter, affix).view();
      if (has_affix(interpreter, text.view(), wanted, end)) return Value::boolean(true);
    }
    return Value::boolean(false);
  }
  return Value::boolean(
      has_affix(interpreter, text.view(), required_text(interpreter, bound[0]).view(), end));
}

template <End end>
Value text_remove_affix(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments,
                             {end == End::front ? "str.removeprefix()" : "str.removesuffix()", {"affix"}, 1});
  const Text& text = receiver.as_text();
  const Text& affix = required_text(interpreter, bound[0]);
  if (!has_affix(interpreter, text.view(), affix.view(), end)) return text;
  return end == End::front ? text.substring(affix.size(), text.size())
                           : text.substring(0, text.size() - affix.size());
}

Value text_replace(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"str.replace()", {"old", "new", "count"}, 2});
  const Text& old_text = required_text(interpreter, bound[0]);
  const Text& new_text = required_text(interpreter, bound[1]);
  return replace(interpreter, receiver.as_text(), old_text, new_text, bound.integer(2, -1));
}

template <Text (*change)(Interpreter&, const Text&)>
Value text_changed(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"this method of str", {}});
  return change(interpreter, receiver.as_text());
}

// str.title(): a letter is a capital unless a letter comes before it. (The filter of that name differs.)
Text title(Interpreter& interpreter, const Text& text) {
  bool inside = false;
  return map_case(interpreter, text, [&inside](char32_t c) {
    return std::exchange(inside, is_letter(c)) ? LetterCase::lower : LetterCase::title;
  });
}

Value index_in(const Text& text, std::size_t found) {
  if (found == kNotFound) return Value::integer(-1);
  return Value::integer(static_cast<std::int64_t>(count_code_points(text.view().substr(0, found))));
}

Value text_find(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"str.find()", {"sub", "start"}, 1});
  const Text& text = receiver.as_text();
  const std::int64_t start = bound.integer(1, 0);
  if (start < 0) interpreter.fail("str.find() does not take a negative start here");
  interpreter.work(2 * text.size());
  const std::size_t from = offset_of_code_point(text.view(), static_cast<std::size_t>(start));
  return index_in(text, find_bytes(text.view(), required_text(interpreter, bound[0]).view(), from));
}

Value text_rfind(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"str.rfind()", {"sub"}, 1});
  const Text& text = receiver.as_text();
  const std::string_view wanted = required_text(interpreter, bound[0]).view();
  if (wanted.empty()) return index_in(text, text.size());
  return index_in(text, ReverseSearch(interpreter, text.view(), wanted).before(text.size()));
}

Value text_index(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  Value found = text_find(interpreter, receiver, arguments);
  if (found.as_integer() < 0) interpreter.fail("substring not found");
  return found;
}

Value text_count(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"str.count()", {"sub"}, 1});
  const std::string_view text = receiver.as_text().view();
  const std::string_view wanted = required_text(interpreter, bound[0]).view();
  interpreter.work(text.size());
  if (wanted.empty()) return Value::integer(static_cast<std::int64_t>(count_code_points(text)) + 1);
  std::int64_t count = 0;
  for (std::size_t at = find_bytes(text, wanted, 0); at != kNotFound;
       at = find_bytes(text, wanted, at + wanted.size())) {
    ++count;
  }
  return Value::integer(count);
}

Value text_join(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"str.join()", {"iterable"}, 1});
  const auto parts = iterate(interpreter, bound[0]);
  for (const Value& part : parts->items) required_text(interpreter, part);
  return join(interpreter, receiver.as_text(), parts->items);
}

Value text_format(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  return format_braces(interpreter, receiver.as_text(), arguments);
}

template <Side side>
Value text_pad(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"this method of str", {"width", "fillchar"}, 1});
  const Text fill = bound.has(1) ? required_text(interpreter, bound[1]) : Text(" ", kTemplateOrigin);
  if (count_code_points(fill.view()) != 1)
    interpreter.fail("the fill character must be exactly one character long");
  return pad(interpreter, receiver.as_text(), bound.integer(0, 0), side, fill.view());
}

Value text_zfill(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"str.zfill()", {"width"}, 1});
  const Text& text = receiver.as_text();
  const bool sign = !text.empty() && (text.view()[0] == '-' || text.view()[0] == '+');
  if (!sign) return pad(interpreter, text, bound.integer(0, 0), Side::left, "0");
  const Text digits =
      pad(interpreter, text.substring(1, text.size()), bound.integer(0, 0) - 1, Side::left, "0");
  return append(interpreter, text.substring(0, 1), digits);
}

}  // namespace

Method find_text_method(std::string_view name) {
  static const std::unordered_map<std::string_view, Method> kMethods = {
      {"capitalize", text_changed<capitalize>},
      {"casefold", text_changed<to_lower>},
      {"center", text_pad<Side::both>},
      {"count", text_count},
      {"endswith", text_has_affix<End::back>},
      {"find", text_find},
      {"format", text_format},
      {"index", text_index},
      {"join", text_join},
      {"ljust", text_pad<Side::right>},
      {"lower", text_changed<to_lower>},
      {"lstrip", text_strip<Side::left>},
      {"partition", text_partition},
      {"removeprefix", text_remove_affix<End::front>},
      {"removesuffix", text_remove_affix<End::back>},
      {"replace", text_replace},
      {"rfind", text_rfind},
      {"rjust", text_pad<Side::left>},
      {"rpartition", text_rpartition},
      {"rsplit", text_rsplit},
      {"rstrip", text_strip<Side::right>},
      {"split", text_split},
      {"splitlines", text_splitlines},
      {"startswith", text_has_affix<End::front>},
      {"strip", text_strip<Side::both>},
      {"title", text_changed<title>},
      {"upper", text_changed<to_upper>},
      {"zfill", text_zfill},
  };
  const auto found = kMethods.find(name);
  return found == kMethods.end() ? nullptr : found->second;
}

}  // namespace parley::orchestration::jinja
