#include "inference/engine/block_key.h"

#include <array>
#include <cstring>

namespace parley::inference::engine {
namespace {

constexpr std::uint64_t kFormatVersion = 1;

// Arbitrary constants with about half of their bits set: fractional digits of the square roots of the first
// ten primes, as in the initial values of SHA-512, made odd.
constexpr std::array<std::uint64_t, 10> kSecrets = {
    0x6a09e667f3bcc909, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
    0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179, 0xcbbb9d5dc1059ed9, 0x629a292a367cd507};

__extension__ using Product = unsigned __int128;

Product multiply(std::uint64_t a, std::uint64_t b) { return static_cast<Product>(a) * b; }
std::uint64_t low_half(Product p) { return static_cast<std::uint64_t>(p); }
std::uint64_t high_half(Product p) { return static_cast<std::uint64_t>(p >> 64); }
std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const Product p = multiply(a, b);
  return low_half(p) ^ high_half(p);
}

}  // namespace

BlockKey root_key(std::uint64_t cache_root, std::uint64_t cache_salt) {
  const std::uint64_t versioned = fold(cache_root ^ kSecrets[0], kFormatVersion ^ kSecrets[1]);
  return {fold(versioned ^ kSecrets[2], cache_salt ^ kSecrets[3]),
          fold(versioned ^ kSecrets[4], cache_salt ^ kSecrets[5])};
}

// The tokens are mixed without waiting for the parent, so that along a chain only the last step is serial.
BlockKey chain_key(const BlockKey& parent, BlockTokens tokens) {
  constexpr std::size_t kWords = backend::kBlockTokens * sizeof(std::int32_t) / sizeof(std::uint64_t);
  std::array<std::uint64_t, kWords> words;
  std::memcpy(words.data(), tokens.data(), sizeof(words));
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (std::size_t i = 0; i < kWords; i += 2) {
    const Product p = multiply(words[i] ^ kSecrets[i], words[i + 1] ^ kSecrets[i + 1]);
    low ^= low_half(p);
    high += high_half(p);
  }
  return {fold(parent.low ^ low ^ kSecrets[8], parent.high + high),
          fold(parent.high ^ high ^ kSecrets[9], parent.low + low)};
}

}  // namespace parley::inference::engine
