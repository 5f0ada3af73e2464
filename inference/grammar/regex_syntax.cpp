#include "inference/grammar/regex_syntax.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "inference/grammar/regex_escape.h"
#include "inference/tokenizer/utf8.h"

namespace parley::inference::grammar {
namespace {

constexpr int kMaxGroupDepth = 64;
constexpr std::size_t kMaxPatternBytes = 16384;
constexpr int kMaxRepeat = 100000;

RegexNode characters_node(CodePointSet set) {
  RegexNode node;
  node.kind = RegexNode::Kind::characters;
  node.characters = std::move(set);
  return node;
}

RegexNode inner_node(RegexNode::Kind kind, std::vector<RegexNode> children) {
  RegexNode node;
  node.kind = kind;
  node.children = std::move(children);
  return node;
}

// Recursive descent. The first error wins; parsing then runs to its end without effect.
class RegexParser {
 public:
  explicit RegexParser(std::u32string pattern) : input_(std::move(pattern)) {}

  std::variant<RegexNode, RegexError> parse() {
    RegexNode node = parse_alternation();
    if (!input_.error() && !input_.done()) input_.fail("there is a ) without its (");
    if (input_.error()) return RegexError{*input_.error()};
    return node;
  }

 private:
  RegexNode parse_alternation() {
    std::vector<RegexNode> branches;
    do {
      branches.push_back(parse_concatenation());
    } while (!input_.error() && input_.take(U'|'));
    if (branches.size() == 1) return std::move(branches[0]);
    return inner_node(RegexNode::Kind::alternation, std::move(branches));
  }

  RegexNode parse_concatenation() {
    std::vector<RegexNode> items;
    while (!input_.error() && !input_.done() && input_.peek() != U'|' && input_.peek() != U')') {
      items.push_back(parse_repetition());
    }
    if (items.size() == 1) return std::move(items[0]);
    return inner_node(RegexNode::Kind::concatenation, std::move(items));
  }

  RegexNode parse_repetition() {
    RegexNode node = parse_atom();
    const std::optional<std::pair<int, int>> bounds = parse_bounds();
    if (!bounds) return node;
    if (node.kind == RegexNode::Kind::begin || node.kind == RegexNode::Kind::end) {
      input_.fail("an anchor cannot be repeated");
    }
    input_.take(U'?');  // lazy: which match is preferred does not change the language
    RegexNode repetition = inner_node(RegexNode::Kind::repetition, single(std::move(node)));
    repetition.min = bounds->first;
    repetition.max = bounds->second;
    return repetition;
  }

  std::optional<std::pair<int, int>> parse_bounds() {
    if (input_.take(U'*')) return std::pair(0, RegexNode::kNoLimit);
    if (input_.take(U'+')) return std::pair(1, RegexNode::kNoLimit);
    if (input_.take(U'?')) return std::pair(0, 1);
    if (input_.done() || input_.peek() != U'{') return std::nullopt;
    const std::size_t begin = input_.position();
    input_.take(U'{');
    const std::optional<int> min = input_.take_number(kMaxRepeat);
    std::optional<int> max = min;
    if (min && input_.take(U',')) {
      max = input_.peek() == U'}' ? std::optional<int>(RegexNode::kNoLimit) : input_.take_number(kMaxRepeat);
    }
    if (!min || !max || !input_.take(U'}')) {
      input_.reset(begin);
      input_.fail("a { does not begin {m}, {m,} or {m,n}; a literal one is written \\{");
      return std::nullopt;
    }
    if (*max != RegexNode::kNoLimit && *max < *min) input_.fail("the bounds of {m,n} are in the wrong order");
    return std::pair(*min, *max);
  }

  RegexNode parse_atom() {
    const char32_t c = input_.take_any();
    switch (c) {
      case U'(':
        return parse_group();
      case U'[':
        return characters_node(parse_class());
      case U'.':
        return characters_node(any_but_line_ends());
      case U'^':
        return inner_node(RegexNode::Kind::begin, {});
      case U'$':
        return inner_node(RegexNode::Kind::end, {});
      case U'\\':
        return characters_node(take_escape(input_, EscapePlace::outside_class));
      case U'*':
      case U'+':
      case U'?':
      case U'{':
        input_.fail("there is nothing to repeat before the repetition sign");
        return {};
      default:
        return characters_node({{c, c}});
    }
  }

  RegexNode parse_group() {
    if (input_.take(U'?')) skip_group_kind();
    if (++depth_ > kMaxGroupDepth) input_.fail("groups are nested more than 64 deep");
    if (input_.error()) return {};
    RegexNode node = parse_alternation();
    --depth_;
    if (!input_.error() && !input_.take(U')')) input_.fail("a ( is never closed");
    return inner_node(RegexNode::Kind::concatenation, single(std::move(node)));
  }

  static std::vector<RegexNode> single(RegexNode node) {
    std::vector<RegexNode> nodes;
    nodes.push_back(std::move(node));
    return nodes;
  }

  void skip_group_kind() {
    if (input_.take(U':')) return;
    const bool looks_behind = input_.peek() == U'<' && (input_.peek(1) == U'=' || input_.peek(1) == U'!');
    if (looks_behind) return input_.fail("lookbehind (?<= or (?<! is not supported");
    if (input_.peek() == U'=' || input_.peek() == U'!') {
      return input_.fail("lookahead (?= or (?! is not supported");
    }
    if (!input_.take(U'<'))
      return input_.fail("groups that begin with (? other than (?: and (?<name> are not supported");
    while (!input_.done() && input_.peek() != U'>') input_.take_any();
    if (!input_.take(U'>')) input_.fail("the name of a group is never closed");
  }

  CodePointSet parse_class() {
    const bool negated = input_.take(U'^');
    std::vector<CodePointRange> ranges;
    while (!input_.error() && !input_.take(U']')) {
      if (input_.done()) {
        input_.fail("a [ is never closed");
        break;
      }
      add_class_item(ranges);
    }
    const CodePointSet set(std::move(ranges));
    return negated ? set.complement() : set;
  }

  void add_class_item(std::vector<CodePointRange>& ranges) {
    const CodePointSet first = take_class_atom();
    const bool is_range = input_.peek() == U'-' && input_.peek(1) != U']' && input_.peek(1) != 0;
    if (input_.error() || !is_range) {
      ranges.insert(ranges.end(), first.ranges().begin(), first.ranges().end());
      return;
    }
    input_.take(U'-');
    const CodePointSet last = take_class_atom();
    if (input_.error()) return;
    const auto low = single_code_point(first);
    const auto high = single_code_point(last);
    if (!low || !high) return input_.fail("a class like \\d cannot be the end of a range in []");
    if (*high < *low) return input_.fail("a range in [] is in the wrong order");
    ranges.push_back({*low, *high});
  }

  CodePointSet take_class_atom() {
    const char32_t c = input_.take_any();
    if (c == U'\\') return take_escape(input_, EscapePlace::in_class);
    return {{c, c}};
  }

  static std::optional<char32_t> single_code_point(const CodePointSet& set) {
    const auto& ranges = set.ranges();
    if (ranges.size() != 1 || ranges[0].first != ranges[0].last) return std::nullopt;
    return ranges[0].first;
  }

  RegexInput input_;
  int depth_ = 0;
};

}  // namespace

std::variant<RegexNode, RegexError> parse_regex(std::string_view pattern) {
  if (pattern.size() > kMaxPatternBytes) return RegexError{"The pattern is longer than 16 kB."};
  if (!tokenizer::is_valid_utf8(pattern)) return RegexError{"The pattern is not valid UTF-8."};
  std::u32string characters;
  while (!pattern.empty()) {
    const tokenizer::Utf8Character next = tokenizer::first_character(pattern);
    characters += next.code_point;
    pattern.remove_prefix(next.length);
  }
  return RegexParser(std::move(characters)).parse();
}

}  // namespace parley::inference::grammar
