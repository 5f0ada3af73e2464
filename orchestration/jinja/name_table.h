#pragma once
// Numbers for names, so that variables are found without comparing text. Confined to one parse, never
// fails.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestration/jinja/scopes.h"

namespace parley::orchestration::jinja {

class NameTable {
 public:
  NameId id_of(std::string_view name) {
    const auto known = ids_.find(name);
    if (known != ids_.end()) return known->second;
    const auto id = static_cast<NameId>(names_.size());
    names_.emplace_back(name);
    ids_.emplace(names_.back(), id);
    return id;
  }

  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::map<std::string, NameId, std::less<>> ids_;
  std::vector<std::string> names_;
};

}  // namespace parley::orchestration::jinja
