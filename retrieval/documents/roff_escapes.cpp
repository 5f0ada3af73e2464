#include "retrieval/documents/roff_escapes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "retrieval/documents/utf8.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 74> kCharacters = {{
    {"aq", "'"}, {"dq", "\""}, {"cq", "’"},  {"oq", "‘"}, {"lq", "“"}, {"rq", "”"}, {"bq", "‚"}, {"Bq", "„"},
    {"em", "—"}, {"en", "–"},  {"hy", "-"},  {"-", "-"},  {"mi", "-"}, {"bu", "•"}, {"co", "©"}, {"rg", "®"},
    {"tm", "™"}, {"de", "°"},  {"rs", "\\"}, {"ti", "~"}, {"ha", "^"}, {"ga", "`"}, {"at", "@"}, {"sh", "#"},
    {"Do", "$"}, {"sl", "/"},  {"ba", "|"},  {"or", "|"}, {"br", "│"}, {"ul", "_"}, {"lB", "["}, {"rB", "]"},
    {"lC", "{"}, {"rC", "}"},  {"la", "⟨"},  {"ra", "⟩"}, {"->", "→"}, {"<-", "←"}, {"ua", "↑"}, {"da", "↓"},
    {"<=", "≤"}, {">=", "≥"},  {"!=", "≠"},  {"==", "≡"}, {"+-", "±"}, {"mu", "×"}, {"di", "÷"}, {"if", "∞"},
    {"pl", "+"}, {"eq", "="},  {"**", "∗"},  {"sq", "□"}, {"dg", "†"}, {"dd", "‡"}, {"sc", "§"}, {"ps", "¶"},
    {"Fo", "«"}, {"Fc", "»"},  {"fo", "‹"},  {"fc", "›"}, {"ss", "ß"}, {"ae", "æ"}, {"AE", "Æ"}, {"oe", "œ"},
    {"o/", "ø"}, {"O/", "Ø"},  {"Eu", "€"},  {"Po", "£"}, {"Ye", "¥"}, {"12", "½"}, {"14", "¼"}, {"34", "¾"},
    {"ci", "○"}, {"lh", "☜"},
}};

// \(:a is a with two dots, \('e with an acute accent: the letter, then the combining character.
constexpr std::array<std::pair<char, std::string_view>, 6> kAccents = {
    {{':', "\u0308"}, {'\'', "\u0301"}, {'`', "\u0300"}, {'^', "\u0302"}, {'~', "\u0303"}, {',', "\u0327"}}};

std::string named_character(std::string_view name) {
  for (const auto& [known, character] : kCharacters) {
    if (name == known) return std::string(character);
  }
  if (name.size() == 2) {
    for (const auto& [mark, combining] : kAccents) {
      if (name[0] == mark) return std::string(1, name[1]) + std::string(combining);
    }
  }
  std::string shown;
  if (name.size() >= 5 && name[0] == 'u') {
    unsigned value = 0;
    const char* end = name.data() + name.size();
    const auto result = std::from_chars(name.data() + 1, end, value, 16);
    if (result.ec == std::errc() && (result.ptr == end || *result.ptr == '_') && value >= ' ') {
      append_code_point(shown, value);
    }
  }
  return shown;
}

class RoffLine {
 public:
  RoffLine(std::string_view line, const RoffStrings& strings) : line_(line), strings_(strings) {}

  std::string run() {
    while (at_ < line_.size()) {
      const std::size_t escape = std::min(line_.find('\\', at_), line_.size());
      out_.append(line_.substr(at_, escape - at_));
      at_ = escape + 1;
      if (escape < line_.size() && !take_escape()) break;
    }
    return std::move(out_);
  }

 private:
  // False: the rest of the line is a comment.
  bool take_escape() {
    if (at_ >= line_.size()) return true;
    const char c = line_[at_++];
    if (c == '"' || c == '#') return false;
    switch (c) {
      case '-':
        out_ += '-';
        break;
      case 'e':
      case '\\':
        out_ += '\\';
        break;
      case '\'':
      case '`':
      case '.':
        out_ += c;
        break;
      case ' ':
      case '~':
      case '0':
        out_ += ' ';
        break;
      case 't':
        out_ += '\t';
        break;
      default:
        take_named(c);
    }
    return true;
  }

  void take_named(char c) {
    constexpr std::string_view kWithName = "fFgkmMnVY";             // \fB, \n(xx, \m[red]
    constexpr std::string_view kWithQuotes = "AbBCDhHlLNoRSvwxXZ";  // \h'1m'
    if (c == '(' || c == '[') {
      --at_;
      out_ += named_character(name());
    } else if (c == '*') {
      const auto found = strings_.find(name());
      if (found != strings_.end()) out_ += found->second;
    } else if (c == 's') {
      skip_size();
    } else if (kWithName.find(c) != std::string_view::npos) {
      if (at_ < line_.size() && (line_[at_] == '+' || line_[at_] == '-')) ++at_;
      name();
    } else if (kWithQuotes.find(c) != std::string_view::npos) {
      quoted(c);
    }
    // The others (\&, \|, \^, \%, \/, \, \c, \u, \d, \:, \z, …) print nothing.
  }

  // x, (xx or [xxx].
  std::string_view name() {
    if (at_ >= line_.size()) return {};
    if (line_[at_] == '(') {
      const std::string_view two = line_.substr(at_ + 1, 2);
      at_ = std::min(at_ + 3, line_.size());
      return two;
    }
    if (line_[at_] == '[') {
      const std::size_t end = std::min(line_.find(']', at_), line_.size());
      const std::string_view all = line_.substr(at_ + 1, end - at_ - 1);
      at_ = std::min(end + 1, line_.size());
      return all.substr(0, all.find(' '));
    }
    return line_.substr(at_++, 1);
  }

  // \s0, \s-1, \s+2, \s(12, \s[12], \s'12'.
  void skip_size() {
    if (at_ < line_.size() && (line_[at_] == '+' || line_[at_] == '-')) ++at_;
    if (at_ < line_.size() && line_[at_] == '\'') {
      quoted('s');
    } else if (name() == "1" && at_ < line_.size() && line_[at_] >= '0' && line_[at_] <= '9') {
      ++at_;  // 10 to 19 may be written without brackets
    }
  }

  void quoted(char escape) {
    if (at_ >= line_.size()) return;
    const std::size_t end = std::min(line_.find(line_[at_], at_ + 1), line_.size());
    const std::string_view inside = line_.substr(at_ + 1, end - std::min(at_ + 1, end));
    at_ = std::min(end + 1, line_.size());
    if (escape == 'C') out_ += named_character(inside);
    if (escape == 'h') out_ += ' ';
    if (escape == 'o') out_ += inside.substr(0, 1);
  }

  std::string_view line_;
  const RoffStrings& strings_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string roff_words(std::string_view line, const RoffStrings& strings) {
  return RoffLine(line, strings).run();
}

std::vector<std::string> roff_arguments(std::string_view text) {
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    if (text.substr(at).starts_with("\\\"")) break;
    std::string& argument = arguments.emplace_back();
    const bool in_quotes = text[at] == '"';
    if (in_quotes) ++at;
    while (at < text.size()) {
      const char c = text[at++];
      if (c == '\\' && at < text.size()) {
        argument += c;
        argument += text[at++];
      } else if (in_quotes && c == '"') {
        if (at >= text.size() || text[at] != '"') break;
        argument += text[at++];  // two of them stand for one
      } else if (!in_quotes && (c == ' ' || c == '\t')) {
        break;
      } else {
        argument += c;
      }
    }
  }
  return arguments;
}

}  // namespace parley::retrieval::documents
