#include "inference/json_schema/ecma_escape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace parley::inference::json_schema {
namespace {

constexpr std::string_view kSpace =
    R"(\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
constexpr std::string_view kNoSpace =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e})"
    R"(\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";

struct NamePair {
  std::string_view ecma;
  std::string_view pcre;
};

constexpr std::array kCategories{
    NamePair{"Letter", "L"},
    NamePair{"Cased_Letter", "L&"},
    NamePair{"LC", "L&"},
    NamePair{"Uppercase_Letter", "Lu"},
    NamePair{"Lowercase_Letter", "Ll"},
    NamePair{"Titlecase_Letter", "Lt"},
    NamePair{"Modifier_Letter", "Lm"},
    NamePair{"Other_Letter", "Lo"},
    NamePair{"Mark", "M"},
    NamePair{"Combining_Mark", "M"},
    NamePair{"Nonspacing_Mark", "Mn"},
    NamePair{"Spacing_Mark", "Mc"},
    NamePair{"Enclosing_Mark", "Me"},
    NamePair{"Number", "N"},
    NamePair{"Decimal_Number", "Nd"},
    NamePair{"digit", "Nd"},
    NamePair{"Letter_Number", "Nl"},
    NamePair{"Other_Number", "No"},
    NamePair{"Punctuation", "P"},
    NamePair{"punct", "P"},
    NamePair{"Connector_Punctuation", "Pc"},
    NamePair{"Dash_Punctuation", "Pd"},
    NamePair{"Open_Punctuation", "Ps"},
    NamePair{"Close_Punctuation", "Pe"},
    NamePair{"Initial_Punctuation", "Pi"},
    NamePair{"Final_Punctuation", "Pf"},
    NamePair{"Other_Punctuation", "Po"},
    NamePair{"Symbol", "S"},
    NamePair{"Math_Symbol", "Sm"},
    NamePair{"Currency_Symbol", "Sc"},
    NamePair{"Modifier_Symbol", "Sk"},
    NamePair{"Other_Symbol", "So"},
    NamePair{"Separator", "Z"},
    NamePair{"Space_Separator", "Zs"},
    NamePair{"Line_Separator", "Zl"},
    NamePair{"Paragraph_Separator", "Zp"},
    NamePair{"Other", "C"},
    NamePair{"Control", "Cc"},
    NamePair{"cntrl", "Cc"},
    NamePair{"Format", "Cf"},
    NamePair{"Surrogate", "Cs"},
    NamePair{"Private_Use", "Co"},
    NamePair{"Unassigned", "Cn"},
};

constexpr std::array kControls{NamePair{"t", "\\x{9}"}, NamePair{"n", "\\x{a}"}, NamePair{"v", "\\x{b}"},
                               NamePair{"f", "\\x{c}"}, NamePair{"r", "\\x{d}"}};

std::string code_point(std::uint32_t value) {
  std::array<char, 8> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "\\x{" + std::string(digits.data(), end) + "}";
}

std::optional<std::uint32_t> hex(std::string_view digits) {
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  if (digits.empty() || std::from_chars(digits.data(), end, value, 16).ptr != end) return std::nullopt;
  return value;
}

std::optional<std::uint32_t> hex4(std::string_view text) {
  if (!text.starts_with("\\u") || text.size() < 6) return std::nullopt;
  return hex(text.substr(2, 4));
}

std::optional<TranslatedEscape> unicode_escape(std::string_view text) {
  if (text.starts_with("\\u{")) {
    const std::size_t end = std::min(text.find('}'), text.size());
    const auto value = hex(text.substr(3, end - 3));
    if (!value || *value > 0x10FFFF || end == text.size()) return std::nullopt;
    return TranslatedEscape{code_point(*value), end + 1, true};
  }
  const auto unit = hex4(text);
  if (!unit) return std::nullopt;
  if (*unit < 0xD800 || *unit > 0xDFFF) return TranslatedEscape{code_point(*unit), 6, true};
  const auto low = *unit < 0xDC00 ? hex4(text.substr(6)) : std::nullopt;
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return std::nullopt;  // half of a pair is no character
  return TranslatedEscape{code_point(0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00)), 12, true};
}

std::string_view category(std::string_view name) {
  const auto found = std::find_if(kCategories.begin(), kCategories.end(),
                                  [&](const NamePair& pair) { return pair.ecma == name; });
  return found == kCategories.end() ? name : found->pcre;
}

// What PCRE2 does not know it refuses when it compiles.
std::optional<TranslatedEscape> property(std::string_view text) {
  const std::size_t end = text.find('}');
  if (text.size() < 4 || text[2] != '{' || end == std::string_view::npos) return std::nullopt;
  std::string name(text.substr(3, end - 3));
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '=';
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_name)) return std::nullopt;
  const std::size_t equals = std::min(name.find('='), name.size());
  const std::string key = name.substr(0, equals);
  if (key == "General_Category" || key == "gc") {
    name = category(name.substr(std::min(equals + 1, name.size())));
  } else if (key == "Script" || key == "sc") {
    name = "sc:" + name.substr(std::min(equals + 1, name.size()));
  } else if (key == "Script_Extensions" || key == "scx") {
    name = "scx:" + name.substr(std::min(equals + 1, name.size()));
  } else {
    name = category(name);
  }
  return TranslatedEscape{std::string(text.substr(0, 2)) + "{" + name + "}", end + 1, false};
}

std::string spaces(std::string_view ranges, EscapeIn where) {
  return where == EscapeIn::pattern ? "[" + std::string(ranges) + "]" : std::string(ranges);
}

}  // namespace

std::optional<TranslatedEscape> translate_escape(std::string_view text, EscapeIn where) {
  if (text.size() < 2) return std::nullopt;
  const char c = text[1];
  const std::string_view name = text.substr(1, 1);
  for (const NamePair& control : kControls) {
    if (control.ecma == name) return TranslatedEscape{std::string(control.pcre), 2, true};
  }
  // Without PCRE2_UCP these mean ASCII, as in ECMA-262.
  if (std::string_view("dDwW").find(c) != std::string_view::npos) {
    return TranslatedEscape{std::string(text.substr(0, 2)), 2, false};
  }
  if (c == 's') return TranslatedEscape{spaces(kSpace, where), 2, false};
  if (c == 'S') return TranslatedEscape{spaces(kNoSpace, where), 2, false};
  if (c == 'b' && where == EscapeIn::character_class) return TranslatedEscape{"\\x{8}", 2, true};
  if (c == '0' && (text.size() == 2 || text[2] < '0' || text[2] > '9')) {
    return TranslatedEscape{"\\x{0}", 2, true};
  }
  if (c == 'u') return unicode_escape(text);
  if (c == 'p' || c == 'P') return property(text);
  if (c == 'x') {
    const auto value = text.size() < 4 ? std::nullopt : hex(text.substr(2, 2));
    if (!value) return std::nullopt;
    return TranslatedEscape{code_point(*value), 4, true};
  }
  const auto is_letter = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  };
  if (c == 'c' && text.size() > 2 && is_letter(text[2])) {
    return TranslatedEscape{code_point(static_cast<unsigned char>(text[2]) & 31U), 3, true};
  }
  // Any sign may be escaped: people write \- and \@, which the u flag would forbid. No letter, no digit.
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte >= 0x7F || is_letter(c) || (c >= '0' && c <= '9')) return std::nullopt;
  return TranslatedEscape{code_point(byte), 2, true};
}

bool is_group_name(std::string_view name) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool digit_first = !name.empty() && name.front() >= '0' && name.front() <= '9';
  return !name.empty() && name.size() <= 32 && !digit_first && std::all_of(name.begin(), name.end(), is_part);
}

}  // namespace parley::inference::json_schema
