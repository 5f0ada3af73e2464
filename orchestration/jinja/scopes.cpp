#include "orchestration/jinja/scopes.h"

namespace parley::orchestration::jinja {

Scopes::Scopes(ValueList globals) : globals_(std::move(globals)) { current_ = acquire(nullptr); }

const Value* Scopes::find(NameId name) const {
  for (const Scope* scope = current_; scope != nullptr; scope = scope->parent_) {
    for (const auto& [known, value] : scope->variables_) {
      if (known == name) return &value;
    }
  }
  const Value& global = globals_[name];
  return global.is(Value::Kind::undefined) ? nullptr : &global;
}

void Scopes::assign(NameId name, Value value) {
  for (auto& [known, present] : current_->variables_) {
    if (known == name) {
      present = std::move(value);
      return;
    }
  }
  current_->variables_.emplace_back(name, std::move(value));
}

Scope* Scopes::keep_current() {
  for (Scope* scope = current_; scope != nullptr && !scope->kept_; scope = scope->parent_)
    scope->kept_ = true;
  return current_;
}

Scope* Scopes::acquire(Scope* parent) {
  Scope* scope = nullptr;
  if (free_.empty()) {
    all_.push_back(std::make_unique<Scope>());
    scope = all_.back().get();
  } else {
    scope = free_.back();
    free_.pop_back();
  }
  scope->parent_ = parent;
  return scope;
}

void Scopes::recycle(Scope* scope) {
  if (scope->kept_) return;
  scope->variables_.clear();
  free_.push_back(scope);
}

}  // namespace parley::orchestration::jinja
