#include "orchestration/tools/builtin_names.h"

#include <algorithm>
#include <array>

namespace parley::orchestration::tools {
namespace {

constexpr std::array<std::string_view, 3> kBuiltins = {"calculator", "current_time", kOutputReader};

}  // namespace

bool is_builtin(std::string_view name) {
  return std::find(kBuiltins.begin(), kBuiltins.end(), name) != kBuiltins.end();
}

std::string builtin_list() {
  std::string list;
  for (const std::string_view name : kBuiltins)
    list += (list.empty() ? "\"" : ", \"") + std::string(name) + '"';
  return list;
}

}  // namespace parley::orchestration::tools
