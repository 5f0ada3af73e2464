#include "retrieval/documents/pod_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <vector>

#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

namespace {

bool is_code_letter(char c) { return std::string_view("BCEFILSXZ").find(c) != std::string_view::npos; }

// L<text|target> shows its text; L<page/section>, L<page> and L</section> show names.
std::string shown_link(std::string_view link) {
  const std::size_t bar = link.find('|');
  if (bar != std::string_view::npos) return std::string(link.substr(0, bar));
  if (link.find("://") != std::string_view::npos) return std::string(link);
  const std::size_t slash = link.find('/');
  if (slash == std::string_view::npos) return std::string(link);
  std::string section(link.substr(slash + 1));
  section.erase(std::remove(section.begin(), section.end(), '"'), section.end());
  return slash == 0 ? section : section + " in " + std::string(link.substr(0, slash));
}

std::string shown_escape(std::string_view name) {
  constexpr std::pair<std::string_view, char> kNames[] = {{"lt", '<'},  {"gt", '>'},  {"verbar", '|'},
                                                          {"sol", '/'}, {"amp", '&'}, {"quot", '"'}};
  for (const auto& [known, character] : kNames) {
    if (name == known) return std::string(1, character);
  }
  const int base = name.starts_with("0x") || name.starts_with('x') ? 16 : 10;
  const std::string_view digits = base == 16 ? name.substr(name.find('x') + 1) : name;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  std::string shown;
  if (error == std::errc() && end == digits.data() + digits.size() && value >= ' ') {
    append_code_point(shown, value);
    return shown;
  }
  return std::string(name);
}

std::string shown_code(char letter, std::string content) {
  if (letter == 'X' || letter == 'Z') return "";  // an index entry, nothing
  if (letter == 'L') return shown_link(content);
  if (letter == 'E') return shown_escape(content);
  return content;
}

// A code whose end is not met yet.
struct OpenCode {
  char letter = 0;
  std::size_t brackets = 1;  // of C<< >>
  std::string content;
};

std::size_t count_of(std::string_view text, std::size_t at, char mark) {
  std::size_t count = 0;
  while (at + count < text.size() && text[at + count] == mark) ++count;
  return count;
}

class PodCodes {
 public:
  PodCodes(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {
    open_.emplace_back();
  }

  std::string run() {
    for (std::size_t at = 0; at < text_.size();) at = take(at);
    while (open_.size() > 1) close();
    return std::move(open_.front().content);
  }

 private:
  std::size_t take(std::size_t at) {
    const char c = text_[at];
    if (is_code_letter(c) && at + 1 < text_.size() && text_[at + 1] == '<' && open_.size() <= max_depth_) {
      return begin(at);
    }
    if (c == '>' && open_.size() > 1) {
      const std::size_t wanted = open_.back().brackets;
      if (wanted == 1 || (at > 0 && text_[at - 1] == ' ' && count_of(text_, at, '>') >= wanted)) {
        close();
        return at + wanted;
      }
    }
    open_.back().content.push_back(c);
    return at + 1;
  }

  std::size_t begin(std::size_t at) {
    OpenCode code;
    code.letter = text_[at];
    const std::size_t brackets = count_of(text_, at + 1, '<');
    const std::size_t behind = at + 1 + brackets;
    // Several brackets count only with white space behind them: C<< a >> b >>.
    const bool several =
        brackets > 1 && behind < text_.size() && (text_[behind] == ' ' || text_[behind] == '\n');
    code.brackets = several ? brackets : 1;
    open_.push_back(std::move(code));
    return several ? behind + 1 : at + 2;
  }

  void close() {
    OpenCode code = std::move(open_.back());
    open_.pop_back();
    if (code.brackets > 1 && code.content.ends_with(' ')) code.content.pop_back();
    open_.back().content += shown_code(code.letter, std::move(code.content));
  }

  std::string_view text_;
  std::size_t max_depth_;
  std::vector<OpenCode> open_;  // the first is the paragraph
};

}  // namespace

std::string pod_words(std::string_view paragraph, int max_depth) {
  return PodCodes(paragraph, static_cast<std::size_t>(std::max(max_depth, 1))).run();
}

}  // namespace parley::retrieval::documents
