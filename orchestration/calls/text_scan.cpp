#include "orchestration/calls/text_scan.h"

namespace parley::orchestration::calls {

LineStart line_start_after(std::string_view text, LineStart before) {
  const std::size_t newline = text.rfind('\n');
  const std::string_view line = newline == std::string_view::npos ? text : text.substr(newline + 1);
  for (const char byte : line) {
    if (!is_space(byte)) return LineStart::no;
  }
  return newline == std::string_view::npos ? before : LineStart::yes;
}

}  // namespace parley::orchestration::calls
