#pragma once
// Regular expressions of ECMA-262 (u flag, no others) in the words of PCRE2. What only one of the two has is
// refused, so that no pattern means something else than its author reads. Pure, any thread.

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace parley::inference::json_schema {

struct EcmaTraits {  // what makes single items of the pattern costly
  std::size_t largest_repeat = 0;
  bool refers_back = false;
};

struct EcmaTranslation {
  std::string pcre;
  EcmaTraits traits;
};

// Or why not, as a part of a sentence.
std::variant<EcmaTranslation, std::string> to_pcre(std::string_view ecma);

}  // namespace parley::inference::json_schema
