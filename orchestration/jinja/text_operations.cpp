#include "orchestration/jinja/text_operations.h"

#include <string>
#include <unordered_set>

#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

constexpr char32_t kCapitalSigma = 0x3a3;
constexpr char32_t kFinalSigma = 0x3c2;
constexpr std::size_t kHashWork = 32;  // of a character that is looked for in a set

// The code points that strip() takes away.
class StripSet {
 public:
  explicit StripSet(const std::optional<Text>& characters) : spaces_(!characters) {
    if (!characters) return;
    const std::string_view bytes = characters->view();
    for (std::size_t at = 0; at < bytes.size();) {
      const CodePoint next = code_point_at(bytes, at);
      wanted_.insert(next.value);
      at += next.size;
    }
  }
  bool contains(char32_t c) const { return spaces_ ? is_space(c) : wanted_.count(c) > 0; }

 private:
  bool spaces_;
  std::unordered_set<char32_t> wanted_;
};

std::size_t line_end_size(std::string_view bytes, std::size_t at) {
  if (bytes[at] == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n') return 2;
  const CodePoint next = code_point_at(bytes, at);
  const char32_t c = next.value;
  const bool ends =
      (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
  return ends ? next.size : 0;
}

std::string repeated(std::string_view fill, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fill;
  return text;
}

}  // namespace

Text strip(Interpreter& interpreter, const Text& text, const std::optional<Text>& characters, Side side) {
  if (characters) interpreter.work(kHashWork * characters->size());
  const StripSet set(characters);
  const std::string_view bytes = text.view();
  std::size_t begin = 0;
  std::size_t end = bytes.size();
  while (side != Side::right && begin < end) {
    const CodePoint next = code_point_at(bytes, begin);
    if (!set.contains(next.value)) break;
    begin += next.size;
  }
  while (side != Side::left && end > begin) {
    const std::size_t start = start_of_last(bytes, begin, end);
    if (!set.contains(code_point_at(bytes, start).value)) break;
    end = start;
  }
  interpreter.work((characters ? kHashWork : 4) * (bytes.size() - (end - begin)));
  return text.substring(begin, end);
}

Text replace(Interpreter& interpreter, const Text& text, const Text& old_text, const Text& new_text,
             std::int64_t max_count) {
  const std::string_view bytes = text.view();
  interpreter.charge_copy(text);
  TextBuilder builder;
  std::size_t at = 0;
  for (std::size_t search = 0; max_count != 0; --max_count) {
    const std::size_t found = find_bytes(bytes, old_text.view(), search);
    if (found == std::string_view::npos) break;
    interpreter.charge(new_text.copy_bytes() + sizeof(OriginRun));
    builder.append(text.substring(at, found));
    builder.append(new_text);
    at = found + old_text.size();
    if (!old_text.empty()) {
      search = at;
      continue;
    }
    // An empty text is found before each code point and at the end.
    if (found == bytes.size()) break;
    search = found + code_point_at(bytes, found).size;
  }
  builder.append(text.substring(at, text.size()));
  return builder.take();
}

Text map_case(Interpreter& interpreter, const Text& text, const std::function<LetterCase(char32_t)>& choose) {
  interpreter.charge(text.size() + text.copy_bytes());
  interpreter.work(8 * text.size());  // a call for each character
  TextBuilder builder;
  std::string mapped;
  const std::string_view whole = text.view();
  std::size_t begin = 0;  // of the run
  text.for_each_run([&](std::string_view bytes, Origin origin) {
    mapped.clear();
    for (std::size_t at = 0; at < bytes.size();) {
      const CodePoint next = code_point_at(bytes, at);
      const LetterCase letter_case = choose(next.value);
      const bool final_sigma = next.value == kCapitalSigma && letter_case == LetterCase::lower &&
                               is_final_sigma(whole, begin + at);
      append_in_case(mapped, final_sigma ? kFinalSigma : next.value, letter_case);
      at += next.size;
    }
    builder.append(mapped, origin);
    begin += bytes.size();
  });
  return builder.take();
}

Text to_upper(Interpreter& interpreter, const Text& text) {
  return map_case(interpreter, text, [](char32_t) { return LetterCase::upper; });
}

Text to_lower(Interpreter& interpreter, const Text& text) {
  return map_case(interpreter, text, [](char32_t) { return LetterCase::lower; });
}

Text capitalize(Interpreter& interpreter, const Text& text) {
  bool first = true;
  return map_case(interpreter, text, [&first](char32_t) {
    return std::exchange(first, false) ? LetterCase::title : LetterCase::lower;
  });
}

Text join(Interpreter& interpreter, const Text& separator, const ValueList& parts) {
  TextBuilder builder;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    interpreter.step();
    const Text part = to_text(interpreter, parts[i]);
    interpreter.charge(part.copy_bytes() + separator.copy_bytes());
    if (i > 0) builder.append(separator);
    builder.append(part);
  }
  return builder.take();
}

Text append(Interpreter& interpreter, const Text& left, const Text& right) {
  if (!left.empty() && !right.empty()) {
    interpreter.charge(right.copy_bytes() + (left.takes_behind(right) ? 0 : left.copy_bytes()));
  }
  return Text::concatenate(left, right);
}

ValueList split_lines(Interpreter& interpreter, const Text& text, LineEnds ends) {
  const std::string_view bytes = text.view();
  interpreter.work(4 * bytes.size());
  ValueList lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = line_end_size(bytes, at);
    if (size == 0) {
      at += code_point_at(bytes, at).size;
      continue;
    }
    interpreter.charge_items(1);
    lines.emplace_back(text.substring(begin, ends == LineEnds::kept ? at + size : at));
    at += size;
    begin = at;
  }
  if (begin < bytes.size()) lines.emplace_back(text.substring(begin, bytes.size()));
  return lines;
}

Text pad(Interpreter& interpreter, const Text& text, std::int64_t width, Side side, std::string_view fill) {
  interpreter.work(4 * text.size());
  const std::size_t size = count_code_points(text.view());
  if (width <= static_cast<std::int64_t>(size)) return text;
  const std::size_t missing = static_cast<std::size_t>(width) - size;
  interpreter.charge_copy(text);
  interpreter.charge(missing, fill.size());
  std::size_t left = side == Side::left ? missing : 0;
  // Python puts the odd one of str.center() on the left when both sizes are odd or the width is.
  if (side == Side::both) left = missing / 2 + (missing & static_cast<std::size_t>(width) & 1);
  TextBuilder builder;
  builder.append(repeated(fill, left), kTemplateOrigin);
  builder.append(text);
  builder.append(repeated(fill, missing - left), kTemplateOrigin);
  return builder.take();
}

}  // namespace parley::orchestration::jinja
