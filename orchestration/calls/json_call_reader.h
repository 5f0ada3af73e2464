#pragma once
// Calls that are JSON objects, one or a list (E1, E2): {"name": N, "arguments": {…}} with keys in any order.
// The arguments stream as soon as the name is known. See CallReader for threads and failures.

#include "orchestration/calls/call_reader.h"

namespace parley::orchestration::calls {

// Begins after the opening marker, at white space, `{` or `[`.
std::unique_ptr<CallReader> make_json_call_reader(const CallContext& context);

}  // namespace parley::orchestration::calls
