#include "inference/grammar/schema_formats.h"

#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>

#include "inference/grammar/regex_lexeme.h"

namespace parley::inference::grammar {
namespace {

struct Format {
  std::string_view name;
  std::string_view pattern;
};

// RFC 3339 (dates that exist, no leap seconds), RFC 9562, RFC 5321 (no quoted or international names), RFC
// 2673, RFC 4291 as the grammar of RFC 3986 writes it, RFC 3986, RFC 1123. What is enforced is never too
// wide; it may be narrower than the RFC.
constexpr Format kFormats[] = {
    {"date",
     R"re((?:(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29|\d{4}-(?)re"
     R"re(:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9)re"
     R"re(]|1\d|2[0-8]))))re"},
    {"time", R"re((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))re"},
    {"date-time",
     R"re((?:(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29|\d{4}-(?)re"
     R"re(:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9)re"
     R"re(]|1\d|2[0-8])))[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3)re"
     R"re(]):[0-5]\d))re"},
    {"uuid", R"re([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})re"},
    {"email",
     R"re([A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-)re"
     R"re(z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*)re"},
    {"ipv4", R"re((?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})re"},
    {"ipv6",
     R"re((?:(?:[0-9a-fA-F]{1,4}:){6}(?:[0-9a-fA-F]{1,4}:[0-9a-fA-F]{1,4}|(?:25[0-5]|2[0-4]\d|1\d\d|)re"
     R"re([1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|::(?:[0-9a-fA-F]{1,4}:){5}(?:[0-9a-)re"
     R"re(fA-F]{1,4}:[0-9a-fA-F]{1,4}|(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\)re"
     R"re(d\d|[1-9]?\d)){3})|(?:[0-9a-fA-F]{1,4})?::(?:[0-9a-fA-F]{1,4}:){4}(?:[0-9a-fA-F]{1,4}:[0-9)re"
     R"re(a-fA-F]{1,4}|(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){)re"
     R"re(3})|(?:(?:[0-9a-fA-F]{1,4}:){0,1}[0-9a-fA-F]{1,4})?::(?:[0-9a-fA-F]{1,4}:){3}(?:[0-9a-fA-F)re"
     R"re(]{1,4}:[0-9a-fA-F]{1,4}|(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|)re"
     R"re([1-9]?\d)){3})|(?:(?:[0-9a-fA-F]{1,4}:){0,2}[0-9a-fA-F]{1,4})?::(?:[0-9a-fA-F]{1,4}:){2}(?)re"
     R"re(:[0-9a-fA-F]{1,4}:[0-9a-fA-F]{1,4}|(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-)re"
     R"re(4]\d|1\d\d|[1-9]?\d)){3})|(?:(?:[0-9a-fA-F]{1,4}:){0,3}[0-9a-fA-F]{1,4})?::[0-9a-fA-F]{1,4)re"
     R"re(}:(?:[0-9a-fA-F]{1,4}:[0-9a-fA-F]{1,4}|(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|)re"
     R"re(2[0-4]\d|1\d\d|[1-9]?\d)){3})|(?:(?:[0-9a-fA-F]{1,4}:){0,4}[0-9a-fA-F]{1,4})?::(?:[0-9a-fA)re"
     R"re(-F]{1,4}:[0-9a-fA-F]{1,4}|(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\)re"
     R"re(d|[1-9]?\d)){3})|(?:(?:[0-9a-fA-F]{1,4}:){0,5}[0-9a-fA-F]{1,4})?::[0-9a-fA-F]{1,4}|(?:(?:[)re"
     R"re(0-9a-fA-F]{1,4}:){0,6}[0-9a-fA-F]{1,4})?::))re"},
    {"uri",
     R"re([A-Za-z][A-Za-z0-9+.-]*:(?://(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(?:[A-Z)re"
     R"re(a-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?::\d{0,5})?(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%)re"
     R"re([0-9A-Fa-f]{2})*)*|/?(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+(?:/(?:[A-Za-z0-9._~)re"
     R"re(!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*)(?:\?(?:(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2)re"
     R"re(})|[/?])*)?(?:#(?:(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})|[/?])*)?)re"},
    {"hostname",
     R"re([A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0)re"
     R"re(-9])?)*)re"},
};

// No escapes: nobody writes a date with them.
template <std::size_t kIndex>
const std::shared_ptr<const Lexeme>& lexeme_of_format() {
  static const std::shared_ptr<const Lexeme> kLexeme =
      std::get<std::shared_ptr<const Lexeme>>(make_regex_lexeme(kFormats[kIndex].pattern, {}));
  return kLexeme;
}

template <std::size_t... kIndices>
std::shared_ptr<const Lexeme> find_format(std::string_view name, std::index_sequence<kIndices...>) {
  std::shared_ptr<const Lexeme> found;
  ((kFormats[kIndices].name == name ? void(found = lexeme_of_format<kIndices>()) : void()), ...);
  return found;
}

}  // namespace

std::shared_ptr<const Lexeme> format_lexeme(std::string_view format) {
  return find_format(format, std::make_index_sequence<std::size(kFormats)>());
}

}  // namespace parley::inference::grammar
