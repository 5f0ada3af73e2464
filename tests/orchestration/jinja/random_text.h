#pragma once
// Texts of letters that repeat, spaces, longer characters and a byte that is none.

#include <random>
#include <string>

namespace parley::orchestration::jinja {

inline std::string random_text(std::mt19937& random, std::size_t max_pieces) {
  static const std::string kPieces[] = {"a", "b", "ab", " ", "\n", "é", "😀", "\xff"};
  std::string text;
  for (std::size_t i = random() % (max_pieces + 1); i > 0; --i) text += kPieces[random() % 8];
  return text;
}

}  // namespace parley::orchestration::jinja
