#pragma once
// The row of a family in the table of call formats as what a grammar needs to know of it. Pure functions, any
// thread. Never fail.

#include <string>
#include <vector>

#include "inference/grammar/tool_call_grammar.h"
#include "orchestration/turn/call_reading.h"

namespace parley::orchestration::turn {

inference::grammar::CallFormat written_format(const calls::CallFormat& format);

// What the model may think before it calls; without markers where it does not, or where the prompt is past
// that.
inference::grammar::ReasoningFormat written_reasoning(const CallReading& reading, calls::ReasoningStart start,
                                                      inference::grammar::CallStart call_start);

// Control tokens that end a turn where the family has calls, besides those of the vocabulary.
std::vector<std::string> call_ends(const calls::CallFormat& format);

// Of those that can be written in one answer.
int max_written_calls(const calls::CallFormat& format, int max_calls);

}  // namespace parley::orchestration::turn
