#pragma once
// Expressions, by recursive descent with Jinja2's grammar. Confined to one parse. Throws TemplateError.

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/jinja/expressions.h"
#include "orchestration/jinja/name_table.h"
#include "orchestration/jinja/token_stream.h"

namespace parley::orchestration::jinja {

enum class InlineIf : bool { refused, allowed };

class ExpressionParser {
 public:
  ExpressionParser(TokenStream& tokens, NameTable& names) : tokens_(tokens), names_(names) {}

  ExpressionPtr parse_expression(InlineIf inline_if = InlineIf::allowed);
  // One expression, or several with commas between them.
  ExpressionPtr parse_tuple(InlineIf inline_if = InlineIf::allowed);
  ArgumentExpressions parse_arguments();  // from "(" to ")"

  struct NamedCall {
    std::string name;
    ArgumentExpressions arguments;
  };
  NamedCall parse_filter_name();  // after "|"

  // Names used since the last call; a macro asks which of them its calls must provide.
  std::set<NameId> take_used_names() { return std::exchange(used_names_, {}); }
  void add_used_names(const std::set<NameId>& names) { used_names_.insert(names.begin(), names.end()); }

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

  bool at_comparison(Comparison& comparison) const;
  ExpressionPtr checked(ExpressionPtr expression) const;

  TokenStream& tokens_;
  NameTable& names_;
  std::set<NameId> used_names_;
  std::size_t depth_ = 0;
};

}  // namespace parley::orchestration::jinja
