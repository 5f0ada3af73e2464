#pragma once
// One request and its answer over libcurl: one hop of a fetch, on a connection of its own. Blocks, by the
// deadline and 100 ms after a stop at the latest; any thread, several at once. What fails is in the response.

#include "orchestration/fetch/address_gate.h"
#include "orchestration/fetch/fetch.h"
#include "orchestration/fetch/redirect.h"
#include "orchestration/fetch/response_reader.h"

namespace parley::orchestration::fetch {

// `request` gives limits, deadline, stop and consumers; `hop` what is sent. A redirect that `reader` stopped
// at ends as complete.
void transfer(const FetchRequest& request, const Hop& hop, AddressGate& gate, ResponseReader& reader);

}  // namespace parley::orchestration::fetch
