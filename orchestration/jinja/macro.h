#pragma once
// Macros: what the parser knows of them, and the function they become in a render. Definitions are immutable
// after parsing, any thread; calls are on the render's thread, and failures end the render.

#include <string>
#include <string_view>
#include <vector>

#include "orchestration/jinja/ast.h"
#include "orchestration/jinja/object.h"

namespace parley::orchestration::jinja {

struct MacroParameter {
  NameId id = 0;
  std::string name;
  ExpressionPtr fallback;  // null: undefined
};

struct MacroDefinition {
  std::string name;
  std::vector<MacroParameter> parameters;
  Block body;
  // Names that the body uses and that calls provide.
  bool uses_caller = false;
  bool uses_varargs = false;
  bool uses_kwargs = false;
  NameId caller = 0;
  NameId varargs = 0;
  NameId kwargs = 0;
};

// Runs in a scope inside `scope`, the one the macro was defined in. Both arguments must outlive the render.
class MacroObject : public Object {
 public:
  MacroObject(const MacroDefinition& definition, Scope* scope) : definition_(definition), scope_(scope) {}

  std::string_view type_name() const override { return "Macro"; }
  std::optional<Value> attribute(Interpreter& interpreter, std::string_view name) const override;
  bool callable() const override { return true; }
  Value call(Interpreter& interpreter, const Arguments& arguments) override;

 private:
  void bind(Interpreter& interpreter, const Arguments& arguments) const;
  void bind_parameters(Interpreter& interpreter, const Arguments& arguments, std::vector<bool>& used) const;
  void bind_rest(Interpreter& interpreter, const Arguments& arguments, const std::vector<bool>& used) const;

  const MacroDefinition& definition_;
  Scope* scope_;
};

}  // namespace parley::orchestration::jinja
