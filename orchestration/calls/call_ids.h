#pragma once
// Ids for calls whose model writes none, or that came without markers, as the family's template wants them.
// A plain function, any thread, never fails.

#include <string>
#include <string_view>

#include "orchestration/calls/call_format.h"

namespace parley::orchestration::calls {

// `count`: the calls of the conversation before this one. Different counts give different ids (for
// IdRule::nine_alphanumerics up to 60 million).
std::string make_call_id(IdRule rule, std::string_view tool, std::size_t count);

}  // namespace parley::orchestration::calls
