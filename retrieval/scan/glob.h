#pragma once
// gitignore(5)'s wildmatch: '*' and '?' not over '/', "**" over folders, [a-z] and [!a-z]. Bytes, not
// characters. A value, any thread. Work is bounded by pattern times path, whatever the pattern.

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

namespace parley::retrieval::scan {

class Glob {
 public:
  // A pattern that git finds broken (a bracket without end, a backslash at the end) matches nothing.
  explicit Glob(std::string_view pattern);
  bool matches(std::string_view path) const;
  // Whether it names anything, and is not made of wildcards alone.
  bool has_literal() const;

 private:
  enum class Kind : std::uint8_t {
    literal,
    any,      // ?
    set,      // [a-z]
    star,     // anything within a name
    folders,  // "**/": any number of folders
    rest,     // "**" at the end: all that is left
  };
  struct Token {
    Kind kind = Kind::literal;
    char byte = 0;
    std::uint32_t set = 0;  // index into sets_
  };
  using Set = std::bitset<256>;

  void add_stars(std::string_view pattern, std::size_t& at);
  void add_set(std::string_view pattern, std::size_t& at);
  bool matches_byte(const Token& token, char byte) const;

  std::vector<Token> tokens_;
  std::vector<Set> sets_;
  bool is_broken_ = false;
};

}  // namespace parley::retrieval::scan
