#pragma once
// Arguments of a call matched to the names of a built-in's parameters, as Python does it.
// Refers to the arguments it was made from. On the render's thread; failures end the render.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/object.h"

namespace parley::orchestration::jinja {

class BoundArguments {
 public:
  struct Signature {
    std::string_view callee;
    std::initializer_list<std::string_view> names;  // at most kMaxParameters
    std::size_t num_required = 0;
  };

  BoundArguments(Interpreter& interpreter, const Arguments& arguments, const Signature& signature);

  bool has(std::size_t index) const { return values_[index] != nullptr; }
  const Value& operator[](std::size_t index) const;  // undefined when absent

  // The fallback when absent; fails when it is something else.
  std::int64_t integer(std::size_t index, std::int64_t fallback) const;
  bool flag(std::size_t index) const;  // truthiness; false when absent
  Text text(std::size_t index) const;  // empty when absent; anything else is turned into text

 private:
  static constexpr std::size_t kMaxParameters = 6;

  void bind_keyword(std::string_view name, const Value& value, const Signature& signature);

  Interpreter& interpreter_;
  std::string_view callee_;
  std::array<const Value*, kMaxParameters> values_{};
};

}  // namespace parley::orchestration::jinja
