#pragma once
// What a tool printed, made fit for models and people: it is untrusted. Pure, any thread; never fails; linear
// in the output (times the number of secrets).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::tools {

// Valid UTF-8 without terminal sequences and control characters (mcp/plain_text.h).
std::string without_controls(std::string_view bytes);

// Each of the secrets as "[redacted]", the longest first.
std::string redacted(std::string text, const std::vector<std::string>& secrets);

struct CutText {
  std::string text;
  std::size_t cut_bytes = 0;
};

// Of a text longer than max_bytes, head and tail, cut between characters, with a line "… N bytes cut …"
// between them. Where such a line goes with what is cut, N counts what it stood for as well.
CutText head_and_tail(std::string text, std::size_t max_bytes);

// How many bytes beyond a cut have to be kept, so that a secret which the cut went through is known as one:
// the longest secret's, and of a character.
std::size_t cut_margin(const std::vector<std::string>& secrets);

// Without its last bytes, and whole characters.
std::string_view without_end(std::string_view text, std::size_t bytes);

// Of an output whose middle is gone: head and tail cleaned, less the margin at the cut (a part of a secret
// may stand there), and within max_bytes together, with the line that says how many bytes are missing.
CutText clean_cut_output(std::string_view head, std::string_view tail, std::size_t cut_bytes,
                         std::size_t max_bytes, const std::vector<std::string>& secrets);

// All three.
CutText clean_output(std::string_view bytes, std::size_t max_bytes, const std::vector<std::string>& secrets);

}  // namespace parley::orchestration::tools
