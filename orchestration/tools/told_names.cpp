#include "orchestration/tools/told_names.h"

#include <algorithm>

#include "orchestration/mcp/plain_text.h"

namespace parley::orchestration::tools {

std::string told_name(std::string_view name) { return mcp::plain_line(name, kMaxToldBytes); }

std::string told_names(const std::vector<std::string>& names) {
  std::string told;
  const std::size_t count = std::min(names.size(), kMaxToldNames);
  for (std::size_t i = 0; i < count; ++i) told += (i == 0 ? "" : ", ") + told_name(names[i]);
  if (count < names.size()) told += " and " + std::to_string(names.size() - count) + " more";
  return told;
}

}  // namespace parley::orchestration::tools
