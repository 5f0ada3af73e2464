#pragma once
// One call whose arguments are tags (E5, E6, E7): <function=NAME><parameter=K>V</parameter></function>.
// Strings are escaped and stream; other values are typed by the tool's schema and come out once. A close tag
// ends a value only where a legal continuation follows. See CallReader for threads and failures.

#include "orchestration/calls/call_reader.h"

namespace parley::orchestration::calls {

// Whether the section's marker came before the call, so that its closing marker is expected, too.
enum class SectionMark : std::uint8_t { absent, present };

// Begins after the opening marker, at the name.
std::unique_ptr<CallReader> make_tagged_call_reader(const CallContext& context, SectionMark section);

}  // namespace parley::orchestration::calls
