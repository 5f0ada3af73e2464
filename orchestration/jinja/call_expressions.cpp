// Calls, filters, tests and their arguments.

#include <string>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/expression_height.h"
#include "orchestration/jinja/expressions.h"
#include "orchestration/jinja/filters.h"
#include "orchestration/jinja/python_text.h"
#include "orchestration/jinja/value_tests.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

class CallExpression : public Expression {
 public:
  CallExpression(std::uint32_t offset, ExpressionPtr callee, ArgumentExpressions arguments)
      : Expression(offset, height_above(callee, arguments)),
        callee_(std::move(callee)),
        arguments_(std::move(arguments)) {}

  bool is_call() const override { return true; }

  Value call_with(Interpreter& interpreter, const Value& caller) const override {
    const Value callee = callee_->evaluate(interpreter);
    Arguments arguments = evaluate_arguments(interpreter, arguments_);
    arguments.keyword.emplace_back(Text("caller", kTemplateOrigin), caller);
    here(interpreter);
    return call_value(interpreter, callee, arguments);
  }

 private:
  Value compute(Interpreter& interpreter) const override {
    const Value callee = callee_->evaluate(interpreter);
    const Arguments arguments = evaluate_arguments(interpreter, arguments_);
    here(interpreter);
    return call_value(interpreter, callee, arguments);
  }
  ExpressionPtr callee_;
  ArgumentExpressions arguments_;
};

class FilterExpression : public Expression {
 public:
  FilterExpression(std::uint32_t offset, ExpressionPtr input, std::string name, ArgumentExpressions arguments)
      : Expression(offset, height_above(input, arguments)),
        input_(std::move(input)),
        name_(std::move(name)),
        filter_(find_filter(name_)),
        arguments_(std::move(arguments)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    const Value input = input_->evaluate(interpreter);
    const Arguments arguments = evaluate_arguments(interpreter, arguments_);
    here(interpreter);
    if (filter_ == nullptr) interpreter.fail("No filter named '" + name_ + "'");
    return filter_(interpreter, input, arguments);
  }
  ExpressionPtr input_;
  std::string name_;
  Filter filter_;
  ArgumentExpressions arguments_;
};

class TestExpression : public Expression {
 public:
  TestExpression(std::uint32_t offset, ExpressionPtr input, std::string name, ArgumentExpressions arguments)
      : Expression(offset, height_above(input, arguments)),
        input_(std::move(input)),
        name_(std::move(name)),
        test_(find_test(name_)),
        arguments_(std::move(arguments)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    const Value input = input_->evaluate(interpreter);
    const Arguments arguments = evaluate_arguments(interpreter, arguments_);
    here(interpreter);
    if (test_ == nullptr) interpreter.fail("No test named '" + name_ + "'");
    return Value::boolean(test_(interpreter, input, arguments));
  }
  ExpressionPtr input_;
  std::string name_;
  Test test_;
  ArgumentExpressions arguments_;
};

void unpack_list(Interpreter& interpreter, const Value& value, Arguments& arguments) {
  const auto items = iterate(interpreter, value);
  interpreter.charge_items(items->items.size());
  arguments.positional.insert(arguments.positional.end(), items->items.begin(), items->items.end());
}

void unpack_dict(Interpreter& interpreter, const Value& value, Arguments& arguments) {
  if (!value.is(Kind::dict)) interpreter.fail("argument after ** must be a mapping");
  interpreter.charge_items(2 * value.as_dict()->size());
  for (const auto& [key, item] : value.as_dict()->entries()) {
    if (!key.is(Kind::text)) interpreter.fail("keywords must be strings");
    arguments.keyword.emplace_back(key.as_text(), item);
  }
}

}  // namespace

Arguments evaluate_arguments(Interpreter& interpreter, const ArgumentExpressions& arguments) {
  Arguments evaluated;
  for (const ArgumentExpression& argument : arguments) {
    Value value = argument.value->evaluate(interpreter);
    switch (argument.kind) {
      case ArgumentExpression::Kind::positional:
        evaluated.positional.push_back(std::move(value));
        break;
      case ArgumentExpression::Kind::keyword:
        evaluated.keyword.emplace_back(argument.name, std::move(value));
        break;
      case ArgumentExpression::Kind::unpacked_list:
        unpack_list(interpreter, value, evaluated);
        break;
      case ArgumentExpression::Kind::unpacked_dict:
        unpack_dict(interpreter, value, evaluated);
        break;
    }
  }
  return evaluated;
}

Value call_value(Interpreter& interpreter, const Value& callee, const Arguments& arguments) {
  if (callee.is(Kind::undefined)) interpreter.fail(describe(callee.as_undefined()));
  if (!callee.is(Kind::object)) {
    interpreter.fail("'" + std::string(type_name(callee)) + "' object is not callable");
  }
  // Held here: the call may replace what held the callee.
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const std::shared_ptr<Object> object = callee.as_object();
  return object->call(interpreter, arguments);
}

ExpressionPtr make_call(std::uint32_t offset, ExpressionPtr callee, ArgumentExpressions arguments) {
  return std::make_unique<CallExpression>(offset, std::move(callee), std::move(arguments));
}

ExpressionPtr make_filter(std::uint32_t offset, ExpressionPtr input, std::string name,
                          ArgumentExpressions arguments) {
  return std::make_unique<FilterExpression>(offset, std::move(input), std::move(name), std::move(arguments));
}

ExpressionPtr make_test(std::uint32_t offset, ExpressionPtr input, std::string name,
                        ArgumentExpressions arguments) {
  return std::make_unique<TestExpression>(offset, std::move(input), std::move(name), std::move(arguments));
}

}  // namespace parley::orchestration::jinja
