#pragma once
// Expressions, by recursive descent with Jinja2's grammar, from the loosest binding operator to the tightest.
// Confined to one parse. Throws TemplateError.

#include <cstddef>

#include "orchestration/jinja/expressions.h"
#include "orchestration/jinja/name_table.h"
#include "orchestration/jinja/operand_parser.h"
#include "orchestration/jinja/token_stream.h"

namespace parley::orchestration::jinja {

enum class InlineIf : bool { refused, allowed };

class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, NameTable& names)
      : tokens_(tokens), operands_(tokens, names, *this) {}

  ExpressionPtr parse_expression(InlineIf inline_if = InlineIf::allowed);
  // One expression, or several with commas between them.
  ExpressionPtr parse_tuple(InlineIf inline_if = InlineIf::allowed);
  OperandParser& operands() { return operands_; }

  // The expression itself; fails when its tree is too high to be walked.
  ExpressionPtr checked(ExpressionPtr expression) const;

  // While it lives, one more level of nesting; fails when there are too many.
  class Level {
   public:
    explicit Level(ExpressionParser& parser);
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    ExpressionParser& parser_;
  };

 private:
  ExpressionPtr parse_conditional();
  ExpressionPtr parse_or();
  ExpressionPtr parse_and();
  ExpressionPtr parse_not();
  ExpressionPtr parse_comparison();
  ExpressionPtr parse_sum();
  ExpressionPtr parse_concatenation();
  ExpressionPtr parse_product();
  ExpressionPtr parse_power();

  bool at_comparison(Comparison& comparison) const;

  TokenStream& tokens_;
  OperandParser operands_;
  std::size_t depth_ = 0;
};

}  // namespace parley::orchestration::jinja
