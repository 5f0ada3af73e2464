#include "orchestration/jinja/expression_parser.h"

#include <utility>
#include <vector>

namespace parley::orchestration::jinja {
namespace {

// Brackets, statements and prefix operators within each other: a bound on native recursion.
constexpr std::size_t kMaxParseDepth = 128;
// Of an expression's tree, which evaluation and destruction walk recursively.
constexpr std::size_t kMaxHeight = 500;

}  // namespace

ExpressionParser::Level::Level(ExpressionParser& parser) : parser_(parser) {
  if (++parser_.depth_ > kMaxParseDepth) parser_.tokens_.fail("the template nests too deeply");
}

ExpressionPtr ExpressionParser::checked(ExpressionPtr expression) const {
  if (expression->height() > kMaxHeight) tokens_.fail("the expression is too long");
  return expression;
}

ExpressionPtr ExpressionParser::parse_expression(InlineIf inline_if) {
  const Level level(*this);
  return inline_if == InlineIf::allowed ? parse_conditional() : parse_or();
}

ExpressionPtr ExpressionParser::parse_tuple(InlineIf inline_if) {
  const std::uint32_t offset = tokens_.peek().offset;
  ExpressionPtr first = parse_expression(inline_if);
  if (!tokens_.peek().is_sign(",")) return first;
  std::vector<ExpressionPtr> items;
  items.push_back(std::move(first));
  while (tokens_.accept_sign(",")) {
    const Token& next = tokens_.peek();
    const bool ends = next.is(TokenKind::variable_end) || next.is(TokenKind::block_end) || next.is_sign(")");
    if (ends) break;
    items.push_back(parse_expression(inline_if));
  }
  return checked(make_sequence(offset, std::move(items), Sequence::tuple));
}

ExpressionPtr ExpressionParser::parse_conditional() {
  ExpressionPtr expression = parse_or();
  while (tokens_.peek().is_name("if")) {
    const std::uint32_t offset = tokens_.next().offset;
    Choice choice;
    choice.then = std::move(expression);
    choice.test = parse_or();
    if (tokens_.accept_name("else")) {
      const Level level(*this);
      choice.otherwise = parse_conditional();
    }
    expression = checked(make_conditional(offset, std::move(choice)));
  }
  return expression;
}

ExpressionPtr ExpressionParser::parse_or() {
  ExpressionPtr left = parse_and();
  while (tokens_.peek().is_name("or")) {
    const std::uint32_t offset = tokens_.next().offset;
    ExpressionPtr right = parse_and();
    left = checked(make_logic(offset, Logic::logical_or, std::move(left), std::move(right)));
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_and() {
  ExpressionPtr left = parse_not();
  while (tokens_.peek().is_name("and")) {
    const std::uint32_t offset = tokens_.next().offset;
    ExpressionPtr right = parse_not();
    left = checked(make_logic(offset, Logic::logical_and, std::move(left), std::move(right)));
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_not() {
  if (!tokens_.peek().is_name("not")) return parse_comparison();
  const Level level(*this);
  const std::uint32_t offset = tokens_.next().offset;
  return checked(make_unary(offset, Unary::logical_not, parse_not()));
}

bool ExpressionParser::at_comparison(Comparison& comparison) const {
  static constexpr std::pair<std::string_view, Comparison> kSigns[] = {
      {"==", Comparison::equal},      {"!=", Comparison::not_equal}, {"<", Comparison::less},
      {"<=", Comparison::less_equal}, {">", Comparison::greater},    {">=", Comparison::greater_equal},
  };
  for (const auto& [sign, meaning] : kSigns) {
    if (!tokens_.peek().is_sign(sign)) continue;
    comparison = meaning;
    return true;
  }
  comparison = tokens_.peek().is_name("in") ? Comparison::in : Comparison::not_in;
  return tokens_.peek().is_name("in") || (tokens_.peek().is_name("not") && tokens_.peek(1).is_name("in"));
}

ExpressionPtr ExpressionParser::parse_comparison() {
  const std::uint32_t offset = tokens_.peek().offset;
  ExpressionPtr first = parse_sum();
  std::vector<ComparisonStep> steps;
  Comparison comparison{};
  while (at_comparison(comparison)) {
    tokens_.next();
    if (comparison == Comparison::not_in) tokens_.next();
    ComparisonStep step;
    step.comparison = comparison;
    step.right = parse_sum();
    steps.push_back(std::move(step));
  }
  if (steps.empty()) return first;
  return checked(make_comparison(offset, std::move(first), std::move(steps)));
}

ExpressionPtr ExpressionParser::parse_sum() {
  ExpressionPtr left = parse_concatenation();
  while (tokens_.peek().is_sign("+") || tokens_.peek().is_sign("-")) {
    const Token& sign = tokens_.next();
    const Arithmetic operation = sign.text == "+" ? Arithmetic::add : Arithmetic::subtract;
    ExpressionPtr right = parse_concatenation();
    left = checked(make_binary(sign.offset, operation, std::move(left), std::move(right)));
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_concatenation() {
  const std::uint32_t offset = tokens_.peek().offset;
  ExpressionPtr first = parse_product();
  if (!tokens_.peek().is_sign("~")) return first;
  std::vector<ExpressionPtr> parts;
  parts.push_back(std::move(first));
  while (tokens_.accept_sign("~")) parts.push_back(parse_product());
  return checked(make_concatenation(offset, std::move(parts)));
}

ExpressionPtr ExpressionParser::parse_product() {
  static constexpr std::pair<std::string_view, Arithmetic> kSigns[] = {
      {"*", Arithmetic::multiply},
      {"/", Arithmetic::divide},
      {"//", Arithmetic::floor_divide},
      {"%", Arithmetic::modulo},
  };
  ExpressionPtr left = parse_power();
  for (bool found = true; found;) {
    found = false;
    for (const auto& [sign, operation] : kSigns) {
      if (!tokens_.peek().is_sign(sign)) continue;
      const std::uint32_t offset = tokens_.next().offset;
      ExpressionPtr right = parse_power();
      left = checked(make_binary(offset, operation, std::move(left), std::move(right)));
      found = true;
    }
  }
  return left;
}

ExpressionPtr ExpressionParser::parse_power() {
  ExpressionPtr left = operands_.parse_operand();
  while (tokens_.peek().is_sign("**")) {
    const std::uint32_t offset = tokens_.next().offset;
    ExpressionPtr right = operands_.parse_operand();
    left = checked(make_binary(offset, Arithmetic::power, std::move(left), std::move(right)));
  }
  return left;
}

}  // namespace parley::orchestration::jinja
