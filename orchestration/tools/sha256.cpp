#include "orchestration/tools/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace parley::orchestration::tools {

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("The OpenSSL library cannot compute SHA-256; check its configuration.");
  }
  std::string hex;
  for (std::size_t i = 0; i < size; ++i) {
    hex += kDigits[digest.at(i) >> 4];
    hex += kDigits[digest.at(i) & 15];
  }
  return hex;
}

}  // namespace parley::orchestration::tools
