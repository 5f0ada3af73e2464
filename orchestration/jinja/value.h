#pragma once
// Values of the template language: none, booleans, 64-bit integers, floats, strings, lists, ordered dicts.
// Strings remember where each byte came from, so that text of users and documents can be told from the template's.
// Value semantics with shared immutable storage for data handed in; one render uses a value tree on one thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::orchestration::jinja {

// Who wrote a byte: 0 is the template itself, anything else a number that the caller gave to a piece of data.
using Origin = std::uint32_t;
inline constexpr Origin kTemplateOrigin = 0;

// Bytes [begin, end) of a text that share an origin.
struct OriginRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  Origin origin = kTemplateOrigin;
};

class Value;
using ValueList = std::vector<Value>;
using ValueDict = std::vector<std::pair<std::string, Value>>;  // insertion order, keys unique

}  // namespace parley::orchestration::jinja
