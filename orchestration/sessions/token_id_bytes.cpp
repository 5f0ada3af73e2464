#include "orchestration/sessions/token_id_bytes.h"

namespace parley::orchestration::sessions {

std::string encode_token_ids(std::span<const std::int32_t> ids) {
  std::string bytes;
  bytes.reserve(ids.size() * 3);
  for (const std::int32_t id : ids) {
    auto rest = static_cast<std::uint32_t>(id);
    for (; rest >= 0x80; rest >>= 7) bytes.push_back(static_cast<char>(rest | 0x80));
    bytes.push_back(static_cast<char>(rest));
  }
  return bytes;
}

bool decode_token_ids(std::string_view bytes, std::vector<std::int32_t>& ids) {
  std::uint64_t value = 0;
  int shift = 0;
  for (const char byte : bytes) {
    const auto bits = static_cast<std::uint8_t>(byte);
    value |= static_cast<std::uint64_t>(bits & 0x7f) << shift;
    shift += 7;
    const bool last = (bits & 0x80) == 0;
    if (value > UINT32_MAX || (!last && shift > 28)) return false;
    if (!last) continue;
    ids.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
    value = 0;
    shift = 0;
  }
  return shift == 0;
}

}  // namespace parley::orchestration::sessions
