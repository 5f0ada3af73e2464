#pragma once
// What a tool printed, made fit for models and people: it is untrusted. Pure, any thread; never fails; linear
// in the output (times the number of secrets).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::tools {

// Valid UTF-8 (U+FFFD for what is not), without terminal escape sequences and control characters; newlines
// and tabs stay, and a carriage return is a newline.
std::string without_controls(std::string_view bytes);

// Each of the secrets as "[redacted]", the longest first.
std::string redacted(std::string text, const std::vector<std::string>& secrets);

struct CutText {
  std::string text;
  std::size_t cut_bytes = 0;
};

// Of a text longer than max_bytes, head and tail, cut between characters, with a line "… N bytes cut …"
// between them.
CutText head_and_tail(std::string text, std::size_t max_bytes);

// All three.
CutText clean_output(std::string_view bytes, std::size_t max_bytes, const std::vector<std::string>& secrets);

}  // namespace parley::orchestration::tools
