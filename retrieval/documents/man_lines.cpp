#include "retrieval/documents/man_lines.h"

#include <algorithm>

#include "retrieval/documents/text_lines.h"

namespace parley::retrieval::documents {

namespace {

bool is_control(std::string_view line) { return !line.empty() && (line[0] == '.' || line[0] == '\''); }

// "name" and the rest of a control line without its mark.
std::string macro_of(std::string_view line, std::string_view& rest) {
  std::size_t begin = 1;
  while (begin < line.size() && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
  std::size_t end = begin;
  while (end < line.size() && line[end] != ' ' && line[end] != '\t' && line[end] != '\\') ++end;
  rest = line.substr(end);
  return std::string(line.substr(begin, end - begin));
}

std::string_view without_leading_space(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

int count_of_pair(std::string_view text, std::string_view pair) {
  int count = 0;
  for (std::size_t at = text.find(pair); at != std::string_view::npos; at = text.find(pair, at + 2)) ++count;
  return count;
}

}  // namespace

std::optional<std::string> ManLines::next_raw() {
  if (at_ >= page_.size()) return std::nullopt;
  line_begin_ = at_;
  std::string joined;
  constexpr int kMaxJoined = 1000;
  for (int i = 0; i < kMaxJoined && at_ < page_.size(); ++i) {
    const TextLine line = line_at(page_, at_);
    at_ = line.next;
    joined += text_of(page_, line);
    const std::size_t last = joined.find_last_not_of('\\');
    const std::size_t backslashes = joined.size() - (last == std::string::npos ? 0 : last + 1);
    if (backslashes % 2 == 0) break;
    joined.pop_back();
  }
  return joined;
}

std::optional<ManLine> ManLines::next() {
  while (std::optional<std::string> line = next_raw()) {
    // A conditional may leave a line to be looked at in its place.
    constexpr int kMaxNested = 16;
    bool wanted = true;
    for (int i = 0; i < kMaxNested && is_control(*line); ++i) {
      std::string_view rest;
      const std::string name = macro_of(*line, rest);
      std::string replacement;
      if (!take_request(name, std::string_view(rest), replacement)) break;
      wanted = !replacement.empty();
      if (!wanted) break;
      *line = std::move(replacement);
    }
    if (wanted) return parsed(*line);
  }
  return std::nullopt;
}

std::vector<std::string> ManLines::until(std::string_view macro) {
  std::vector<std::string> lines;
  while (std::optional<std::string> line = next_raw()) {
    std::string_view rest;
    if (is_control(*line) && macro_of(*line, rest) == macro) break;
    lines.push_back(roff_words(*line, strings_));
  }
  return lines;
}

// True: it was one, and `line` is what to go on with (empty: nothing).
bool ManLines::take_request(const std::string& name, std::string_view rest, std::string& line) {
  if (name.empty() || name[0] == '\\') return true;  // a comment, ".\}"
  if (name == "de" || name == "de1" || name == "am" || name == "ig") {
    const std::vector<std::string> arguments = roff_arguments(rest);
    const std::size_t end_at = name == "ig" ? 0 : 1;
    skip_until(arguments.size() > end_at ? arguments[end_at] : ".");
    return true;
  }
  if (name == "ds" || name == "as") {
    const std::string_view text = without_leading_space(rest);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    std::string_view value = without_leading_space(text.substr(end));
    if (value.starts_with('"')) value.remove_prefix(1);
    std::string& string = strings_[std::string(text.substr(0, end))];
    constexpr std::size_t kMaxString = 4096;
    std::string words = roff_words(value, strings_);
    string = name == "ds" ? std::move(words) : string + words;
    string.resize(std::min(string.size(), kMaxString));
    return true;
  }
  if (name == "if" || name == "ie") {
    const bool holds = condition_holds(rest);
    if (name == "ie") else_holds_ = !holds;
    return choose(holds, rest, line);
  }
  if (name == "el") return choose(else_holds_, rest, line);
  constexpr std::string_view kIgnored =
      " nr rm rn tr ta ad na hy nh ne in ti ll ft ps ss cs ev fp pl po vs als rr lf mso hw ce ul ec eo cc c2 "
      "ns rs wh ch dt em ex nx rd so_ tm ab pm it di da box length substring while return ";
  return kIgnored.find(" " + name + " ") != std::string_view::npos;
}

// n holds (a terminal is what text is like), t does not; of numbers and comparisons only \n(.g (it is groff)
// does.
bool ManLines::condition_holds(std::string_view& rest) const {
  rest = without_leading_space(rest);
  bool negated = false;
  while (rest.starts_with('!')) {
    negated = !negated;
    rest.remove_prefix(1);
  }
  bool holds = false;
  if (rest.starts_with('n') || rest.starts_with('t') || rest.starts_with('o') || rest.starts_with('e')) {
    holds = rest[0] == 'n';
    rest.remove_prefix(1);
  } else if (rest.starts_with('\'') || rest.starts_with('"')) {
    const char mark = rest[0];
    const std::size_t second = std::min(rest.find(mark, 1), rest.size() - 1);
    const std::size_t third = std::min(rest.find(mark, second + 1), rest.size() - 1);
    holds = rest.substr(1, second - 1) ==
            rest.substr(std::min(second + 1, third), third - std::min(second + 1, third));
    rest.remove_prefix(third + 1);
  } else {
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    const std::string_view expression = rest.substr(0, end);
    holds = expression == "\\n(.g" || expression == "\\n[.g]" || expression == "1";
    rest.remove_prefix(end);
  }
  return holds != negated;
}

bool ManLines::choose(bool holds, std::string_view body, std::string& line) {
  body = without_leading_space(body);
  const bool block = body.starts_with("\\{");
  if (!holds) {
    if (block) skip_branch(body);
    return true;
  }
  line = std::string(block ? without_leading_space(body.substr(2)) : body);
  return true;
}

void ManLines::skip_until(std::string_view end) {
  while (const std::optional<std::string> line = next_raw()) {
    std::string_view rest;
    if (is_control(*line) && (*line == "." + std::string(end) || macro_of(*line, rest) == end)) return;
  }
}

void ManLines::skip_branch(std::string_view first_line) {
  int depth = count_of_pair(first_line, "\\{") - count_of_pair(first_line, "\\}");
  while (depth > 0) {
    const std::optional<std::string> line = next_raw();
    if (!line) return;
    depth += count_of_pair(*line, "\\{") - count_of_pair(*line, "\\}");
  }
}

ManLine ManLines::parsed(const std::string& line) const {
  ManLine result;
  result.raw = line;
  result.place = {line_begin_, at_};
  if (!is_control(line)) {
    result.text = roff_words(line, strings_);
    return result;
  }
  std::string_view rest;
  result.macro = macro_of(line, rest);
  for (const std::string& argument : roff_arguments(rest)) {
    result.arguments.push_back(roff_words(argument, strings_));
  }
  return result;
}

}  // namespace parley::retrieval::documents
