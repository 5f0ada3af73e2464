#include "orchestration/jinja/scopes.h"

namespace parley::orchestration::jinja {

namespace {

// Below this a linear search is faster than the index.
constexpr std::size_t kIndexFrom = 17;

}  // namespace

Value* Scope::find(NameId name) {
  if (!places_.empty()) {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &variables_[found->second].second;
  }
  for (auto& [known, value] : variables_) {
    if (known == name) return &value;
  }
  return nullptr;
}

void Scope::add(NameId name, Value value) {
  variables_.emplace_back(name, std::move(value));
  if (variables_.size() < kIndexFrom) return;
  const std::size_t first = places_.empty() ? 0 : variables_.size() - 1;
  for (std::size_t i = first; i < variables_.size(); ++i) places_.emplace(variables_[i].first, i);
}

void Scope::clear() {
  variables_.clear();
  if (!places_.empty()) places_ = {};
}

Scopes::Scopes(ValueList globals) : globals_(std::move(globals)) { current_ = acquire(nullptr); }

const Value* Scopes::find(NameId name) const {
  for (Scope* scope = current_; scope != nullptr; scope = scope->parent_) {
    if (const Value* value = scope->find(name)) return value;
  }
  const Value& global = globals_[name];
  return global.is(Value::Kind::undefined) ? nullptr : &global;
}

void Scopes::assign(NameId name, Value value) {
  if (Value* present = current_->find(name)) {
    *present = std::move(value);
  } else {
    current_->add(name, std::move(value));
  }
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
  scope->clear();
  free_.push_back(scope);
}

}  // namespace parley::orchestration::jinja
