#pragma once
// Makes the statements of the template language; `offset` is a place in the source. Pure functions, any
// thread, never fail; what the statements do is on the render's thread and fails through it.

#include <cstdint>
#include <string>
#include <vector>

#include "orchestration/jinja/ast.h"
#include "orchestration/jinja/expressions.h"
#include "orchestration/jinja/macro.h"

namespace parley::orchestration::jinja {

// What `set` and `for` assign to: a name, an attribute of a namespace, or several of them.
struct Target {
  std::uint32_t offset = 0;
  NameId name = 0;
  std::string attribute;      // not empty: of the namespace `name`
  std::vector<Target> parts;  // not empty: a tuple is taken apart
};
void assign(Interpreter& interpreter, const Target& target, const Value& value);

struct FilterStep {
  std::string name;
  ArgumentExpressions arguments;
};

StatementPtr make_data(std::uint32_t offset, std::string text);
StatementPtr make_output(std::uint32_t offset, ExpressionPtr expression);

struct Branch {
  ExpressionPtr test;
  Block body;
};
StatementPtr make_if(std::uint32_t offset, std::vector<Branch> branches, Block otherwise);

struct Loop {
  Target target;
  ExpressionPtr items;
  ExpressionPtr condition;  // null: all items
  Block body;
  Block otherwise;       // when there was no item, or each round ended with a jump
  NameId loop_name = 0;  // of the variable `loop`
};
StatementPtr make_for(std::uint32_t offset, Loop loop);
StatementPtr make_jump(std::uint32_t offset, Flow flow);

StatementPtr make_set(std::uint32_t offset, Target target, ExpressionPtr value);
StatementPtr make_set_block(std::uint32_t offset, Target target, std::vector<FilterStep> filters, Block body);
StatementPtr make_filter_block(std::uint32_t offset, std::vector<FilterStep> filters, Block body);

// A block with variables of its own: `with`, `generation`.
struct Assignment {
  Target target;
  ExpressionPtr value;
};
StatementPtr make_scope(std::uint32_t offset, std::vector<Assignment> assignments, Block body);

StatementPtr make_macro(std::uint32_t offset, NameId name, MacroDefinition definition);
// `call` is a call (is_call()); it gets the definition as `caller`.
StatementPtr make_call_block(std::uint32_t offset, ExpressionPtr call, MacroDefinition definition);

}  // namespace parley::orchestration::jinja
