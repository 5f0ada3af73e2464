#pragma once
// What a model may write when it has tools, in the way of its family, as a grammar for the engine. Compiling
// takes time (inference/grammar/schema_grammar.h), so this belongs on a worker thread. Never fails: what
// cannot be enforced of a schema is left to the check when the call is complete, and said.

#include <memory>
#include <string>
#include <vector>

#include "inference/grammar/tool_call_grammar.h"
#include "orchestration/turn/call_reading.h"

namespace parley::orchestration::turn {

// Whether the answer has to be a call.
bool is_demanded(const ToolOffer& offer);

struct CallGrammar {
  std::shared_ptr<const inference::grammar::Grammar> grammar;  // null: nothing to enforce
  std::vector<std::string>
      unenforced;  // parts of the tools' schemas that are only checked afterwards; sentences
};

// `offer` is not empty, and its choice is not none.
CallGrammar make_call_grammar(const ToolOffer& offer, const CallReading& reading, calls::ReasoningStart start,
                              const inference::grammar::VocabularyIndex& vocabulary);

// How calls of the family begin, and those without markers.
std::vector<std::string> call_openings(const calls::CallFormat& format);

// What the family writes in calls and nowhere else: banned where no call is possible.
std::vector<std::string> call_markers(const calls::CallFormat& format);

// The same text for the same grammar only.
std::string call_grammar_key(const ToolOffer& offer, const CallReading& reading, calls::ReasoningStart start);

}  // namespace parley::orchestration::turn
