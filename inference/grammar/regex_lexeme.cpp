#include "inference/grammar/regex_lexeme.h"

#include <utility>
#include <vector>

#include "inference/grammar/lazy_dfa.h"

namespace parley::inference::grammar {
namespace {

// Thompson's construction (1968). Each function gives the state behind what it adds.
class RegexCompiler {
 public:
  explicit RegexCompiler(const RegexOptions& options) : options_(options), builder_(options.max_states) {}

  Nfa compile(const RegexNode& root) {
    const Nfa::State start = builder_.add_state();
    const bool is_search = options_.match == RegexMatch::anywhere;
    const Nfa::State inner = is_search ? add_any(start) : start;
    const Nfa::State end = add(root, inner);
    const Nfa::State accept = is_search ? add_any(end) : end;
    return builder_.take(start, accept);
  }
  bool too_large() const { return builder_.too_large(); }

 private:
  Nfa::State add(const RegexNode& node, Nfa::State from) {
    builder_.count_step();
    if (builder_.too_large()) return from;
    switch (node.kind) {
      case RegexNode::Kind::characters:
        return add_characters(node.characters, from);
      case RegexNode::Kind::concatenation:
        for (const RegexNode& child : node.children) from = add(child, from);
        return from;
      case RegexNode::Kind::alternation:
        return add_alternation(node, from);
      case RegexNode::Kind::repetition:
        return add_repetition(node, from);
      case RegexNode::Kind::begin:
        return add_link(from, Nfa::When::at_begin);
      case RegexNode::Kind::end:
        return add_link(from, Nfa::When::at_end);
    }
    return from;
  }

  Nfa::State add_characters(const CodePointSet& set, Nfa::State from) {
    const Nfa::State to = builder_.add_state();
    builder_.add_characters(from, set, options_.encoding, to);
    return to;
  }

  Nfa::State add_link(Nfa::State from, Nfa::When when = Nfa::When::always) {
    const Nfa::State to = builder_.add_state();
    builder_.link(from, to, when);
    return to;
  }

  Nfa::State add_alternation(const RegexNode& node, Nfa::State from) {
    const Nfa::State end = builder_.add_state();
    for (const RegexNode& child : node.children) builder_.link(add(child, add_link(from)), end);
    return end;
  }

  Nfa::State add_repetition(const RegexNode& node, Nfa::State from) {
    const RegexNode& operand = node.children.front();
    for (int i = 0; i < node.min && !builder_.too_large(); ++i) from = add(operand, from);
    if (node.max == RegexNode::kNoLimit) {
      const Nfa::State loop = add_link(from);
      builder_.link(add(operand, loop), loop);
      return add_link(loop);
    }
    const Nfa::State end = builder_.add_state();
    for (int i = node.min; i < node.max && !builder_.too_large(); ++i) {
      builder_.link(from, end);
      from = add(operand, add_link(from));
    }
    builder_.link(from, end);
    return end;
  }

  Nfa::State add_any(Nfa::State from) {
    const Nfa::State loop = add_link(from);
    builder_.add_characters(loop, CodePointSet::all(), options_.encoding, loop);
    return add_link(loop);
  }

  const RegexOptions& options_;
  NfaBuilder builder_;
};

}  // namespace

std::variant<std::shared_ptr<const Lexeme>, RegexError> make_regex_lexeme(std::string_view pattern,
                                                                          const RegexOptions& options) {
  const auto parsed = parse_regex(pattern);
  if (const auto* error = std::get_if<RegexError>(&parsed)) return *error;
  RegexCompiler compiler(options);
  Nfa nfa = compiler.compile(std::get<RegexNode>(parsed));
  if (compiler.too_large()) return RegexError{"The pattern is too large: its repetitions multiply."};
  std::shared_ptr<const Lexeme> lexeme = make_nfa_lexeme(std::move(nfa));
  if (!lexeme) return RegexError{"No text can match the pattern."};
  return lexeme;
}

}  // namespace parley::inference::grammar
