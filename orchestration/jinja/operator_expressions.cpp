// Unary and binary operators, comparisons, logic.

#include "orchestration/jinja/expression_height.h"
#include "orchestration/jinja/expressions.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

class UnaryExpression : public Expression {
 public:
  UnaryExpression(std::uint32_t offset, Unary operation, ExpressionPtr operand)
      : Expression(offset, height_above(operand)), operation_(operation), operand_(std::move(operand)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    const Value operand = operand_->evaluate(interpreter);
    here(interpreter);
    if (operation_ == Unary::logical_not) return Value::boolean(!truthy(operand));
    const Value negated = negate(interpreter, operand);
    return operation_ == Unary::negate ? negated : negate(interpreter, negated);
  }
  Unary operation_;
  ExpressionPtr operand_;
};

class BinaryExpression : public Expression {
 public:
  BinaryExpression(std::uint32_t offset, Arithmetic operation, ExpressionPtr left, ExpressionPtr right)
      : Expression(offset, height_above(left, right)),
        operation_(operation),
        left_(std::move(left)),
        right_(std::move(right)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    const Value left = left_->evaluate(interpreter);
    const Value right = right_->evaluate(interpreter);
    here(interpreter);
    return calculate(interpreter, operation_, left, right);
  }
  Arithmetic operation_;
  ExpressionPtr left_;
  ExpressionPtr right_;
};

class Concatenation : public Expression {
 public:
  Concatenation(std::uint32_t offset, std::vector<ExpressionPtr> parts)
      : Expression(offset, height_above(parts)), parts_(std::move(parts)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    Text joined;
    for (const ExpressionPtr& part : parts_) {
      joined = concatenate(interpreter, joined, part->evaluate(interpreter));
    }
    return joined;
  }
  std::vector<ExpressionPtr> parts_;
};

class LogicExpression : public Expression {
 public:
  LogicExpression(std::uint32_t offset, Logic operation, ExpressionPtr left, ExpressionPtr right)
      : Expression(offset, height_above(left, right)),
        operation_(operation),
        left_(std::move(left)),
        right_(std::move(right)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    Value left = left_->evaluate(interpreter);
    const bool decided = truthy(left) == (operation_ == Logic::logical_or);
    return decided ? left : right_->evaluate(interpreter);
  }
  Logic operation_;
  ExpressionPtr left_;
  ExpressionPtr right_;
};

class ComparisonExpression : public Expression {
 public:
  ComparisonExpression(std::uint32_t offset, ExpressionPtr first, std::vector<ComparisonStep> steps)
      : Expression(offset, height_of(first, steps)), first_(std::move(first)), steps_(std::move(steps)) {}

 private:
  static std::size_t height_of(const ExpressionPtr& first, const std::vector<ComparisonStep>& steps) {
    std::size_t height = height_above(first);
    for (const ComparisonStep& step : steps) height = std::max(height, height_above(step.right));
    return height;
  }
  Value compute(Interpreter& interpreter) const override {
    Value left = first_->evaluate(interpreter);
    for (const ComparisonStep& step : steps_) {
      Value right = step.right->evaluate(interpreter);
      here(interpreter);
      if (!compare(interpreter, step.comparison, left, right)) return Value::boolean(false);
      left = std::move(right);
    }
    return Value::boolean(true);
  }
  ExpressionPtr first_;
  std::vector<ComparisonStep> steps_;
};

}  // namespace

ExpressionPtr make_unary(std::uint32_t offset, Unary operation, ExpressionPtr operand) {
  return std::make_unique<UnaryExpression>(offset, operation, std::move(operand));
}

ExpressionPtr make_binary(std::uint32_t offset, Arithmetic operation, ExpressionPtr left,
                          ExpressionPtr right) {
  return std::make_unique<BinaryExpression>(offset, operation, std::move(left), std::move(right));
}

ExpressionPtr make_concatenation(std::uint32_t offset, std::vector<ExpressionPtr> parts) {
  return std::make_unique<Concatenation>(offset, std::move(parts));
}

ExpressionPtr make_logic(std::uint32_t offset, Logic operation, ExpressionPtr left, ExpressionPtr right) {
  return std::make_unique<LogicExpression>(offset, operation, std::move(left), std::move(right));
}

ExpressionPtr make_comparison(std::uint32_t offset, ExpressionPtr first, std::vector<ComparisonStep> steps) {
  return std::make_unique<ComparisonExpression>(offset, std::move(first), std::move(steps));
}

}  // namespace parley::orchestration::jinja
