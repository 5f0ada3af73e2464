#pragma once
// What a model may write when it has tools: prose with calls in it, or a call at once. A call names an
// offered tool and its arguments are valid by that tool's schema. Pure functions, any thread; compiling takes
// time (schema_grammar.h), so not on the engine's. A schema that admits nothing is an error value that names
// its tool.

#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "inference/grammar/call_format.h"
#include "inference/grammar/schema_grammar.h"
#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

enum class CallStart : std::uint8_t {
  at_marker,  // asleep in prose; wakes where a call begins
  at_once,    // the text is calls and nothing else, behind the reasoning if there is some
};
// Markers of reasoning, in which nothing wakes; empty: none.
struct ReasoningFormat {
  enum class Begin : std::uint8_t { outside, inside };
  std::string open;
  std::string close;
  Begin begin = Begin::outside;  // whether the prompt ends inside
  // A call of an offered tool, in the family's way, ends the reasoning: its models forget to close it.
  bool ends_at_calls = false;
};

struct ToolCallOptions {
  CallFormat format;
  ReasoningFormat reasoning;
  CallStart start = CallStart::at_marker;
  int max_calls = 1;  // only of at_once; the text may end behind each
  // Only of at_marker: a JSON object that begins with {"name": "NAME" of an offered tool is a call, too,
  // whatever the format is.
  bool json_opens = true;
  std::vector<std::string> ends =
      {};  // control tokens that may come behind calls at once, and end the answer
  SchemaOptions schema{.root = SchemaRoot::object, .other_members = OtherMembers::forbidden_at_top};
};

// Places of what is unchecked begin with the tool's name. `tools` must not be none.
std::variant<SchemaGrammar, GrammarError> make_tool_call_grammar(std::span<const OfferedTool> tools,
                                                                 const ToolCallOptions& options,
                                                                 const VocabularyIndex& vocabulary);

}  // namespace parley::inference::grammar
