#pragma once
// One call whose name stands before its JSON (E3, E4): NAME<separator>{…}, <function=NAME>{…}. The arguments
// stream. See CallReader for threads and failures.

#include "orchestration/calls/call_reader.h"

namespace parley::orchestration::calls {

// Begins after the opening marker, at the name.
std::unique_ptr<CallReader> make_named_call_reader(const CallContext& context);

}  // namespace parley::orchestration::calls
