#pragma once
// What tools there are, and how a family of models writes calls of them. Plain values.

#include <cstdint>
#include <string>
#include <vector>

#include "inference/grammar/tagged_notation.h"
#include "inference/json/json.h"

namespace parley::inference::grammar {

struct OfferedTool {
  std::string name;
  const json::JsonValue* parameters = nullptr;  // a JSON Schema; null: no arguments
};

// What stands between OPEN and CLOSE.
enum class CallBody : std::uint8_t {
  json,          // {"name": NAME, "arguments": ARGUMENTS}
  json_list,     // a list of those
  named,         // before_name NAME behind_name ARGUMENTS behind_arguments
  python_list,   // [NAME(ARGUMENTS), …]
  python_lines,  // NAME(ARGUMENTS), one a line
};

// Of CallBody::named; JSON's objects and Python's calls have their own.
enum class ArgumentForm : std::uint8_t { json, tags, bare_keys };

// A member of a JSON body that may be there, its value by a regular expression.
struct ExtraMember {
  std::string key;
  std::string value;
};

struct JsonBody {
  std::string name_key = "name";
  std::vector<std::string> argument_keys = {"arguments", "parameters"};
  std::vector<ExtraMember> before = {};  // the name, in this order
  std::vector<ExtraMember> behind = {};  // the arguments
};

// A call is OPEN body CLOSE. Markers are tokens where the vocabulary has such, bytes else (markup.h); each
// may be empty.
struct CallFormat {
  std::string open = "<tool_call>";
  std::string close = "</tool_call>";
  std::string before_name;
  std::string behind_name;
  std::string behind_arguments;

  std::vector<CallBody> bodies =
      {};  // of which one is written; none: named if before_name is not empty, else json
  ArgumentForm arguments = ArgumentForm::json;
  ArgumentTags tags = {};
  std::string quote = {};  // of strings with bare keys
  JsonBody json = {};

  std::vector<std::string> other_opens = {};   // as good as `open`, where calls stand in prose
  std::vector<std::string> behind_names = {};  // as good as behind_name
  std::string before_id = {};   // not empty: before an id between name and behind_name, if there is one
  bool counts_calls = false;    // a colon and a number stand between name and behind_name
  bool shares_section = false;  // several bodies between OPEN and CLOSE
  bool name_opens = false;      // before_name begins a call in prose, without OPEN as well
  bool may_be_bare = false;     // OPEN and CLOSE may both be missing
  std::string separator = {};   // that may stand between calls, besides white space
  // The text begins inside a call, where OPEN has been read: it is one, or this line and prose.
  std::string text_line = {};
  // Begin calls only at the text's beginning, in place of before_name.
  std::vector<std::string> openings_at_start = {};
};

}  // namespace parley::inference::grammar
