#pragma once
// Charsets by name and by guess, over ICU. Pure functions, any thread.

#include <optional>
#include <string>
#include <string_view>

namespace parley::retrieval::documents {

// The name we use for a label as files write it ("latin1" is windows-1252, as browsers read it). Empty:
// unknown, or one that is not read (EBCDIC, UTF-7).
std::string canonical_charset(std::string_view label);

struct ConvertedText {
  std::string utf8;
  std::size_t num_errors = 0;  // byte sequences that stand for no character; each became U+FFFD
};

// nullopt: no converter of that name, or more than max_bytes come out.
std::optional<ConvertedText> convert_to_utf8(std::string_view bytes, const std::string& charset,
                                             std::size_t max_bytes);

// By the statistics of byte sequences; windows-1252 where they say nothing. Never UTF-16 or UTF-32.
std::string guess_charset(std::string_view bytes);

// "UTF-16LE", "UTF-16BE", "UTF-32LE" or "UTF-32BE" for text in it without a byte order mark; empty: none.
std::string guess_wide_charset(std::string_view bytes);

}  // namespace parley::retrieval::documents
