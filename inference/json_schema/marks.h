#pragma once
// Which children of one value (members of an object, elements of an array) some keyword has taken care of:
// what `unevaluatedProperties` and `unevaluatedItems` ask. Used by one thread. A value without children, and
// a schema that never asks, have no marks and cost nothing.

#include <cstddef>
#include <vector>

#include "inference/json/json.h"

namespace parley::inference::json_schema {

class Marks {
 public:
  Marks() = default;  // takes no marks
  explicit Marks(const json::JsonValue& value) {
    if (const auto* object = value.if_object()) marked_.resize(object->size());
    if (const auto* array = value.if_array()) marked_.resize(array->size());
  }

  void mark(std::size_t child) {
    if (child < marked_.size()) marked_[child] = true;
  }
  void mark_all() { marked_.assign(marked_.size(), true); }
  bool has(std::size_t child) const { return child < marked_.size() && marked_[child]; }
  std::size_t size() const { return marked_.size(); }

  // `other` is of the same value.
  void add(const Marks& other) {
    for (std::size_t i = 0; i < other.marked_.size(); ++i) {
      if (other.marked_[i]) mark(i);
    }
  }

 private:
  std::vector<bool> marked_;
};

}  // namespace parley::inference::json_schema
