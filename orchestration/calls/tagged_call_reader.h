#pragma once
// One call whose arguments are tags (E5, E6, E7): <function=NAME><parameter=K>V</parameter></function>.
// Strings are escaped and stream; other values are typed by the tool's schema and come out once. What ends a
// value tagged_value_reader.h says. See CallReader for threads and failures.

#include "orchestration/calls/call_reader.h"

namespace parley::orchestration::calls {

// Begins after the opening marker, at the name.
std::unique_ptr<CallReader> make_tagged_call_reader(const CallContext& context);

}  // namespace parley::orchestration::calls
