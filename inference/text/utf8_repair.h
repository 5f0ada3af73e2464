#pragma once
// Makes valid UTF-8 of bytes that come in any pieces: each maximal invalid part becomes one U+FFFD, as the
// Unicode Standard (chapter 3.9, "U+FFFD substitution of maximal subparts") and the WHATWG decoder do it. One
// object per stream, used by one thread; never fails. Linear.

#include <string>
#include <string_view>

namespace parley::inference::text {

class Utf8Repair {
 public:
  // Appends the characters that are whole now. At most three bytes are kept for the next call.
  void push(std::string_view bytes, std::string& out);

  // The end: an unfinished character becomes U+FFFD.
  void finish(std::string& out);

  // The end of bytes that were cut: an unfinished character is dropped.
  void drop_unfinished() { unfinished_.clear(); }

 private:
  std::string unfinished_;
};

}  // namespace parley::inference::text
