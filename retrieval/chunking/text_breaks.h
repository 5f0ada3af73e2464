#pragma once
// Where sentences, words and characters (grapheme clusters) end in UTF-8 text, by ICU's rules for all
// languages. One thread at a time each.

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace parley::retrieval::chunking {

enum class BreakKind { sentence, word, character };

class TextBreaks {
 public:
  explicit TextBreaks(BreakKind kind);  // throws std::runtime_error when ICU lacks its data
  ~TextBreaks();
  TextBreaks(TextBreaks&&) noexcept;
  TextBreaks& operator=(TextBreaks&&) = delete;

  // A copy of its own to use on another thread, far cheaper than a new one. Safe beside other copies being
  // made.
  TextBreaks clone() const;

  // `text` must stay where it is until the next call of begin.
  void begin(std::string_view text);
  // End of the next segment, white space behind it included; none after the last one.
  std::optional<std::size_t> next_end();
  // Whether the word that ended last is of a script written without spaces (ideographs, kana).
  bool is_ideographic() const;

 private:
  struct State;
  explicit TextBreaks(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

bool is_space(char byte);  // ASCII white space
// The range without the ASCII white space at its ends; empty at its begin when there is nothing else.
std::string_view trimmed(std::string_view text);

}  // namespace parley::retrieval::chunking
