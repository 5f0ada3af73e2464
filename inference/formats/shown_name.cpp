#include "inference/formats/shown_name.h"

namespace parley::inference::formats {

std::string shown_name(std::string_view name) {
  constexpr std::size_t kMaxShown = 80;
  constexpr char kHex[] = "0123456789abcdef";
  std::string shown = "'";
  for (const char c : name.substr(0, kMaxShown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '\'' && c != '\\') {
      shown += c;
    } else {
      shown += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return shown + (name.size() > kMaxShown ? "...'" : "'");
}

}  // namespace parley::inference::formats
