#pragma once
// Unicode normalisation form C in O(n log n) for any input. ICU gives the character data; its own loop sorts
// combining marks by insertion, which a text of marks alone makes quadratic, so reordering and composing are
// here (Unicode Standard Annex 15). Pure, any thread. Throws std::runtime_error if ICU lacks its data.

#include <string>
#include <string_view>

namespace parley::inference::tokenizer {

// Returns `text` itself where it is normal already, else a view of `buffer`, which is overwritten. Bytes that
// are not UTF-8 stay as they are, and what stands on their two sides does not interact.
std::string_view to_nfc(std::string_view text, std::string& buffer);

}  // namespace parley::inference::tokenizer
