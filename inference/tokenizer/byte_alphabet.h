#pragma once
// The printable alphabet in which GPT-2's vocabulary files write bytes: printable Latin-1 characters stand
// for themselves, the other 68 bytes for U+0100 and up, in order. Pure, any thread, never fails.

#include <optional>
#include <string>
#include <string_view>

namespace parley::inference::tokenizer {

// nullopt if a character is not of the alphabet.
std::optional<std::string> bytes_of_name(std::string_view name);

// The inverse, for tests and messages.
std::string name_of_bytes(std::string_view bytes);

}  // namespace parley::inference::tokenizer
