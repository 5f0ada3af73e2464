#pragma once
// Variables of a running template. Scopes nest lexically: a macro sees the scope it was defined in, not its
// caller's. Confined to one render, never fails.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orchestration/jinja/value.h"

namespace parley::orchestration::jinja {

// Position of a name in the template's table of names.
using NameId = std::uint32_t;

class Scope {
 private:
  friend class Scopes;

  Value* find(NameId name);
  void add(NameId name, Value value);
  void clear();

  Scope* parent_ = nullptr;
  bool kept_ = false;  // a macro refers to it
  std::vector<std::pair<NameId, Value>> variables_;
  std::unordered_map<NameId, std::size_t> places_;  // in variables_, where there are many
};

class Scopes {
 public:
  // `globals` by NameId; undefined where the render has no such name.
  explicit Scopes(ValueList globals);

  // Innermost first, then the globals. Undefined values count as absent; null then.
  const Value* find(NameId name) const;
  // In the innermost scope.
  void assign(NameId name, Value value);

  // The innermost scope and those around it stay until the render ends.
  Scope* keep_current();

 private:
  friend class ScopeEntry;

  Scope* acquire(Scope* parent);
  void recycle(Scope* scope);

  ValueList globals_;
  std::vector<std::unique_ptr<Scope>> all_;
  std::vector<Scope*> free_;
  Scope* current_ = nullptr;
};

// A new innermost scope for as long as it lives.
class ScopeEntry {
 public:
  explicit ScopeEntry(Scopes& scopes) : ScopeEntry(scopes, scopes.current_) {}
  ScopeEntry(Scopes& scopes, Scope* parent) : scopes_(scopes), before_(scopes.current_) {
    scopes_.current_ = scopes_.acquire(parent);
  }
  ~ScopeEntry() {
    scopes_.recycle(scopes_.current_);
    scopes_.current_ = before_;
  }
  ScopeEntry(const ScopeEntry&) = delete;
  ScopeEntry& operator=(const ScopeEntry&) = delete;

 private:
  Scopes& scopes_;
  Scope* before_;
};

}  // namespace parley::orchestration::jinja
