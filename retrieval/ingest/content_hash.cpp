#include "retrieval/ingest/content_hash.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <stdexcept>
#include <vector>

namespace parley::retrieval::ingest {
namespace {

constexpr std::size_t kPieceBytes = 256 * 1024;

struct FreeDigest {
  void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
};

}  // namespace

std::optional<index::TextHash> hash_contents(int descriptor) {
  const std::unique_ptr<EVP_MD_CTX, FreeDigest> digest(EVP_MD_CTX_new());
  if (!digest || EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 cannot be computed here: OpenSSL refuses it.");
  }
  std::vector<char> piece(kPieceBytes);
  for (off_t offset = 0;;) {
    const ssize_t size = ::pread(descriptor, piece.data(), piece.size(), offset);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return std::nullopt;
    if (size == 0) break;
    EVP_DigestUpdate(digest.get(), piece.data(), static_cast<std::size_t>(size));
    offset += size;
  }
  index::TextHash hash{};
  EVP_DigestFinal_ex(digest.get(), hash.data(), nullptr);
  return hash;
}

}  // namespace parley::retrieval::ingest
