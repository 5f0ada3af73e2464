#include "retrieval/index/string_list.h"

namespace parley::retrieval::index {

std::string encode_list(const std::vector<std::string>& items) {
  std::string bytes;
  for (const std::string& item : items) {
    bytes += item.substr(0, item.find('\0'));
    bytes += '\0';
  }
  return bytes;
}

std::vector<std::string> decode_list(std::string_view bytes) {
  std::vector<std::string> items;
  for (std::size_t end = bytes.find('\0'); end != std::string_view::npos; end = bytes.find('\0')) {
    items.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
  }
  return items;
}

}  // namespace parley::retrieval::index
