#include "orchestration/jinja/macro.h"

#include "orchestration/jinja/capture.h"

namespace parley::orchestration::jinja {

std::optional<Value> MacroObject::attribute(Interpreter&, std::string_view name) const {
  if (name == "name") return Value::text(definition_.name, kTemplateOrigin);
  return std::nullopt;
}

Value MacroObject::call(Interpreter& interpreter, const Arguments& arguments) {
  const CallDepth depth(interpreter);
  const ScopeEntry scope(interpreter.scopes(), scope_);
  bind(interpreter, arguments);
  Capture capture(interpreter);
  execute_block(interpreter, definition_.body);
  return capture.builder().take();
}

void MacroObject::bind(Interpreter& interpreter, const Arguments& arguments) const {
  if (arguments.positional.size() > definition_.parameters.size() && !definition_.uses_varargs) {
    interpreter.fail("macro '" + definition_.name + "' takes not more than " +
                     std::to_string(definition_.parameters.size()) + " argument(s)");
  }
  std::vector<bool> used(arguments.keyword.size(), false);
  bind_parameters(interpreter, arguments, used);
  bind_rest(interpreter, arguments, used);
}

void MacroObject::bind_parameters(Interpreter& interpreter, const Arguments& arguments,
                                  std::vector<bool>& used) const {
  for (std::size_t i = 0; i < definition_.parameters.size(); ++i) {
    const MacroParameter& parameter = definition_.parameters[i];
    if (i < arguments.positional.size()) {
      interpreter.scopes().assign(parameter.id, arguments.positional[i]);
      continue;
    }
    bool given = false;
    interpreter.work(4 * arguments.keyword.size());
    for (std::size_t k = 0; k < arguments.keyword.size(); ++k) {
      if (arguments.keyword[k].first.view() != parameter.name) continue;
      interpreter.scopes().assign(parameter.id, arguments.keyword[k].second);
      used[k] = true;
      given = true;
    }
    if (given) continue;
    Undefined missing;
    missing.name = parameter.name;
    interpreter.scopes().assign(parameter.id, parameter.fallback == nullptr
                                                  ? Value(missing)
                                                  : parameter.fallback->evaluate(interpreter));
  }
}

void MacroObject::bind_rest(Interpreter& interpreter, const Arguments& arguments,
                            const std::vector<bool>& used) const {
  Dict rest;
  Value caller;
  for (std::size_t k = 0; k < arguments.keyword.size(); ++k) {
    const auto& [name, value] = arguments.keyword[k];
    if (used[k]) continue;
    if (definition_.uses_caller && name.view() == "caller") {
      caller = value;
    } else if (definition_.uses_kwargs) {
      interpreter.charge_entry(name);
      rest.set(Value(name), value);
    } else {
      interpreter.fail("macro '" + definition_.name + "' takes no keyword argument '" +
                       std::string(name.view()) + "'");
    }
  }
  if (definition_.uses_caller) interpreter.scopes().assign(definition_.caller, caller);
  if (definition_.uses_kwargs) {
    interpreter.scopes().assign(definition_.kwargs, interpreter.make_dict(std::move(rest)));
  }
  if (!definition_.uses_varargs) return;
  ValueList more;
  for (std::size_t i = definition_.parameters.size(); i < arguments.positional.size(); ++i) {
    more.push_back(arguments.positional[i]);
  }
  interpreter.scopes().assign(definition_.varargs, interpreter.make_list(std::move(more), Sequence::tuple));
}

}  // namespace parley::orchestration::jinja
