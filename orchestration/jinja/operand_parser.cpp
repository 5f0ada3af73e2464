#include "orchestration/jinja/operand_parser.h"

#include <charconv>
#include <cstdlib>
#include <utility>

#include "orchestration/jinja/expression_parser.h"

namespace parley::orchestration::jinja {

ExpressionPtr OperandParser::checked(ExpressionPtr expression) const {
  return expressions_.checked(std::move(expression));
}

ExpressionPtr OperandParser::parse_unary(Filters filters) {
  const Token& first = tokens_.peek();
  ExpressionPtr operand;
  if (first.is_sign("-") || first.is_sign("+")) {
    const ExpressionParser::Level level(expressions_);
    tokens_.next();
    const Unary operation = first.text == "-" ? Unary::negate : Unary::plus;
    operand = checked(make_unary(first.offset, operation, parse_unary(Filters::refused)));
  } else {
    operand = parse_primary();
  }
  operand = parse_postfix(std::move(operand));
  return filters == Filters::allowed ? parse_filters(std::move(operand)) : std::move(operand);
}

ExpressionPtr OperandParser::parse_primary() {
  const Token& token = tokens_.peek();
  switch (token.kind) {
    case TokenKind::name:
      return parse_name();
    case TokenKind::string: {
      std::string text;
      while (tokens_.peek().is(TokenKind::string)) text += tokens_.next().text;
      return make_literal(token.offset, Value::text(std::move(text), kTemplateOrigin));
    }
    case TokenKind::integer: {
      std::int64_t number = 0;
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
      tokens_.next();
      return make_literal(token.offset, Value::integer(number));
    }
    case TokenKind::floating:
      tokens_.next();
      return make_literal(token.offset, Value::floating(std::strtod(token.text.c_str(), nullptr)));
    case TokenKind::sign:
      if (token.text == "(") return parse_parenthesis();
      if (token.text == "[") return parse_list();
      if (token.text == "{") return parse_dict();
      break;
    default:
      break;
  }
  tokens_.fail_expecting("an expression");
}

ExpressionPtr OperandParser::parse_name() {
  const Token& token = tokens_.next();
  const std::string& name = token.text;
  if (name == "true" || name == "True") return make_literal(token.offset, Value::boolean(true));
  if (name == "false" || name == "False") return make_literal(token.offset, Value::boolean(false));
  if (name == "none" || name == "None") return make_literal(token.offset, Value::none());
  const NameId id = names_.id_of(name);
  used_names_.insert(id);
  return make_name(token.offset, id, name);
}

ExpressionPtr OperandParser::parse_parenthesis() {
  const std::uint32_t offset = tokens_.next().offset;
  if (tokens_.accept_sign(")")) return make_sequence(offset, {}, Sequence::tuple);
  ExpressionPtr inner = expressions_.parse_tuple();
  tokens_.expect_sign(")");
  return inner;
}

ExpressionPtr OperandParser::parse_list() {
  const std::uint32_t offset = tokens_.next().offset;
  std::vector<ExpressionPtr> items;
  while (!tokens_.peek().is_sign("]")) {
    if (!items.empty()) tokens_.expect_sign(",");
    if (tokens_.peek().is_sign("]")) break;
    items.push_back(expressions_.parse_expression());
  }
  tokens_.expect_sign("]");
  return checked(make_sequence(offset, std::move(items), Sequence::list));
}

ExpressionPtr OperandParser::parse_dict() {
  const std::uint32_t offset = tokens_.next().offset;
  std::vector<std::pair<ExpressionPtr, ExpressionPtr>> entries;
  while (!tokens_.peek().is_sign("}")) {
    if (!entries.empty()) tokens_.expect_sign(",");
    if (tokens_.peek().is_sign("}")) break;
    ExpressionPtr key = expressions_.parse_expression();
    tokens_.expect_sign(":");
    entries.emplace_back(std::move(key), expressions_.parse_expression());
  }
  tokens_.expect_sign("}");
  return checked(make_dict(offset, std::move(entries)));
}

ExpressionPtr OperandParser::parse_postfix(ExpressionPtr base) {
  while (true) {
    const Token& token = tokens_.peek();
    if (token.is_sign(".")) {
      base = parse_dot(std::move(base));
    } else if (token.is_sign("[")) {
      base = parse_subscript(std::move(base));
    } else if (token.is_sign("(")) {
      base = checked(make_call(token.offset, std::move(base), parse_arguments()));
    } else {
      return base;
    }
  }
}

ExpressionPtr OperandParser::parse_filters(ExpressionPtr base) {
  while (true) {
    const std::uint32_t offset = tokens_.peek().offset;
    if (tokens_.accept_sign("|")) {
      NamedCall filter = parse_filter_name();
      base =
          checked(make_filter(offset, std::move(base), std::move(filter.name), std::move(filter.arguments)));
    } else if (tokens_.accept_name("is")) {
      base = parse_test(std::move(base));
    } else if (tokens_.peek().is_sign("(")) {
      base = checked(make_call(offset, std::move(base), parse_arguments()));
    } else {
      return base;
    }
  }
}

ExpressionPtr OperandParser::parse_dot(ExpressionPtr base) {
  const std::uint32_t offset = tokens_.next().offset;
  const Token& name = tokens_.peek();
  if (name.is(TokenKind::integer)) {
    ExpressionPtr index = parse_primary();
    return checked(make_item(offset, std::move(base), std::move(index)));
  }
  return checked(make_attribute(offset, std::move(base), tokens_.expect_any_name().text));
}

ExpressionPtr OperandParser::parse_subscript(ExpressionPtr base) {
  const std::uint32_t offset = tokens_.next().offset;
  ExpressionPtr first;
  if (!tokens_.peek().is_sign(":")) first = expressions_.parse_expression();
  if (first != nullptr && tokens_.accept_sign("]")) {
    return checked(make_item(offset, std::move(base), std::move(first)));
  }
  SliceExpressions bounds;
  bounds.start = std::move(first);
  tokens_.expect_sign(":");
  if (!tokens_.peek().is_sign(":") && !tokens_.peek().is_sign("]"))
    bounds.stop = expressions_.parse_expression();
  if (tokens_.accept_sign(":") && !tokens_.peek().is_sign("]")) bounds.step = expressions_.parse_expression();
  tokens_.expect_sign("]");
  return checked(make_slice(offset, std::move(base), std::move(bounds)));
}

std::string OperandParser::parse_dotted_name() {
  std::string name = tokens_.expect_any_name().text;
  while (tokens_.accept_sign(".")) name += "." + tokens_.expect_any_name().text;
  return name;
}

OperandParser::NamedCall OperandParser::parse_filter_name() {
  NamedCall filter;
  filter.name = parse_dotted_name();
  if (tokens_.peek().is_sign("(")) filter.arguments = parse_arguments();
  return filter;
}

ExpressionPtr OperandParser::parse_test(ExpressionPtr input) {
  const std::uint32_t offset = tokens_.peek().offset;
  const bool negated = tokens_.accept_name("not");
  std::string name = parse_dotted_name();
  ArgumentExpressions arguments = parse_test_arguments();
  ExpressionPtr test = checked(make_test(offset, std::move(input), std::move(name), std::move(arguments)));
  return negated ? checked(make_unary(offset, Unary::logical_not, std::move(test))) : std::move(test);
}

// In brackets, or one operand without them: `x is divisibleby 3`.
ArgumentExpressions OperandParser::parse_test_arguments() {
  const Token& next = tokens_.peek();
  if (next.is_sign("(")) return parse_arguments();
  ArgumentExpressions arguments;
  const bool keyword = next.is_name("else") || next.is_name("or") || next.is_name("and");
  const bool operand = next.is(TokenKind::name) || next.is(TokenKind::string) ||
                       next.is(TokenKind::integer) || next.is(TokenKind::floating) || next.is_sign("[") ||
                       next.is_sign("{");
  if (!operand || keyword) return arguments;
  if (next.is_name("is")) tokens_.fail("tests cannot follow each other");
  // `x is defined if y`: an operand in jinja's grammar, but never meant as one.
  if (next.is_name("if") || next.is_name("not") || next.is_name("in")) return arguments;
  ArgumentExpression argument;
  argument.value = parse_postfix(parse_primary());
  arguments.push_back(std::move(argument));
  return arguments;
}

ArgumentExpressions OperandParser::parse_arguments() {
  tokens_.expect_sign("(");
  ArgumentExpressions arguments;
  while (!tokens_.peek().is_sign(")")) {
    if (!arguments.empty()) tokens_.expect_sign(",");
    if (tokens_.peek().is_sign(")")) break;
    const bool after_keyword =
        !arguments.empty() && (arguments.back().kind == ArgumentExpression::Kind::keyword ||
                               arguments.back().kind == ArgumentExpression::Kind::unpacked_dict);
    arguments.push_back(parse_argument());
    const bool positional = arguments.back().kind == ArgumentExpression::Kind::positional;
    if (after_keyword && positional) tokens_.fail("a positional argument follows keyword arguments");
  }
  tokens_.expect_sign(")");
  return arguments;
}

ArgumentExpression OperandParser::parse_argument() {
  ArgumentExpression argument;
  if (tokens_.accept_sign("*")) {
    argument.kind = ArgumentExpression::Kind::unpacked_list;
  } else if (tokens_.accept_sign("**")) {
    argument.kind = ArgumentExpression::Kind::unpacked_dict;
  } else if (tokens_.peek().is(TokenKind::name) && tokens_.peek(1).is_sign("=")) {
    argument.kind = ArgumentExpression::Kind::keyword;
    argument.name = Text(tokens_.next().text, kTemplateOrigin);
    tokens_.next();
  }
  argument.value = expressions_.parse_expression();
  return argument;
}

}  // namespace parley::orchestration::jinja
