#pragma once
// namespace(): the only thing a template can assign to across scopes. Owned by one render, never
// fails.

#include <utility>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"

namespace parley::orchestration::jinja {

class NamespaceObject : public Object {
 public:
  explicit NamespaceObject(Dict attributes) : attributes_(std::move(attributes)) {}

  std::string_view type_name() const override { return "Namespace"; }

  std::optional<Value> attribute(Interpreter&, std::string_view name) const override {
    const Value* found = attributes_.find(name);
    return found == nullptr ? std::nullopt : std::optional<Value>(*found);
  }

  bool set_attribute(Interpreter&, std::string_view name, const Value& value) override {
    attributes_.set(name, value);
    return true;
  }

  void release() override { attributes_ = Dict(); }

 private:
  Dict attributes_;
};

}  // namespace parley::orchestration::jinja
