// Output, if, set, filter blocks, scopes, macros.

#include "orchestration/jinja/statements.h"

#include <utility>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/capture.h"
#include "orchestration/jinja/filters.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {
namespace {

class Data : public Statement {
 public:
  Data(std::uint32_t offset, std::string text) : Statement(offset), text_(std::move(text), kTemplateOrigin) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    interpreter.write(text_);
    return Flow::next;
  }
  Text text_;
};

class Output : public Statement {
 public:
  Output(std::uint32_t offset, ExpressionPtr expression)
      : Statement(offset), expression_(std::move(expression)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    const Value value = expression_->evaluate(interpreter);
    interpreter.write(to_text(interpreter, value));
    return Flow::next;
  }
  ExpressionPtr expression_;
};

class If : public Statement {
 public:
  If(std::uint32_t offset, std::vector<Branch> branches, Block otherwise)
      : Statement(offset), branches_(std::move(branches)), otherwise_(std::move(otherwise)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    for (const Branch& branch : branches_) {
      if (truthy(branch.test->evaluate(interpreter))) return execute_block(interpreter, branch.body);
    }
    return execute_block(interpreter, otherwise_);
  }
  std::vector<Branch> branches_;
  Block otherwise_;
};

class Set : public Statement {
 public:
  Set(std::uint32_t offset, Target target, ExpressionPtr value)
      : Statement(offset), target_(std::move(target)), value_(std::move(value)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    assign(interpreter, target_, value_->evaluate(interpreter));
    return Flow::next;
  }
  Target target_;
  ExpressionPtr value_;
};

// What a block writes, through filters.
Value captured(Interpreter& interpreter, const Block& body, const std::vector<FilterStep>& filters) {
  Value value;
  {
    const ScopeEntry scope(interpreter.scopes());
    Capture capture(interpreter);
    execute_block(interpreter, body);
    value = capture.builder().take();
  }
  for (const FilterStep& step : filters) {
    const Arguments arguments = evaluate_arguments(interpreter, step.arguments);
    value = apply_filter(interpreter, step.name, value, arguments);
  }
  return value;
}

class SetBlock : public Statement {
 public:
  SetBlock(std::uint32_t offset, Target target, std::vector<FilterStep> filters, Block body)
      : Statement(offset), target_(std::move(target)), filters_(std::move(filters)), body_(std::move(body)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    assign(interpreter, target_, captured(interpreter, body_, filters_));
    return Flow::next;
  }
  Target target_;
  std::vector<FilterStep> filters_;
  Block body_;
};

class FilterBlock : public Statement {
 public:
  FilterBlock(std::uint32_t offset, std::vector<FilterStep> filters, Block body)
      : Statement(offset), filters_(std::move(filters)), body_(std::move(body)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    const Value value = captured(interpreter, body_, filters_);
    interpreter.write(to_text(interpreter, value));
    return Flow::next;
  }
  std::vector<FilterStep> filters_;
  Block body_;
};

class ScopeBlock : public Statement {
 public:
  ScopeBlock(std::uint32_t offset, std::vector<Assignment> assignments, Block body)
      : Statement(offset), assignments_(std::move(assignments)), body_(std::move(body)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    ValueList values;
    for (const Assignment& assignment : assignments_)
      values.push_back(assignment.value->evaluate(interpreter));
    const ScopeEntry scope(interpreter.scopes());
    for (std::size_t i = 0; i < values.size(); ++i) assign(interpreter, assignments_[i].target, values[i]);
    return execute_block(interpreter, body_);
  }
  std::vector<Assignment> assignments_;
  Block body_;
};

Value make_macro_value(Interpreter& interpreter, const MacroDefinition& definition) {
  return interpreter.make_object(
      std::make_shared<MacroObject>(definition, interpreter.scopes().keep_current()));
}

class Macro : public Statement {
 public:
  Macro(std::uint32_t offset, NameId name, MacroDefinition definition)
      : Statement(offset), name_(name), definition_(std::move(definition)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    interpreter.scopes().assign(name_, make_macro_value(interpreter, definition_));
    return Flow::next;
  }
  NameId name_;
  MacroDefinition definition_;
};

class CallBlock : public Statement {
 public:
  CallBlock(std::uint32_t offset, ExpressionPtr call, MacroDefinition definition)
      : Statement(offset), call_(std::move(call)), definition_(std::move(definition)) {}

 private:
  Flow run(Interpreter& interpreter) const override {
    const Value value = call_->call_with(interpreter, make_macro_value(interpreter, definition_));
    interpreter.write(to_text(interpreter, value));
    return Flow::next;
  }
  ExpressionPtr call_;
  MacroDefinition definition_;
};

void assign_parts(Interpreter& interpreter, const Target& target, const Value& value) {
  const auto items = iterate(interpreter, value);
  if (items->items.size() != target.parts.size()) {
    interpreter.fail("cannot unpack " + std::to_string(items->items.size()) + " values into " +
                     std::to_string(target.parts.size()) + " names");
  }
  for (std::size_t i = 0; i < target.parts.size(); ++i) assign(interpreter, target.parts[i], items->items[i]);
}

void assign_attribute(Interpreter& interpreter, const Target& target, const Value& value) {
  const Value* base = interpreter.scopes().find(target.name);
  const std::shared_ptr<Object> object =
      base != nullptr && base->is(Value::Kind::object) ? base->as_object() : nullptr;
  if (object == nullptr || !object->set_attribute(interpreter, target.attribute, value)) {
    interpreter.fail("cannot assign attribute on non-namespace object");
  }
}

}  // namespace

void assign(Interpreter& interpreter, const Target& target, const Value& value) {
  interpreter.at(target.offset);
  if (!target.parts.empty()) {
    assign_parts(interpreter, target, value);
  } else if (!target.attribute.empty()) {
    assign_attribute(interpreter, target, value);
  } else {
    interpreter.scopes().assign(target.name, value);
  }
}

Flow execute_block(Interpreter& interpreter, const Block& block) {
  for (const StatementPtr& statement : block) {
    const Flow flow = statement->execute(interpreter);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

StatementPtr make_data(std::uint32_t offset, std::string text) {
  return std::make_unique<Data>(offset, std::move(text));
}

StatementPtr make_output(std::uint32_t offset, ExpressionPtr expression) {
  return std::make_unique<Output>(offset, std::move(expression));
}

StatementPtr make_if(std::uint32_t offset, std::vector<Branch> branches, Block otherwise) {
  return std::make_unique<If>(offset, std::move(branches), std::move(otherwise));
}

StatementPtr make_set(std::uint32_t offset, Target target, ExpressionPtr value) {
  return std::make_unique<Set>(offset, std::move(target), std::move(value));
}

StatementPtr make_set_block(std::uint32_t offset, Target target, std::vector<FilterStep> filters,
                            Block body) {
  return std::make_unique<SetBlock>(offset, std::move(target), std::move(filters), std::move(body));
}

StatementPtr make_filter_block(std::uint32_t offset, std::vector<FilterStep> filters, Block body) {
  return std::make_unique<FilterBlock>(offset, std::move(filters), std::move(body));
}

StatementPtr make_scope(std::uint32_t offset, std::vector<Assignment> assignments, Block body) {
  return std::make_unique<ScopeBlock>(offset, std::move(assignments), std::move(body));
}

StatementPtr make_macro(std::uint32_t offset, NameId name, MacroDefinition definition) {
  return std::make_unique<Macro>(offset, name, std::move(definition));
}

StatementPtr make_call_block(std::uint32_t offset, ExpressionPtr call, MacroDefinition definition) {
  return std::make_unique<CallBlock>(offset, std::move(call), std::move(definition));
}

}  // namespace parley::orchestration::jinja
