#pragma once
// Operands of expressions: literals, names, brackets, and what follows them (attributes, items, calls,
// filters, tests). Confined to one parse. Throws TemplateError.

#include <set>
#include <string>
#include <utility>

#include "orchestration/jinja/expressions.h"
#include "orchestration/jinja/name_table.h"
#include "orchestration/jinja/token_stream.h"

namespace parley::orchestration::jinja {

class ExpressionParser;

class OperandParser {
 public:
  // `expressions` parses what stands in brackets; it owns this parser.
  OperandParser(TokenStream& tokens, NameTable& names, ExpressionParser& expressions)
      : tokens_(tokens), names_(names), expressions_(expressions) {}

  // With signs before it and filters behind it.
  ExpressionPtr parse_operand() { return parse_unary(Filters::allowed); }

  ArgumentExpressions parse_arguments();  // from "(" to ")"

  struct NamedCall {
    std::string name;
    ArgumentExpressions arguments;
  };
  NamedCall parse_filter_name();  // after "|"

  // Names used since the last call; a macro asks which of them its calls must provide.
  std::set<NameId> take_used_names() { return std::exchange(used_names_, {}); }
  void add_used_names(const std::set<NameId>& names) { used_names_.insert(names.begin(), names.end()); }

 private:
  enum class Filters : bool { refused, allowed };
  ExpressionPtr parse_unary(Filters filters);
  ExpressionPtr parse_primary();
  ExpressionPtr parse_name();
  ExpressionPtr parse_parenthesis();
  ExpressionPtr parse_list();
  ExpressionPtr parse_dict();
  ExpressionPtr parse_postfix(ExpressionPtr base);
  ExpressionPtr parse_filters(ExpressionPtr base);
  ExpressionPtr parse_dot(ExpressionPtr base);
  ExpressionPtr parse_subscript(ExpressionPtr base);
  ExpressionPtr parse_test(ExpressionPtr input);
  ArgumentExpressions parse_test_arguments();
  ArgumentExpression parse_argument();
  std::string parse_dotted_name();
  ExpressionPtr checked(ExpressionPtr expression) const;

  TokenStream& tokens_;
  NameTable& names_;
  ExpressionParser& expressions_;
  std::set<NameId> used_names_;
};

}  // namespace parley::orchestration::jinja
