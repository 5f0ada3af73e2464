#pragma once
// Bytes of generated tokens in, text that is safe to show out: whole UTF-8 characters only, and nothing that
// is or might become a stop string. One object per answer, used by one thread. Linear in the bytes seen.
// Never fails but for memory.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::inference::text {

class TextStream {
 public:
  virtual ~TextStream() = default;

  // Takes the bytes of one token and returns the text that became certain (may be empty). Invalid UTF-8 comes
  // out as U+FFFD, one for each maximal invalid part. After a stop string has matched, returns nothing.
  virtual std::string push(std::string_view token_bytes) = 0;

  // End of the answer: what was held back (an unfinished character as U+FFFD).
  virtual std::string finish() = 0;

  // In place of finish(), for an answer that was cut and may go on: what was held back, without an unfinished
  // character, whose first bytes its continuation brings again.
  virtual std::string finish_cut() = 0;

  // The stop string that matched, if one did. Its text, and what followed it, is never returned.
  virtual const std::optional<std::string>& matched_stop() const = 0;
};

// Of several stop strings that match, the one that ends first wins; among those the longest. Empty ones are
// ignored.
std::unique_ptr<TextStream> make_text_stream(std::vector<std::string> stops);

}  // namespace parley::inference::text
