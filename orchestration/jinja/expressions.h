#pragma once
// Makes the expressions of the template language; `offset` is a place in the source. Pure functions, any
// thread, never fail; what the expressions do is on the render's thread and fails through it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orchestration/jinja/arithmetic.h"
#include "orchestration/jinja/ast.h"
#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/object.h"

namespace parley::orchestration::jinja {

struct ArgumentExpression {
  enum class Kind : std::uint8_t { positional, keyword, unpacked_list, unpacked_dict };
  Kind kind = Kind::positional;
  Text name;  // of a keyword
  ExpressionPtr value;
};
using ArgumentExpressions = std::vector<ArgumentExpression>;

Arguments evaluate_arguments(Interpreter& interpreter, const ArgumentExpressions& arguments);
Value call_value(Interpreter& interpreter, const Value& callee, const Arguments& arguments);

ExpressionPtr make_literal(std::uint32_t offset, Value value);
ExpressionPtr make_name(std::uint32_t offset, NameId id, std::string name);
ExpressionPtr make_sequence(std::uint32_t offset, std::vector<ExpressionPtr> items, Sequence sequence);
ExpressionPtr make_dict(std::uint32_t offset, std::vector<std::pair<ExpressionPtr, ExpressionPtr>> entries);
ExpressionPtr make_attribute(std::uint32_t offset, ExpressionPtr base, std::string name);
ExpressionPtr make_item(std::uint32_t offset, ExpressionPtr base, ExpressionPtr key);

struct SliceExpressions {
  ExpressionPtr start, stop, step;  // null: not given
};
ExpressionPtr make_slice(std::uint32_t offset, ExpressionPtr base, SliceExpressions bounds);

// `otherwise` null: undefined.
struct Choice {
  ExpressionPtr test, then, otherwise;
};
ExpressionPtr make_conditional(std::uint32_t offset, Choice choice);

ExpressionPtr make_call(std::uint32_t offset, ExpressionPtr callee, ArgumentExpressions arguments);
ExpressionPtr make_filter(std::uint32_t offset, ExpressionPtr input, std::string name,
                          ArgumentExpressions arguments);
ExpressionPtr make_test(std::uint32_t offset, ExpressionPtr input, std::string name,
                        ArgumentExpressions arguments);

enum class Unary : std::uint8_t { negate, plus, logical_not };
ExpressionPtr make_unary(std::uint32_t offset, Unary operation, ExpressionPtr operand);
ExpressionPtr make_binary(std::uint32_t offset, Arithmetic operation, ExpressionPtr left,
                          ExpressionPtr right);
ExpressionPtr make_concatenation(std::uint32_t offset, std::vector<ExpressionPtr> parts);

enum class Logic : std::uint8_t { logical_and, logical_or };
ExpressionPtr make_logic(std::uint32_t offset, Logic operation, ExpressionPtr left, ExpressionPtr right);

struct ComparisonStep {
  Comparison comparison = Comparison::equal;
  ExpressionPtr right;
};
ExpressionPtr make_comparison(std::uint32_t offset, ExpressionPtr first, std::vector<ComparisonStep> steps);

}  // namespace parley::orchestration::jinja
