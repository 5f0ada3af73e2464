#include "retrieval/index/text_hash.h"

#include <openssl/evp.h>

#include <stdexcept>

namespace parley::retrieval::index {

TextHash hash_text(std::string_view bytes) {
  TextHash hash{};
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL cannot compute SHA-256.");
  return hash;
}

}  // namespace parley::retrieval::index
