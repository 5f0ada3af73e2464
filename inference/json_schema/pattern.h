#pragma once
// A regular expression as JSON Schema has them: ECMA-262 with the u flag, searched for anywhere in the text.
// Immutable, any thread. PCRE2 does the work (interpreted, not JIT: hostile patterns are compiled here);
// README.md says where the two languages differ.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "inference/json_schema/budget.h"

namespace parley::inference::json_schema {

class Pattern {
 public:
  // Or why not, as a part of a sentence: "nothing to repeat at character 3".
  static std::variant<Pattern, std::string> compile(std::string_view pattern);

  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  // Spends what the search costs. False with an exhausted budget: given up.
  bool is_in(std::string_view text, Budget& budget) const;

 private:
  struct Code;
  explicit Pattern(std::unique_ptr<const Code> code);

  std::unique_ptr<const Code> code_;
};

}  // namespace parley::inference::json_schema
