#pragma once
// How a model family writes tool calls: one row of data per family (call_formats.cpp), read by one parser.
// Plain values; the table is immutable, any thread. Never fails.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::calls {

// Spellings of one marker, each as good as the others; the first is the usual one. Empty: the family has
// none.
using Markers = std::vector<std::string>;

enum class Encoding : std::uint8_t {
  json_object,     // E1  {"name": N, "arguments": {…}}, keys in any order
  json_array,      // E2  [{…}, {…}]
  name_then_json,  // E3  NAME <separator> {…}
  tag_then_json,   // E4  <tag NAME>{…}</tag>
  tagged_values,   // E5  one pair of tags per argument, strings raw
  key_value_tags,  // E6  <arg_key>K</arg_key><arg_value>V</arg_value>
  typed_tags,      // E7  <parameter name="K" string="true">V</parameter>
  pythonic,        // E8  [f(a='x', b=2), g()]
  bare_keys,       // E9  call:f{key:<Q>text<Q>,n:2}
  channels,        // E10 harmony: messages with role, channel and recipient in a header
};

// What an id must look like where it goes back into the prompt.
enum class IdRule : std::uint8_t {
  free,                 // any, or none
  nine_alphanumerics,   // Mistral's templates raise otherwise
  functions_and_count,  // functions.NAME:3, counted over the whole conversation (Kimi falls silent otherwise)
  count,                // "0", "1", … (Command-R)
};

// The tags of E5, E6 and E7 inside a call.
struct ArgumentTags {
  Markers open = {};           // <parameter=
  Markers name_end = {};       // >
  Markers attribute_end = {};  // E7: > after ` string="true"`
  Markers value_open = {};     // E6: <arg_value>
  Markers value_close = {};    // </parameter>
  bool in_newlines = false;    // one newline on each side of a value belongs to the tags
};

// Every call is: open, name, name_end, body, close. Where several calls share a block, its markers are the
// section's. Between markers there may be white space; any of them may be missing but the one that begins a
// call.
struct CallFormat {
  std::string name = {};  // for the configuration
  Encoding encoding = Encoding::json_object;
  Markers section_open = {};
  Markers section_close = {};
  Markers call_open = {};
  Markers name_end = {};    // E3 to E7
  Markers id_open = {};     // E3: between name and id
  Markers call_close = {};  // E5 to E7: the close tag of the function
  ArgumentTags argument = {};
  Markers quote = {};  // E9: of strings, besides ' and "
  Markers reasoning_open = {"<think>"};
  Markers reasoning_close = {"</think>"};
  Markers dropped = {};             // further markup around prose, which nobody should see
  bool bare_json = false;           // a line that begins with a JSON object may be a call, without markers
  bool bare_pythonic = false;       // so may one that begins with [name(
  bool calls_in_reasoning = false;  // a call in an unclosed block of reasoning is meant
  bool starts_in_call = false;      // the prompt ends in call_open
  std::string text_name = {};       // the "call" of this name is prose (Functionary's all)
  bool section_per_call = false;    // a further call has a section of its own
  IdRule id_rule = IdRule::free;
  std::vector<std::string> template_marks = {};  // a template with all of these is of this family

  // What is written besides where the family's calls are enforced; reading takes it or leaves it.
  std::string name_prefix = {};   // between call_open and the name
  bool fenced_arguments = false;  // E3: in a block of code
  bool one_a_line = false;        // E8: calls without a list around them
  bool unclosed = false;          // call_close is read, but not written
};

}  // namespace parley::orchestration::calls
