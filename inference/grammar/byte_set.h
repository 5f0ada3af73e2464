#pragma once
// A set of byte values. A value type; never fails.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace parley::inference::grammar {

class ByteSet {
 public:
  constexpr void add(std::uint8_t byte) { words_[byte / 64] |= std::uint64_t{1} << (byte % 64); }
  constexpr void add_range(std::uint8_t low, std::uint8_t high) {
    for (int byte = low; byte <= high; ++byte) add(static_cast<std::uint8_t>(byte));
  }
  constexpr bool contains(std::uint8_t byte) const { return (words_[byte / 64] >> (byte % 64) & 1) != 0; }

  constexpr int size() const {
    int size = 0;
    for (const std::uint64_t word : words_) size += static_cast<int>(count(word));
    return size;
  }

  // How many members are smaller than `byte`.
  constexpr std::size_t rank(std::uint8_t byte) const {
    std::size_t rank = 0;
    for (std::size_t i = 0; i < byte / 64u; ++i) rank += count(words_[i]);
    return rank + count(words_[byte / 64] & ((std::uint64_t{1} << (byte % 64)) - 1));
  }

  constexpr ByteSet& operator|=(const ByteSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  friend constexpr ByteSet operator&(ByteSet a, const ByteSet& b) {
    for (std::size_t i = 0; i < a.words_.size(); ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  friend constexpr bool operator==(const ByteSet&, const ByteSet&) = default;

  // Calls `visit` with each member, ascending.
  template <typename Visit>
  constexpr void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(static_cast<std::uint8_t>(64 * i + static_cast<std::size_t>(std::countr_zero(rest))));
      }
    }
  }

 private:
  // Without an instruction for it, which not every machine has, std::popcount is a call.
  static constexpr std::size_t count(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    return (((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56;
  }

  std::array<std::uint64_t, 4> words_{};
};

}  // namespace parley::inference::grammar
