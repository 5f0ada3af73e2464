#pragma once
// Calls written as a function call is (E8, E9): [f(a='x', b=2), g()], call:f{key:<Q>text<Q>}. Strings stream.
// See CallReader for threads and failures.

#include "orchestration/calls/call_reader.h"

namespace parley::orchestration::calls {

// Begins after the opening marker.
std::unique_ptr<CallReader> make_literal_call_reader(const CallContext& context);

}  // namespace parley::orchestration::calls
