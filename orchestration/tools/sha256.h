#pragma once
// SHA-256 (FIPS 180-4) by OpenSSL, in lower-case hex. Pure, any thread. Throws std::runtime_error where the
// library has none.

#include <string>
#include <string_view>

namespace parley::orchestration::tools {

std::string sha256_hex(std::string_view bytes);

}  // namespace parley::orchestration::tools
