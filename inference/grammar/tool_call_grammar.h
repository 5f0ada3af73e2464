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

#include "inference/grammar/schema_grammar.h"
#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

struct OfferedTool {
  std::string name;
  const json::JsonValue* parameters = nullptr;  // a JSON Schema; null: no arguments
};

// How a family writes a call: OPEN body CLOSE. Markers are control tokens where the vocabulary has one of
// that name, bytes else; either may be empty.
struct CallFormat {
  std::string open = "<tool_call>";
  std::string close = "</tool_call>";
  // The body is {"name": NAME, "arguments": ARGUMENTS} where before_name is empty; otherwise before_name NAME
  // behind_name ARGUMENTS behind_arguments.
  std::string before_name;
  std::string behind_name;
  std::string behind_arguments;
};

enum class CallStart : std::uint8_t {
  at_marker,  // asleep in prose; wakes at OPEN, and at {"name": "NAME" of an offered tool where bodies are
              // JSON
  at_once,    // the text is calls and nothing else, behind the reasoning if there is some
};
// Markers of reasoning, in which nothing wakes; empty: none.
struct ReasoningFormat {
  enum class Begin : std::uint8_t { outside, inside };
  std::string open;
  std::string close;
  Begin begin = Begin::outside;  // whether the prompt ends inside
};

struct ToolCallOptions {
  CallFormat format;
  ReasoningFormat reasoning;
  CallStart start = CallStart::at_marker;
  int max_calls = 1;  // only of at_once; the text may end behind each
  SchemaOptions schema{.root = SchemaRoot::object, .other_members = OtherMembers::forbidden_at_top};
};

// Places of what is unchecked begin with the tool's name. `tools` must not be none.
std::variant<SchemaGrammar, GrammarError> make_tool_call_grammar(std::span<const OfferedTool> tools,
                                                                 const ToolCallOptions& options,
                                                                 const VocabularyIndex& vocabulary);

}  // namespace parley::inference::grammar
