#include "orchestration/jinja/bound_arguments.h"

#include <algorithm>
#include <cassert>

#include "orchestration/jinja/comparison.h"
#include "orchestration/jinja/python_text.h"

namespace parley::orchestration::jinja {

BoundArguments::BoundArguments(Interpreter& interpreter, const Arguments& arguments,
                               const Signature& signature)
    : interpreter_(interpreter), callee_(signature.callee) {
  assert(signature.names.size() <= kMaxParameters);
  if (arguments.positional.size() > signature.names.size()) {
    interpreter.fail(std::string(callee_) + " takes at most " + std::to_string(signature.names.size()) +
                     " arguments, not " + std::to_string(arguments.positional.size()));
  }
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) values_[i] = &arguments.positional[i];
  for (const auto& [name, value] : arguments.keyword) bind_keyword(name.view(), value, signature);
  for (std::size_t i = 0; i < signature.num_required; ++i) {
    if (values_[i] == nullptr) {
      interpreter.fail(std::string(callee_) + " needs the argument '" +
                       std::string(signature.names.begin()[i]) + "'");
    }
  }
}

void BoundArguments::bind_keyword(std::string_view name, const Value& value, const Signature& signature) {
  const auto* known = std::find(signature.names.begin(), signature.names.end(), name);
  if (known == signature.names.end()) {
    interpreter_.fail(std::string(callee_) + " has no argument '" + std::string(name) + "'");
  }
  const auto index = static_cast<std::size_t>(known - signature.names.begin());
  if (values_[index] != nullptr) {
    interpreter_.fail(std::string(callee_) + " got '" + std::string(name) + "' twice");
  }
  values_[index] = &value;
}

const Value& BoundArguments::operator[](std::size_t index) const {
  static const Value kAbsent;
  return values_[index] == nullptr ? kAbsent : *values_[index];
}

std::int64_t BoundArguments::integer(std::size_t index, std::int64_t fallback) const {
  if (!has(index)) return fallback;
  const Value& value = *values_[index];
  if (value.is(Value::Kind::integer)) return value.as_integer();
  if (value.is(Value::Kind::boolean)) return value.as_boolean() ? 1 : 0;
  interpreter_.fail(std::string(callee_) + " needs an integer, not '" + std::string(type_name(value)) + "'");
}

bool BoundArguments::flag(std::size_t index) const { return has(index) && truthy(*values_[index]); }

Text BoundArguments::text(std::size_t index) const {
  return has(index) ? to_text(interpreter_, *values_[index]) : Text();
}

}  // namespace parley::orchestration::jinja
