#include "orchestration/tools/argument_text.h"

#include <cmath>
#include <cstdint>

#include "inference/json/json_writer.h"

namespace parley::orchestration::tools {

std::string argument_text(const inference::json::JsonValue& value) {
  constexpr double kLargestPlainInteger = 1e15;
  if (value.is_string()) return std::string(value.get_string());
  // Models write 100000.0 for 100000; a float's shortest text is 1e+05, which few programs expect.
  if (value.is_double() && std::trunc(value.get_double()) == value.get_double() &&
      std::abs(value.get_double()) < kLargestPlainInteger) {
    return std::to_string(static_cast<std::int64_t>(value.get_double()));
  }
  return inference::json::to_json_text(value);
}

}  // namespace parley::orchestration::tools
