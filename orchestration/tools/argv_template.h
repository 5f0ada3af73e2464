#pragma once
// An argument vector with {placeholders}, filled in by a model's arguments. Each element stays exactly one
// element, whatever a value holds: no shell, no splitting. Pure, any thread; what cannot be filled in is a
// sentence for the model.
//   "{city}"         the value itself, as one element. A string that begins with "-" is refused, since the
//                    program could take it for an option; not after a literal "--", nor where allow_dash says
//                    so
//   "--city={city}"  the value inside an element
//   "{{city}}"       the characters {city}
// An argument that is absent (or null) takes its element away, and the literal option before it, unless the
// element is one itself: ["--city", "{city}"] and ["-resize", "{w}x{h}"] disappear as a whole, of ["-v",
// "--city={city}"] -v stays.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "inference/json/json.h"

namespace parley::orchestration::tools {

// The placeholders of an element, in order.
std::vector<std::string> placeholders_of(std::string_view element);

struct FilledArgv {
  std::vector<std::string> argv;
  std::string problem;  // not empty: a sentence, and nothing is to be run
};

enum class LeadingDash : bool { refused, allowed };

FilledArgv fill_argv(const std::vector<std::string>& elements, const inference::json::JsonObject& arguments,
                     LeadingDash dash);

}  // namespace parley::orchestration::tools
