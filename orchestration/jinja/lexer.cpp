#include "orchestration/jinja/lexer.h"

// Text and tags: which white space around a tag belongs to it, comments, raw blocks.

#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/lexer_error.h"
#include "orchestration/jinja/tag_lexer.h"

namespace parley::orchestration::jinja {
namespace {

constexpr std::size_t kNoTag = std::string_view::npos;

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) {
      const std::size_t tag = next_tag(at_);
      read_data(tag);
      if (tag < source_.size()) read_tag(tag);
    }
    tokens_.push_back({TokenKind::end, static_cast<std::uint32_t>(source_.size()), {}});
    return std::move(tokens_);
  }

 private:
  std::size_t next_tag(std::size_t from) const {
    for (std::size_t at = source_.find('{', from); at != kNoTag; at = source_.find('{', at + 1)) {
      const char kind = char_at(at + 1);
      if (kind == '{' || kind == '%' || kind == '#') return at;
    }
    return source_.size();
  }

  char char_at(std::size_t at) const { return at < source_.size() ? source_[at] : '\0'; }

  // The text from at_ to the tag at `tag`, less the white space the tag takes away.
  void read_data(std::size_t tag) {
    std::string_view text = source_.substr(at_, tag - at_);
    const char sign = char_at(tag + 2);
    if (tag == source_.size()) {
      // all of it
    } else if (sign == '-') {
      text = text.substr(0, trimmed_end(text, 0));
    } else if (sign != '+' && source_[tag + 1] != '{') {
      text = without_indentation(text);
    }
    add_data(text);
    at_ = tag;
  }

  void add_data(std::string_view text) {
    if (!text.empty())
      tokens_.push_back({TokenKind::data, static_cast<std::uint32_t>(at_), std::string(text)});
  }

  // lstrip_blocks: white space between the line's begin and a tag.
  std::string_view without_indentation(std::string_view text) const {
    const std::size_t newline = text.rfind('\n');
    const bool line_starts_here = at_ == 0 || source_[at_ - 1] == '\n';
    if (newline == kNoTag && !line_starts_here) return text;
    const std::size_t line = newline == kNoTag ? 0 : newline + 1;
    return trimmed_end(text, line) == line ? text.substr(0, line) : text;
  }

  void read_tag(std::size_t tag) {
    const char kind = source_[tag + 1];
    const char sign = char_at(tag + 2);
    at_ = tag + (sign == '-' || sign == '+' ? 3 : 2);
    if (kind == '#') return skip_comment(tag);
    if (kind == '%' && read_raw(tag)) return;
    TagLexer lexer(source_, kind == '{' ? TagLexer::Kind::variable : TagLexer::Kind::block, tag);
    at_ = lexer.run(at_, tokens_);
  }

  void skip_comment(std::size_t tag) {
    const std::size_t close = source_.find("#}", at_);
    if (close == kNoTag) throw_at(source_, tag, "Missing end of comment tag");
    const char sign = close > at_ ? source_[close - 1] : '\0';
    at_ = after_block(source_, close + 2, sign);
  }

  // {% raw %} … {% endraw %}; false when the tag is another.
  bool read_raw(std::size_t tag) {
    std::size_t at = skip_spaces(source_, at_);
    if (source_.substr(at, 3) != "raw") return false;
    at = skip_spaces(source_, at + 3);
    const bool dash = source_.substr(at, 3) == "-%}";
    if (!dash && source_.substr(at, 2) != "%}") return false;
    at_ = dash ? skip_spaces(source_, at + 3) : at + 2;
    for (std::size_t end = source_.find("{%", at_); end != kNoTag; end = source_.find("{%", end + 2)) {
      if (const std::size_t after = after_endraw(end); after != kNoTag) {
        read_data(end);
        at_ = after;
        return true;
      }
    }
    throw_at(source_, tag, "Missing end of raw directive");
  }

  std::size_t after_endraw(std::size_t tag) const {
    const char sign = char_at(tag + 2);
    std::size_t at = skip_spaces(source_, tag + (sign == '-' || sign == '+' ? 3 : 2));
    if (source_.substr(at, 6) != "endraw") return kNoTag;
    at = skip_spaces(source_, at + 6);
    const char end_sign = char_at(at);
    if (end_sign == '-' || end_sign == '+') ++at;
    if (source_.substr(at, 2) != "%}") return kNoTag;
    return after_block(source_, at + 2, end_sign);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::string normalize_source(std::string_view source) {
  std::string normalized;
  normalized.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    const bool carriage_return = source[i] == '\r';
    if (carriage_return && i + 1 < source.size() && source[i + 1] == '\n') continue;
    normalized.push_back(carriage_return ? '\n' : source[i]);
  }
  if (!normalized.empty() && normalized.back() == '\n') normalized.pop_back();
  return normalized;
}

std::vector<Token> tokenize(std::string_view normalized_source) { return Lexer(normalized_source).run(); }

}  // namespace parley::orchestration::jinja
