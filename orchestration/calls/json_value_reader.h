#pragma once
// Copies one JSON value out of the input as it comes, and ends where the value ends, whatever tags its
// strings hold. Small faults of models are mended on the way: raw control characters in strings, doubled
// braces. Belongs to one call reader, used by one thread. Never fails: bad text is a status.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "orchestration/calls/call_input.h"
#include "orchestration/calls/json_scanner.h"
#include "orchestration/calls/marker_symbols.h"

namespace parley::orchestration::calls {

class JsonValueReader {
 public:
  enum class Status : std::uint8_t { more, done, bad };

  // `close`: markers that end the call. One that follows a raw newline in a string means that the string was
  // never ended, unless what comes next ends it and the value is complete then.
  JsonValueReader(const MarkerSymbols& symbols, const Markers& close) : symbols_(symbols), close_(close) {}

  // Takes what it can of the input, appends the JSON to `out`. `max_bytes` bounds what is taken.
  Status read(CallInput& input, std::string& out, std::size_t max_bytes = SIZE_MAX);

  // What is bad: "a comma or a closing bracket was expected at byte 17".
  std::string problem() const;

  const JsonScanner& scanner() const { return scanner_; }

 private:
  enum class Step : std::uint8_t { on, wait, done, bad };

  Step read_one(CallInput& input, std::string& out);
  Step read_control(CallInput& input, std::string& out);
  Match look_for_end(CallInput& input);
  Step read_symbol(CallInput& input, std::string& out);
  Step fail(std::string_view problem);

  const MarkerSymbols& symbols_;
  const Markers& close_;
  JsonScanner scanner_;
  std::size_t num_read_ = 0;
  // Where the string may never have been ended: the state there, and how far has been looked from there.
  std::optional<JsonScanner> looking_;
  std::size_t num_seen_ = 0;
  std::size_t num_settled_ = 0;  // bytes from the value's beginning in which no string lacks its end
  std::string doubled_;          // of each container that is open: 'd' where its brace was written twice
  bool skip_brace_ = false;
  std::string problem_;
};

// The text in JSON's string syntax, without quotes.
std::string json_escaped(std::string_view text);

}  // namespace parley::orchestration::calls
