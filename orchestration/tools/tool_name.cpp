#include "orchestration/tools/tool_name.h"

#include <algorithm>

#include "orchestration/tools/sha256.h"

namespace parley::orchestration::tools {
namespace {

constexpr std::size_t kMaxName = 64;
constexpr std::size_t kHashDigits = 8;

bool is_name_character(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && std::all_of(name.begin(), name.end(), is_name_character);
}

std::string mapped_name(std::string_view name) {
  std::string mapped(name);
  std::replace_if(
      mapped.begin(), mapped.end(), [](char c) { return !is_name_character(c); }, '_');
  if (mapped.size() > kMaxName) {
    mapped.resize(kMaxName - kHashDigits - 1);
    mapped += '_' + sha256_hex(name).substr(0, kHashDigits);
  }
  return mapped;
}

std::string mapped_name(std::string_view server, std::string_view tool) {
  return mapped_name(std::string(server) + '_' + std::string(tool));
}

}  // namespace parley::orchestration::tools
