// Filters that make text.

#include <string>
#include <utility>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/filters.h"
#include "orchestration/jinja/percent_format.h"
#include "orchestration/jinja/python_text.h"
#include "orchestration/jinja/text_operations.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

Value filter_string(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"string", {}});
  return to_text(interpreter, input);
}

Value filter_trim(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"trim", {"chars"}});
  std::optional<Text> characters;
  if (bound.has(0) && !bound[0].is(Kind::none)) characters = bound.text(0);
  return strip(interpreter, to_text(interpreter, input), characters, Side::both);
}

template <Text (*change)(Interpreter&, const Text&)>
Value filter_changed(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"this filter", {}});
  return change(interpreter, to_text(interpreter, input));
}

// Jinja's title: a capital after white space and opening brackets or dashes only.
Text title_words(Interpreter& interpreter, const Text& text) {
  bool begins = true;
  return map_case(interpreter, text, [&begins](char32_t c) {
    const bool boundary = is_space(c) || (c < 0x80 && std::string_view("-({[<").find(static_cast<char>(c)) !=
                                                          std::string_view::npos);
    return std::exchange(begins, boundary) ? LetterCase::upper : LetterCase::lower;
  });
}

Value filter_replace(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"replace", {"old", "new", "count"}, 2});
  const std::int64_t count = bound[2].is(Kind::none) ? -1 : bound.integer(2, -1);
  return replace(interpreter, to_text(interpreter, input), bound.text(0), bound.text(1), count);
}

Value filter_join(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"join", {"d", "attribute"}});
  const auto items = iterate(interpreter, input);
  if (!bound.has(1) || bound[1].is(Kind::none)) return join(interpreter, bound.text(0), items->items);
  ValueList parts;
  for (const Value& item : items->items) parts.push_back(follow_path(interpreter, item, bound[1]));
  return join(interpreter, bound.text(0), parts);
}

Text indentation(Interpreter& interpreter, const BoundArguments& bound) {
  if (bound.has(0) && bound[0].is(Kind::text)) return bound[0].as_text();
  return pad(interpreter, Text(), bound.integer(0, 4), Side::left, " ");
}

Value filter_indent(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"indent", {"width", "first", "blank"}});
  if (!input.is(Kind::text))
    interpreter.fail("indent needs text, not '" + std::string(type_name(input)) + "'");
  const Text indent = indentation(interpreter, bound);
  // As in Jinja, a newline is added first, so that a trailing one survives splitting into lines.
  const Text newline("\n", kTemplateOrigin);
  const ValueList lines =
      split_lines(interpreter, append(interpreter, input.as_text(), newline), LineEnds::dropped);
  TextBuilder builder;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Text& line = lines[i].as_text();
    interpreter.charge(line.copy_bytes() + indent.copy_bytes() + newline.copy_bytes());
    if (i > 0) builder.append(newline);
    const bool wanted = i == 0 ? bound.flag(1) : bound.flag(2) || !line.empty();
    if (wanted) builder.append(indent);
    builder.append(line);
  }
  return builder.take();
}

Value filter_escape(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"escape", {}});
  const Text text = to_text(interpreter, input);
  interpreter.work(8 * text.size());
  TextBuilder builder;
  text.for_each_run([&](std::string_view bytes, Origin origin) {
    std::string escaped;
    for (const char c : bytes) {
      constexpr std::string_view kMarks = "&<>'\"";
      constexpr std::string_view kEscapes[] = {"&amp;", "&lt;", "&gt;", "&#39;", "&#34;"};
      const std::size_t known = kMarks.find(c);
      if (known == std::string_view::npos) {
        escaped.push_back(c);
      } else {
        escaped += kEscapes[known];
      }
    }
    interpreter.charge(escaped.size() + sizeof(OriginRun));
    builder.append(escaped, origin);
  });
  return builder.take();
}

Value filter_format(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const Text format = to_text(interpreter, input);
  if (arguments.keyword.empty()) {
    return format_percent(interpreter, format, interpreter.make_list(arguments.positional, Sequence::tuple));
  }
  if (!arguments.positional.empty())
    interpreter.fail("format takes positional or keyword arguments, not both");
  Dict values;
  for (const auto& [name, value] : arguments.keyword) {
    interpreter.charge_entry(name);
    values.set(Value(name), value);
  }
  return format_percent(interpreter, format, interpreter.make_dict(std::move(values)));
}

Value filter_center(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"center", {"width"}});
  return pad(interpreter, to_text(interpreter, input), bound.integer(0, 80), Side::both, " ");
}

Value filter_wordcount(Interpreter& interpreter, const Value& input, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"wordcount", {}});
  const Text text = to_text(interpreter, input);
  interpreter.work(8 * text.size());
  std::int64_t count = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text.view(), at);
    const bool word = next.value == '_' || is_letter(next.value) || is_digit(next.value);
    if (word && !inside) ++count;
    inside = word;
    at += next.size;
  }
  return Value::integer(count);
}

}  // namespace

const FilterTable& text_filters() {
  static const FilterTable kFilters = {
      {"capitalize", filter_changed<capitalize>},
      {"center", filter_center},
      {"e", filter_escape},
      {"escape", filter_escape},
      {"forceescape", filter_escape},
      {"format", filter_format},
      {"indent", filter_indent},
      {"join", filter_join},
      {"lower", filter_changed<to_lower>},
      {"replace", filter_replace},
      {"safe", filter_string},
      {"string", filter_string},
      {"title", filter_changed<title_words>},
      {"trim", filter_trim},
      {"upper", filter_changed<to_upper>},
      {"wordcount", filter_wordcount},
  };
  return kFilters;
}

}  // namespace parley::orchestration::jinja
