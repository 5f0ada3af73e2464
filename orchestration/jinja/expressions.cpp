// Literals, names, containers, look-ups, the conditional.

#include "orchestration/jinja/expressions.h"

#include <algorithm>

#include "orchestration/jinja/attributes.h"
#include "orchestration/jinja/expression_height.h"

namespace parley::orchestration::jinja {
namespace {

using Kind = Value::Kind;

class Literal : public Expression {
 public:
  Literal(std::uint32_t offset, Value value) : Expression(offset, 1), value_(std::move(value)) {}

 private:
  Value compute(Interpreter&) const override { return value_; }
  Value value_;
};

class Name : public Expression {
 public:
  Name(std::uint32_t offset, NameId id, std::string name)
      : Expression(offset, 1), id_(id), name_(std::move(name)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    if (const Value* found = interpreter.scopes().find(id_)) return *found;
    Undefined missing;
    missing.name = name_;
    return missing;
  }
  NameId id_;
  std::string name_;
};

class SequenceExpression : public Expression {
 public:
  SequenceExpression(std::uint32_t offset, std::vector<ExpressionPtr> items, Sequence sequence)
      : Expression(offset, height_above(items)), items_(std::move(items)), sequence_(sequence) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    ValueList values;
    values.reserve(items_.size());
    for (const ExpressionPtr& item : items_) values.push_back(item->evaluate(interpreter));
    return interpreter.make_list(std::move(values), sequence_);
  }
  std::vector<ExpressionPtr> items_;
  Sequence sequence_;
};

class DictExpression : public Expression {
 public:
  using Entries = std::vector<std::pair<ExpressionPtr, ExpressionPtr>>;
  DictExpression(std::uint32_t offset, Entries entries)
      : Expression(offset, height_of(entries)), entries_(std::move(entries)) {}

 private:
  static std::size_t height_of(const Entries& entries) {
    std::size_t height = 1;
    for (const auto& [key, value] : entries) height = std::max(height, height_above(key, value));
    return height;
  }
  Value compute(Interpreter& interpreter) const override {
    Dict dict;
    for (const auto& [key, value] : entries_) {
      Value name = key->evaluate(interpreter);
      if (!Dict::hashable(name)) interpreter.fail("unhashable type: '" + std::string(type_name(name)) + "'");
      interpreter.charge_entry(name);
      dict.set(std::move(name), value->evaluate(interpreter));
    }
    return interpreter.make_dict(std::move(dict));
  }
  Entries entries_;
};

class AttributeExpression : public Expression {
 public:
  AttributeExpression(std::uint32_t offset, ExpressionPtr base, std::string name)
      : Expression(offset, height_above(base)), base_(std::move(base)), name_(std::move(name)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    const Value base = base_->evaluate(interpreter);
    here(interpreter);
    return attribute_of(interpreter, base, name_);
  }
  ExpressionPtr base_;
  std::string name_;
};

class ItemExpression : public Expression {
 public:
  ItemExpression(std::uint32_t offset, ExpressionPtr base, ExpressionPtr key)
      : Expression(offset, height_above(base, key)), base_(std::move(base)), key_(std::move(key)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    const Value base = base_->evaluate(interpreter);
    const Value key = key_->evaluate(interpreter);
    here(interpreter);
    return item_of(interpreter, base, key);
  }
  ExpressionPtr base_;
  ExpressionPtr key_;
};

class SliceExpression : public Expression {
 public:
  SliceExpression(std::uint32_t offset, ExpressionPtr base, SliceExpressions bounds)
      : Expression(offset,
                   std::max(height_above(base), height_above(bounds.start, bounds.stop, bounds.step))),
        base_(std::move(base)),
        bounds_(std::move(bounds)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    const Value base = base_->evaluate(interpreter);
    SliceBounds bounds;
    bounds.start = value_or_none(interpreter, bounds_.start);
    bounds.stop = value_or_none(interpreter, bounds_.stop);
    bounds.step = value_or_none(interpreter, bounds_.step);
    here(interpreter);
    return slice_of(interpreter, base, bounds);
  }
  static Value value_or_none(Interpreter& interpreter, const ExpressionPtr& bound) {
    return bound == nullptr ? Value::none() : bound->evaluate(interpreter);
  }
  ExpressionPtr base_;
  SliceExpressions bounds_;
};

class Conditional : public Expression {
 public:
  Conditional(std::uint32_t offset, Choice choice)
      : Expression(offset, height_above(choice.test, choice.then, choice.otherwise)),
        choice_(std::move(choice)) {}

 private:
  Value compute(Interpreter& interpreter) const override {
    if (truthy(choice_.test->evaluate(interpreter))) return choice_.then->evaluate(interpreter);
    return choice_.otherwise == nullptr ? Value() : choice_.otherwise->evaluate(interpreter);
  }
  Choice choice_;
};

}  // namespace

Value Expression::call_with(Interpreter& interpreter, const Value&) const {
  interpreter.fail("this expression is not a call");
}

ExpressionPtr make_literal(std::uint32_t offset, Value value) {
  return std::make_unique<Literal>(offset, std::move(value));
}

ExpressionPtr make_name(std::uint32_t offset, NameId id, std::string name) {
  return std::make_unique<Name>(offset, id, std::move(name));
}

ExpressionPtr make_sequence(std::uint32_t offset, std::vector<ExpressionPtr> items, Sequence sequence) {
  return std::make_unique<SequenceExpression>(offset, std::move(items), sequence);
}

ExpressionPtr make_dict(std::uint32_t offset, std::vector<std::pair<ExpressionPtr, ExpressionPtr>> entries) {
  return std::make_unique<DictExpression>(offset, std::move(entries));
}

ExpressionPtr make_attribute(std::uint32_t offset, ExpressionPtr base, std::string name) {
  return std::make_unique<AttributeExpression>(offset, std::move(base), std::move(name));
}

ExpressionPtr make_item(std::uint32_t offset, ExpressionPtr base, ExpressionPtr key) {
  return std::make_unique<ItemExpression>(offset, std::move(base), std::move(key));
}

ExpressionPtr make_slice(std::uint32_t offset, ExpressionPtr base, SliceExpressions bounds) {
  return std::make_unique<SliceExpression>(offset, std::move(base), std::move(bounds));
}

ExpressionPtr make_conditional(std::uint32_t offset, Choice choice) {
  return std::make_unique<Conditional>(offset, std::move(choice));
}

}  // namespace parley::orchestration::jinja
