#pragma once
// The parts of a parsed template: expressions have a value, statements have an effect.
// Immutable after parsing, any thread; evaluation is confined to the interpreter's thread and fails through
// it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

class Expression {
 public:
  // `offset` in the source; `height` of the tree below, for the parser's limit on it.
  Expression(std::uint32_t offset, std::size_t height) : offset_(offset), height_(height) {}
  virtual ~Expression() = default;
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  Value evaluate(Interpreter& interpreter) const {
    const Nesting nesting(interpreter);
    here(interpreter);
    interpreter.step();
    return compute(interpreter);
  }

  // A call can be made with one more argument, `caller`.
  virtual bool is_call() const { return false; }
  virtual Value call_with(Interpreter& interpreter, const Value& caller) const;

  std::uint32_t offset() const { return offset_; }
  std::size_t height() const { return height_; }

 protected:
  virtual Value compute(Interpreter& interpreter) const = 0;

  // Errors from now on are about this expression.
  void here(Interpreter& interpreter) const { interpreter.at(offset_); }

 private:
  std::uint32_t offset_;
  std::size_t height_;
};

using ExpressionPtr = std::unique_ptr<const Expression>;

// What a statement does to the loop around it.
enum class Flow : std::uint8_t { next, break_loop, continue_loop };

class Statement {
 public:
  explicit Statement(std::uint32_t offset) : offset_(offset) {}
  virtual ~Statement() = default;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Flow execute(Interpreter& interpreter) const {
    const Nesting nesting(interpreter);
    here(interpreter);
    interpreter.step();
    return run(interpreter);
  }

 protected:
  virtual Flow run(Interpreter& interpreter) const = 0;
  void here(Interpreter& interpreter) const { interpreter.at(offset_); }

 private:
  std::uint32_t offset_;
};

using StatementPtr = std::unique_ptr<const Statement>;
using Block = std::vector<StatementPtr>;

// One after the other, until one of them leaves the loop.
Flow execute_block(Interpreter& interpreter, const Block& block);

}  // namespace parley::orchestration::jinja
