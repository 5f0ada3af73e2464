#pragma once
// Height of an expression from those below it. Pure functions, any thread, never fail.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "orchestration/jinja/expressions.h"

namespace parley::orchestration::jinja {

template <typename... Parts>
std::size_t height_above(const Parts&... parts) {
  return 1 + std::max({(parts == nullptr ? std::size_t{0} : parts->height())...});
}

inline std::size_t height_above(const std::vector<ExpressionPtr>& parts) {
  std::size_t height = 1;
  for (const ExpressionPtr& part : parts) height = std::max(height, height_above(part));
  return height;
}

inline std::size_t height_above(const ExpressionPtr& base, const ArgumentExpressions& arguments) {
  std::size_t height = height_above(base);
  for (const ArgumentExpression& argument : arguments)
    height = std::max(height, height_above(argument.value));
  return height;
}

}  // namespace parley::orchestration::jinja
