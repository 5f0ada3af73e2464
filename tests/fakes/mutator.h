#pragma once
// Deterministic mutations of seed texts, for tests that throw hostile input at a parser or a socket.

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace parley::tests::fakes {

// Rounds of a mutation test: PARLEY_FUZZ_ROUNDS, or `usual`.
inline std::size_t fuzz_rounds(std::size_t usual) {
  const char* wanted = std::getenv("PARLEY_FUZZ_ROUNDS");
  return wanted == nullptr ? usual : std::strtoull(wanted, nullptr, 10);
}

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, std::uint32_t seed) : seeds_(std::move(seeds)), random_(seed) {}

  // A seed with one to four changes.
  std::string next() {
    std::string text = seeds_[below(seeds_.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }

  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

 private:
  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(8)) {
      case 0:  // flip a bit
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:  // any byte
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 2:
        text.erase(at, 1 + below(8));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:  // repeat a part
        text.insert(at, text.substr(at, 1 + below(64)));
        break;
      case 5:  // a telling piece
        text.insert(at, pieces()[below(pieces().size())]);
        break;
      case 6: {  // the head of one seed, the tail of another
        const std::string& other = seeds_[below(seeds_.size())];
        text = text.substr(0, at) + other.substr(below(other.size()));
        break;
      }
      default:  // a long run
        text.insert(at, below(2000), text.empty() ? 'a' : text[below(text.size())]);
    }
  }

  static const std::vector<std::string>& pieces() {
    static const std::vector<std::string> kPieces = {
        "\r\n",
        "\n",
        "\r\n\r\n",
        std::string(1, '\0'),
        "\xFF",
        "\xED\xA0\x80",
        "\"",
        "\\u0000",
        "\\ud800",
        "NaN",
        "-0",
        "1e999",
        "18446744073709551616",
        ":",
        " ",
        "\t",
        "null",
        "{}",
        "[",
        "]",
        "{",
        "}",
        ",",
        "%00",
        "../",
        "Host: a\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: 5\r\n",
        "0\r\n\r\n",
        "ffffffffffffffff\r\n",
        "-1",
        "99999999999",
    };
    return kPieces;
  }

  std::vector<std::string> seeds_;
  std::mt19937 random_;
};

}  // namespace parley::tests::fakes
