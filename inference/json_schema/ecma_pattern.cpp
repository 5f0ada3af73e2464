#include "inference/json_schema/ecma_pattern.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "inference/json_schema/ecma_escape.h"

namespace parley::inference::json_schema {
namespace {

constexpr std::string_view kAnyButLineEnds = R"([^\n\r\x{2028}\x{2029}])";
constexpr std::string_view kGroupOpenings[] = {"(?:", "(?=", "(?!", "(?<=", "(?<!"};

class Translator {
 public:
  explicit Translator(std::string_view pattern) : pattern_(pattern) {}

  std::variant<EcmaTranslation, std::string> run() {
    while (at_ < pattern_.size() && why_.empty()) step();
    if (why_.empty() && depth_ > 0) refuse("a group is not closed");
    if (!why_.empty()) return std::move(why_);
    return EcmaTranslation{.pcre = std::move(out_), .traits = traits_};
  }

 private:
  enum class Before { nothing, atom, quantifier };  // whether what follows may repeat it

  void refuse(std::string_view reason) {
    if (why_.empty()) why_ = std::string(reason) + " at character " + std::to_string(at_ + 1);
  }

  bool next_is(std::string_view text) const { return pattern_.substr(at_).starts_with(text); }

  void copy(std::size_t bytes, Before before) {
    out_ += pattern_.substr(at_, bytes);
    at_ += bytes;
    before_ = before;
  }

  void emit(std::string_view text, std::size_t bytes) {
    out_ += text;
    at_ += bytes;
    before_ = Before::atom;
  }

  void step() {
    switch (pattern_[at_]) {
      case '\\':
        return escape();
      case '[':
        return character_class();
      case '(':
        return open_group();
      case ')':
        if (depth_ == 0) return refuse("a group is closed that was not opened");
        --depth_;
        return copy(1, Before::atom);
      case '*':
      case '+':
      case '?':
        return quantifier(1);
      case '{':
        return brace();
      case ']':
      case '}':
        return emit(next_is("]") ? "\\]" : "\\}", 1);
      case '.':
        return emit(kAnyButLineEnds, 1);
      case '^':
      case '$':
      case '|':
        return copy(1, Before::nothing);
      default:
        return copy(1, Before::atom);
    }
  }

  void quantifier(std::size_t bytes) {
    if (before_ != Before::atom) return refuse("nothing to repeat");
    copy(bytes, Before::quantifier);
    if (next_is("?")) copy(1, Before::quantifier);
  }

  // {2}, {2,} or {2,3}; any other brace means itself, as it does without the u flag.
  void brace() {
    std::size_t end = at_ + 1;
    const auto digits = [&] {
      const std::size_t begin = end;
      while (end < pattern_.size() && pattern_[end] >= '0' && pattern_[end] <= '9') ++end;
      note_repeat(pattern_.substr(begin, end - begin));
      return end > begin;
    };
    bool good = digits();
    if (good && pattern_.substr(end).starts_with(',')) {
      ++end;
      digits();
    }
    good = good && pattern_.substr(end).starts_with('}');
    if (!good) return emit("\\{", 1);
    quantifier(end + 1 - at_);
  }

  void note_repeat(std::string_view digits) {
    std::size_t count = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
    traits_.largest_repeat = std::max(traits_.largest_repeat, count);
  }

  void open_group() {
    ++depth_;
    for (const std::string_view opening : kGroupOpenings) {
      if (next_is(opening)) return copy(opening.size(), Before::nothing);
    }
    if (next_is("(?<")) return named_group();
    if (next_is("(?")) return refuse("(? must be followed by :, =, !, <=, <! or <name>");
    copy(1, Before::nothing);
  }

  void named_group() {
    const std::size_t end = pattern_.find('>', at_);
    const std::string_view name = pattern_.substr(at_ + 3, end - at_ - 3);
    if (end == std::string_view::npos || !is_group_name(name)) return refuse("a group has a bad name");
    copy(end + 1 - at_, Before::nothing);
  }

  void escape() {
    const std::string_view rest = pattern_.substr(at_);
    if (rest.starts_with("\\b") || rest.starts_with("\\B")) return copy(2, Before::nothing);
    if (rest.starts_with("\\k<")) {
      const std::size_t end = rest.find('>');
      if (end == std::string_view::npos || !is_group_name(rest.substr(3, end - 3))) {
        return refuse("\\k must be followed by <name>");
      }
      traits_.refers_back = true;
      return copy(end + 1, Before::atom);
    }
    if (rest.size() > 1 && rest[1] >= '1' && rest[1] <= '9') return back_reference(rest);
    const auto translated = translate_escape(rest, EscapeIn::pattern);
    if (!translated) return refuse("a backslash is followed by nothing that it may escape");
    emit(translated->pcre, translated->bytes);
  }

  void back_reference(std::string_view rest) {
    std::size_t end = 1;
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9') ++end;
    traits_.refers_back = true;
    out_ += "\\g{";
    out_ += rest.substr(1, end - 1);
    emit("}", end);
  }

  void character_class() {
    if (next_is("[]")) return emit("(?!)", 2);
    if (next_is("[^]")) return emit(R"([\x{0}-\x{10ffff}])", 3);
    const std::size_t begin = at_;
    copy(next_is("[^") ? 2 : 1, Before::nothing);
    while (at_ < pattern_.size() && pattern_[at_] != ']' && why_.empty()) class_range();
    if (!why_.empty()) return;
    if (at_ == pattern_.size()) {
      at_ = begin;
      return refuse("a [ is not closed");
    }
    copy(1, Before::atom);
  }

  // An atom, or two with a hyphen between; a hyphen beside \d and its kin means itself.
  void class_range() {
    const bool single = class_atom();
    if (!why_.empty() || !next_is("-")) return;
    if (next_is("-]") || at_ + 1 == pattern_.size()) return;  // comes next, as an atom
    const std::size_t hyphen = out_.size();
    out_ += '-';
    ++at_;
    if (!class_atom() || !single) out_.insert(hyphen, 1, '\\');
  }

  // Whether it is one character.
  bool class_atom() {
    const std::string_view rest = pattern_.substr(at_);
    if (rest.front() == '\\') {
      const auto translated = translate_escape(rest, EscapeIn::character_class);
      if (!translated) {
        refuse("a backslash is followed by nothing that it may escape");
        return false;
      }
      emit(translated->pcre, translated->bytes);
      return translated->is_single;
    }
    if (rest.front() == '[' || rest.front() == '-' || rest.front() == '^') out_ += '\\';
    // A character of several bytes is copied byte by byte, but must not be told from the hyphen after it.
    std::size_t bytes = 1;
    while (bytes < rest.size() && (static_cast<unsigned char>(rest[bytes]) & 0xC0) == 0x80) ++bytes;
    copy(bytes, Before::nothing);
    return true;
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  Before before_ = Before::nothing;
  std::string out_;
  std::string why_;
  EcmaTraits traits_;
};

}  // namespace

std::variant<EcmaTranslation, std::string> to_pcre(std::string_view ecma) { return Translator(ecma).run(); }

}  // namespace parley::inference::json_schema
